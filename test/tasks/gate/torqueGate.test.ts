import { expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { readGateMessage } from '../../../src/formats/streams/gateMessages.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { Gate } from '../../../src/tasks/gate/gate.ts';
import { attackTorqueGate } from './torqueGate.ts';

test('no committed motion exceeds a limit of torque, momentum or power, with the loads that the arm takes', () => {
  const attacks = Array.from({ length: 8 }, (_, i) => attackTorqueGate(i + 1));
  expect(attacks.flatMap(({ faults }) => faults)).toEqual([]);
  const count = (verdict: string) => attacks.reduce((sum, { verdicts }) => sum + (verdicts[verdict] ?? 0), 0);
  for (const verdict of ['accepted', 'slowed', 'trimmed', 'refused', 'held', 'unavoidable'])
    expect(count(verdict), verdict).toBeGreaterThan(0);
  const [free, missed] = [0, 0].map((_, k) => attacks.reduce((sum, one) => sum + (k === 0 ? one.free : one.missed), 0));
  expect(free).toBeGreaterThan(10);
  expect(missed).toBeLessThanOrEqual(0.02 * free);
});

test('stops are refused as limits, and so are loads of unknown mass where forces are limited', async () => {
  const problem = await loadScene('scenes/heavy-part.yaml');
  const gate = (more: Partial<Scene>) => new Gate({ ...problem, scene: { ...problem.scene, ...more } });
  expect(() => gate({ constraints: [{ type: 'stopping_time', most: 0.2 }] })).toThrow('which gate does not judge');
  const bare = problem.scene.attached.map(({ inertial: _, ...one }) => one);
  expect(() => gate({ attached: bare })).toThrow(/its mass is not stated/);
  const opened = gate({ attached: [], torque: { scale: 1 } });
  const { parts } = bare[0];
  const obstacle = { name: 'part', parts, pose: { xyz: [3, 3, 3], quat_wxyz: [1, 0, 0, 0] } } as const;
  const link = bare[0].link;
  opened.change(0, [{ kind: 'add', name: 'part', obstacle }]);
  const take = { kind: 'attach', name: 'part', link, touches: [] } as const;
  expect(() => opened.change(0.1, [take])).toThrow(/"part" is attached, its mass is not stated/);
  expect(opened.scene.attached).toEqual([]);
  expect(opened.tick(0.2).verdict).toBe('held');
});

test('the mass of an object that a message adds is a load where the object is attached', async () => {
  const problem = await loadScene('scenes/heavy-part.yaml');
  const { scene } = problem;
  const { link } = scene.attached[0];
  const verdictOf = async (more: object) => {
    const gate = new Gate({ ...problem, scene: { ...scene, attached: [], torque: { scale: 1 } } });
    const part = { name: 'part', type: 'sphere', radius: 0.02, pose: { xyz: [3, 3, 3] }, ...more };
    const message = { now: 0, scene: [{ add: part }, { attach: 'part', link }] };
    return gate.change(0, (await readGateMessage(message)).scene!);
  };
  expect(await verdictOf({ mass: 0.01 })).toMatchObject({ verdict: 'held' });
  expect(await verdictOf({ density: 1e8 })).toMatchObject({
    verdict: 'unavoidable',
    reason: expect.stringMatching(/torque/),
  });
  await expect(verdictOf({ mass: 1, density: 1 })).rejects.toThrow('mass and density are both given');
  await expect(verdictOf({})).rejects.toThrow('its mass is not stated');
});

test('a proposal of the state at rest alone is accepted, and one elsewhere is not taken for it', async () => {
  const problem = await loadScene('scenes/heavy-part.yaml');
  const gate = new Gate({ ...problem, scene: { ...problem.scene, torque: { scale: 1 } } });
  const positions = gate.committed.points[0].positions;
  expect(gate.propose(0, [{ time: 0.5, positions: [...positions] }])).toMatchObject({ verdict: 'accepted' });
  const elsewhere = positions.map((x, j) => x + (j === 0 ? 0.01 : 0));
  expect(gate.propose(1, [{ time: 1.5, positions: elsewhere }])).toMatchObject({ verdict: 'slowed' });
});

test('proofs of forces count in the budget, and nothing is committed if it ends them', async () => {
  const { scene, ...problem } = await loadScene('scenes/heavy-part.yaml');
  const { torque: _, ...free } = scene;
  const limited: Scene = { ...scene, constraints: [{ type: 'power', most: 15 }] };
  const q = scene.start as readonly number[];
  const points = [0.1, 0.4, 0.8, 1.2].map((time, i) => ({
    time,
    positions: q.map((x, j) => (j < 2 ? x + 0.05 * i : x)),
  }));
  const answerIn = (one: Scene, budget: number) => new Gate({ ...problem, scene: one }, { budget }).propose(0, points);
  let [least, enough] = [0, 1e6];
  while (enough - least > 1) {
    const half = Math.floor((least + enough) / 2);
    if (answerIn(free, half).verdict === 'accepted') enough = half;
    else least = half;
  }
  expect(answerIn(free, enough).verdict).toBe('accepted');
  expect(answerIn(limited, enough)).toMatchObject({
    verdict: 'refused',
    reason: 'the budget of the proof is used up',
  });
  expect(answerIn(limited, 1e6).verdict).toBe('accepted');
});
