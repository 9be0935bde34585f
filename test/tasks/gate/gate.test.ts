import { expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { sphereClusters } from '../../../src/formats/clouds/sphereClusters.ts';
import type { SceneChange } from '../../../src/formats/streams/gateMessages.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { Gate, type GateOptions } from '../../../src/tasks/gate/gate.ts';
import { WARM_UP, warmUpMessages } from '../../../src/tasks/gate/warmUp.ts';
import { checkTrajectoryOf } from './checkOf.ts';
import { attackGate } from './gateAttack.ts';
import { box, gateIn, sceneWith, turn } from './gateCases.ts';

test('a free proposal is accepted with a stop from its end, and check accepts what was executed', () => {
  const scene = sceneWith([box('wall', [-0.9, 0, 0])]);
  const gate = gateIn(scene);
  const answer = gate.propose(0, turn(0.1, 0.8));
  expect(answer.verdict).toBe('accepted');
  expect(answer.movesUntil).toBeCloseTo(0.55, 9);
  expect(answer.until).toBeCloseTo(0.55 + 0.8 / 8, 3);
  expect(answer.committed!.points.at(-1)!.velocities).toEqual([0, 0, 0]);
  expect(checkTrajectoryOf(scene, gate.executed)).toMatchObject({ valid: true });
});

test('a proposal into an obstacle is trimmed before the contact, which is named', () => {
  const gate = gateIn(sceneWith([box('post', [0.75, 0.6, 0])]));
  const answer = gate.propose(0, turn(0.1, 1, 30));
  expect(answer.verdict).toBe('trimmed');
  expect(answer.pair).toEqual(['link2', 'post']);
  expect(answer.movesUntil).toBeLessThan(answer.until);
});

test('with repair, a proposal into an obstacle leads round it to its end, by the same work in every run', () => {
  const scene = sceneWith([box('post', [0.75, 0.6, 0])]);
  const answerOf = (options: Partial<GateOptions>) => {
    const gate = gateIn(scene, options);
    return { ...gate.propose(0, turn(0.1, 1, 36)), executed: gate.executed };
  };
  const answer = answerOf({ repair: true });
  expect(answer).toMatchObject({
    verdict: 'trimmed',
    pair: ['link2', 'post'],
    reason: expect.stringMatching(/detour/),
  });
  expect(answer.executed.points.at(-1)!.positions[0]).toBeGreaterThan(turn(0.1, 1, 36).at(-1)!.positions[0] - 1e-6);
  expect(checkTrajectoryOf(scene, answer.executed)).toMatchObject({ valid: true });
  expect(answerOf({ repair: true })).toEqual(answer);
  for (const options of [{}, { repair: true, budget: 900 }]) expect(answerOf(options).reason).not.toMatch(/detour/);
});

test('the proposals of a warm-up lead to all verdicts on proposals, so that the code of each is compiled', async () => {
  const shelf = new Gate(await loadScene('scenes/shelf.yaml'));
  const [{ positions }] = shelf.committed.points;
  const messages = [...warmUpMessages(positions)];
  expect(messages.length).toBe(WARM_UP.messages);
  const verdicts = messages.slice(80, 130).map(({ now, points }) => shelf.propose(now, points).verdict);
  expect([...new Set(verdicts)].sort()).toEqual(['accepted', 'refused', 'slowed', 'trimmed']);
});

test('a proposal above its speed limit is slowed on the same path', () => {
  const gate = gateIn(sceneWith([]));
  const fast = turn(0.1, 0.8, 30).map(({ time, positions, velocities }) => ({
    time: 0.1 + (time - 0.1) / 3,
    positions,
    velocities: velocities.map((v) => 3 * v),
  }));
  const answer = gate.propose(0, fast);
  expect(answer.verdict).toBe('slowed');
  expect(answer.committed!.points.at(-1)!.positions[0]).toBeCloseTo(fast.at(-1)!.positions[0], 9);
});

test('a proposal that begins elsewhere is joined, one that is late as well, one that is over is refused', () => {
  const gate = gateIn(sceneWith([]));
  gate.propose(0, turn(0.1, 0.8));
  const aside = turn(0.1, 0.8, 20).map((point) => ({ ...point, positions: [point.positions[0], 0.01, 0] }));
  expect(gate.propose(0.2, aside)).toMatchObject({ verdict: 'slowed' });
  const over = gate.propose(3, turn(0.1, 0.8));
  expect(over).toMatchObject({ verdict: 'refused' });
  expect(over.reason).toMatch(/late/);
  expect(over.committed).toBeUndefined();
});

test('an object on the committed motion stops it, one elsewhere does not, one at the arm is unavoidable', () => {
  const added = (name: string, xyz: [number, number, number]): SceneChange[] => [
    { kind: 'add', name, obstacle: box(name, xyz) },
  ];
  const gate = gateIn(sceneWith([]));
  const { until } = gate.propose(0, turn(0.1, 1, 30));
  expect(gate.change(0.2, added('away', [-0.8, 0, 0]))).toMatchObject({ verdict: 'held', until });
  const stop = gate.change(0.3, added('ahead', [0.75, 0.6, 0]));
  expect(stop).toMatchObject({ verdict: 'stopping', pair: ['link2', 'ahead'] });
  expect(stop.until).toBeLessThan(until);
  const there = gate.change(0.35, added('there', [1, 0.1, 0]));
  expect(there).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', 'there'] } });
  expect(there.contact!.time).toBeGreaterThanOrEqual(0.35);
  expect(gate.propose(1, turn(1.1, 1)).verdict).toBe('refused');
  expect(gate.change(1.2, [{ kind: 'remove', name: 'there' }]).verdict).toBe('held');
});

test('a pair that is no longer allowed is judged on the committed motion, as is a new clearance', () => {
  const scene = sceneWith([box('ahead', [0.75, 0.6, 0]), box('near', [0.5, -0.5, 0])], { allow: [['link2', 'ahead']] });
  const gate = gateIn(scene);
  expect(gate.propose(0, turn(0.1, 1, 30)).verdict).toBe('accepted');
  const { allow: _, ...others } = scene;
  expect(gate.see(0.3, { ...others, allow: [] })).toMatchObject({ verdict: 'stopping', pair: ['link2', 'ahead'] });
  const clearances = [{ a: 'link2', b: 'near', distance: 2 }];
  expect(gate.see(0.4, { ...gate.scene, clearances })).toMatchObject({ contact: { pair: ['link2', 'near'] } });
});

test('a scene that differs in more than objects and their rules is refused with the key', () => {
  const gate = gateIn(sceneWith([]));
  const scenes: [string, Partial<Scene>][] = [
    ['padding', { padding: 0.02 }],
    ['tcpSpeed', { tcpSpeed: 0.1 }],
    ['tracking', { tracking: 0.001 }],
  ];
  for (const [key, more] of scenes)
    expect(() => gate.see(1, { ...gate.scene, ...more })).toThrow(`differs from that of the gate in ${key}`);
  expect(gate.time).toBe(0);
  expect(gate.see(1, { ...gate.scene, name: 'other' }).verdict).toBe('held');
});

test('an obstacle of unknown speed counts as larger from when it was seen, while the arm moves', () => {
  const gate = gateIn(sceneWith([box('walker', [1.3, 0.6, 0], { unknownSpeed: 0.4 })]));
  const wave = (from: number) => [0, 0.2, 0.4].map((t, i) => ({ time: from + t, positions: [0.03 * (i % 2), 0, 0] }));
  expect(gate.propose(0, wave(0.1))).toMatchObject({ verdict: 'accepted' });
  expect(gate.propose(3, wave(3.1))).toMatchObject({ verdict: 'refused', pair: ['link2', 'walker'] });
  gate.change(3.2, [{ kind: 'move', name: 'walker', pose: box('', [1.3, 0.6, 0]).pose }]);
  expect(gate.propose(3.2, wave(3.3)).verdict).toBe('slowed'); // joined: it begins elsewhere
});

test('the tracking distance is kept besides the padding', () => {
  const scene = sceneWith([box('side', [0.4, 0.14, 0])], { padding: 0.02 });
  const short = [0, 0.2].map((t) => ({ time: 0.1 + t, positions: [-0.25 * t, 0, 0] }));
  expect(gateIn(scene).propose(0, short).verdict).toBe('accepted');
  expect(() => gateIn({ ...scene, tracking: 0.03 })).toThrow(/start/);
});

test('a measured state farther than tracking from the committed motion stops it and names the joint', () => {
  const gate = gateIn(sceneWith([], { tracking: 0.005 }));
  const { until } = gate.propose(0, turn(0.1, 1, 30));
  const q = [...gate.propose(0.1, turn(0.1, 1, 30)).committed!.points[0].positions];
  expect(gate.tick(0.1, [q[0], q[1] + 0.002, q[2]]).verdict).toBe('held');
  const stop = gate.tick(0.3, [0.08, 0.02, 0]);
  expect(stop).toMatchObject({ verdict: 'stopping', reason: expect.stringMatching(/joint1 is 0.02/) });
  expect(stop.until).toBeLessThan(until);
  expect(() => gateIn(sceneWith([])).tick(1, [0, 0, 0])).toThrow(/tracking/);
});

test('a measured state is off by the distance that points of a hull have moved whose center is far from its link', () => {
  const corners = [-0.01, 0.01].flatMap((x) => [-0.01, 0.01].flatMap((y) => [0, 0.02].map((z) => [3 + x, y, z])));
  const parts = [{ shape: { type: 'convex', points: corners } }];
  const tip = { name: 'tip', link: 'link2', touches: [], parts, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } };
  const gate = gateIn(sceneWith([], { tracking: 0.01, attached: [tip as unknown as Scene['attached'][number]] }));
  gate.propose(0, turn(0.1, 1, 30));
  expect(gate.tick(0.03, [0, 0, 0.003]).verdict).toBe('held'); // 0.009 m at the tip
  expect(gate.tick(0.05, [0, 0, 0.01]).verdict).toBe('stopping');
});

test('a budget that is used up keeps the committed motion, and equal messages have equal answers', () => {
  const scene = sceneWith([box('post', [0.75, 0.6, 0])]);
  const run = () => {
    const gate = gateIn(scene, { budget: 5 });
    return [gate.propose(0, turn(0.1, 1, 30)), gate.propose(0.1, turn(0.15, 1, 30)), gate.tick(1)];
  };
  expect(run()[0]).toMatchObject({ verdict: 'refused', until: 0 });
  expect(run()).toEqual(run());
});

test('in random worlds the oracle finds no contact, no limit exceeded, and no clearly free proposal refused', () => {
  for (const seed of [14, 92]) {
    const { faults, missed } = attackGate(seed, 20);
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(missed, `seed ${seed}`).toBe(0);
  }
});

test('a cloud that is replaced is judged in its groups that the committed motion may reach', () => {
  const cloudAt = (z: number) => {
    const points = Array.from({ length: 2000 }, (_, i) => [0.1 * (i % 50) - 2.5, 0.1 * Math.floor(i / 50) - 2, z]);
    return { ...box('scan', [0, 0, 0]), parts: sphereClusters(points.flat(), 0.01) };
  };
  const gate = gateIn(sceneWith([cloudAt(-0.5)]), { budget: 3000 });
  expect(gate.propose(0, turn(0.1, 0.8)).verdict).toBe('accepted');
  const answer = gate.change(0.2, [
    { kind: 'remove', name: 'scan' },
    { kind: 'add', name: 'scan', obstacle: cloudAt(-0.49) },
  ]);
  expect(answer).toMatchObject({ verdict: 'held' }); // of 6,000 pairs, each in ten pieces
});

test('a part of a proposal keeps its points, whose pieces are not proved again', () => {
  const proposal = turn(0.1, 1, 30);
  const gate = gateIn(sceneWith([box('post', [0.75, 0.6, 0])]), { budget: 120 }); // 130 if they were
  const { verdict, movesUntil, committed } = gate.propose(0, proposal);
  expect(verdict).toBe('trimmed');
  const kept = proposal.filter(({ time }) => time < movesUntil! - 0.01);
  expect(kept.length).toBeGreaterThan(5);
  expect(committed!.points).toEqual(
    expect.arrayContaining(kept.map(({ time, ...rest }) => ({ time_from_start: time, ...rest }))),
  );
});

test('pieces that were proved before a change are proved again: a contact before the stop begins is unavoidable', () => {
  const gate = gateIn(sceneWith([box('wall', [-0.9, 0, 0])]), { lead: 0.4 });
  expect(gate.propose(0, turn(0.5, 1, 30)).verdict).toBe('accepted');
  const angle = 0.45; // the arm is at 0.275 rad, and at 0.675 rad when a stop can begin
  const post = box('post', [0.95 * Math.cos(angle), 0.95 * Math.sin(angle), 0]);
  const answer = gate.change(0.9, [{ kind: 'add', name: 'post', obstacle: post }]);
  expect(answer).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', 'post'] } });
});
