import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import type { ProposedPoint } from '../../../src/formats/streams/gateMessages.ts';
import { Gate, type GateOptions } from '../../../src/tasks/gate/gate.ts';
import type { GateAnswer } from '../../../src/tasks/gate/gateAnswer.ts';
import { boxDistance } from '../../core/world/oracle.ts';
import { description, jointNames, sceneOf } from '../../core/world/randomScenes.ts';
import { threeJoints } from './gateArms.ts';
import { Record, type SeenObject } from './gateOracle.ts';

/** What the gate may leave out of a proof, and what must be proved again afterwards. */

type Vec = [number, number, number];

const LIMITS = { velocity: 3, acceleration: 8, jerk: Number.POSITIVE_INFINITY, ranges: [7, 7, 7] };

const box = (name: string, xyz: Vec, size: Vec): Obstacle => ({
  name,
  pose: { xyz, quat_wxyz: [1, 0, 0, 0] },
  parts: [{ shape: { type: 'box', size } }],
});

function sceneWith(obstacles: readonly Obstacle[], more: Partial<Scene> = {}, jerk?: number): Scene {
  const empty = sceneOf({ boxes: [], others: [] });
  const limits = { velocity: 3, acceleration: 8, ...(jerk !== undefined && { jerk }) };
  return {
    ...empty,
    robot: { ...empty.robot, limits: Object.fromEntries(jointNames.map((name) => [name, limits])) },
    obstacles,
    start: [0, 0, 0],
    ...more,
  };
}

const gateIn = (scene: Scene, options: Partial<GateOptions> = {}) =>
  new Gate({ scene, robot: description }, { ...options });

/** Points of a motion whose joints have constant accelerations in each phase. */
function phases(time: number, q: Vec, list: readonly { duration: number; a: Vec }[]): ProposedPoint[] {
  const points: ProposedPoint[] = [{ time, positions: [...q], velocities: [0, 0, 0] }];
  for (const { duration: T, a } of list) {
    const { time: t, positions, velocities } = points.at(-1)!;
    points.push({
      time: t + T,
      positions: positions.map((x, j) => x + T * velocities![j] + (T * T * a[j]) / 2),
      velocities: velocities!.map((v, j) => v + T * a[j]),
    });
  }
  return points;
}

function follow(record: Record, answer: GateAnswer, now: number): void {
  const { from, points } = answer.committed!;
  const wrong = record.apply(
    from,
    points.map((point) => ({ ...point, time: point.time_from_start })),
    now,
  );
  expect(wrong).toEqual([]);
}

/** Least distance of the arm from boxes at rest, from a time on. */
function leastSpare(record: Record, boxes: readonly Obstacle[], from: number): number {
  const seen = boxes.map(
    ({ name, pose, parts }): SeenObject => ({
      name,
      distance: (p) => boxDistance(p, parts[0].shape.size as number[]),
      motion: { times: [0], poses: [pose] },
      seen: 0,
      unknownSpeed: 0,
    }),
  );
  const objects = new Map(seen.map((one) => [one.name, one]));
  const world = { arm: threeJoints, objects, carried: undefined, padding: 0, tracking: 0 };
  return record.leastSpare(world, from, new Set(), 9).least;
}

/** Seconds and rad/s²: the first joint reaches 1.98 rad/s, and a stop takes 0.245 rad. */
const FASTER = { duration: 0.25, a: [7.92, 0, 0] as Vec };
/** A post of which the tip, in the plane, touches the upper 5 mm within 0.038 rad of an angle. */
const postAt = (angle: number) => box('post', [Math.cos(angle), Math.sin(angle), -0.155], [0.02, 0.02, 0.2]);
/** Moves towards a post 0.349 rad away, and is lifted over it just in time: a straight stop before it is not. */
const over = (sign: number, onward = 0.2): readonly { duration: number; a: Vec }[] => [
  { duration: 0.25, a: [sign * 7.92, 0, 0] },
  { duration: 0.0058, a: [0, 0, 0] },
  { duration: 0.06, a: [0, -7.9, 0] },
  { duration: onward, a: [0, 0, 0] },
  { duration: 0.06, a: [0, 7.9, 0] },
];
/** Seconds from the start of `over` until a stop can no longer avoid the post. */
const LIFTED = 0.2558;

test('a pair whose contact was unavoidable is proved again once a proposal was taken', () => {
  const gate = gateIn(sceneWith([], { tracking: 1e-5 }));
  const record = new Record([0, 0, 0]);
  follow(record, gate.propose(0, phases(0.1, [0, 0, 0], [FASTER, { duration: 0.4, a: [0, 0, 0] }])), 0);
  const post = postAt(record.at(0.45).q[0] + 0.1); // too near to stop
  const hit = gate.change(0.45, [{ kind: 'add', name: 'post', obstacle: post }]);
  expect(hit).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', 'post'] } });
  follow(record, hit, 0.45);
  const [q] = record.at(10).q;
  const angle = Math.atan2(post.pose.xyz[1], post.pose.xyz[0]);
  const away = 0.349 + 0.038 - (q - angle); // to where `over` begins
  const slow = { duration: 0.5, a: [away / 0.25, 0, 0] as Vec };
  const aside = gate.propose(10, phases(10.1, [q, 0, 0], [slow, { ...slow, a: [-slow.a[0], 0, 0] }]));
  expect(aside.verdict).toBe('accepted');
  follow(record, aside, 10);
  const [from] = record.at(20).q;
  const back = gate.propose(20, phases(20.1, [from, 0, 0], over(-1)));
  expect(back.verdict).toBe('accepted');
  follow(record, back, 20);
  const now = 20.1 + LIFTED - 0.02;
  const stop = gate.tick(now, [0, 0, 0]);
  expect(stop.verdict).toBe('stopping');
  if (stop.committed) follow(record, stop, now);
  expect(leastSpare(record, [post], now)).toBeGreaterThan(0);
});

test('the fastest stop is proved with all pairs later if the budget ended its proof', () => {
  const post = postAt(0.349 + 0.038);
  const scene = sceneWith([post]);
  const gate = gateIn(scene, { budget: 1000 });
  const record = new Record([0, 0, 0]);
  const first = gate.propose(0, phases(0.1, [0, 0, 0], over(1)));
  expect(first.verdict).toBe('accepted');
  follow(record, first, 0);
  const now = 0.1 + LIFTED - 0.02;
  const crowd = Array.from({ length: 330 }, (_, i) => {
    const name = `ball${i}`;
    return { kind: 'add', name, obstacle: box(name, [0.6, -0.1 - 1e-3 * i, 0.2], [0.01, 0.01, 0.01]) } as const;
  });
  const cut = gate.change(now, crowd);
  expect(cut).toMatchObject({ verdict: 'unavoidable', reason: expect.stringMatching(/budget/) });
  follow(record, cut, now);
  expect(leastSpare(record, [post], now)).toBeLessThan(0);
  const gone = gate.change(
    now + 0.01,
    crowd.map(({ name }) => ({ kind: 'remove', name })),
  );
  expect(gone).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', 'post'] } });
});

test('a contact is reported with the budget if that ended the proof of the other pairs', () => {
  const gate = gateIn(sceneWith([]), { budget: 8 });
  const crowd = Array.from({ length: 30 }, (_, i) => {
    const name = `ball${i}`;
    return { kind: 'add', name, obstacle: box(name, [1, 1e-3 * i, 0], [0.01, 0.01, 0.01]) } as const;
  });
  const hit = gate.change(0.1, crowd);
  expect(hit).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', expect.anything()] } });
  expect(hit.reason).toMatch(/contact at 0.1 s; the budget/);
});

test('all pairs that come into contact are named, so that none is left out of later proofs unreported', () => {
  const gate = gateIn(sceneWith([]));
  const [one, other] = [box('one', [1, 0, 0], [0.1, 0.1, 0.1]), box('other', [0.7, 0, 0], [0.1, 0.1, 0.1])];
  const hit = gate.change(
    0.1,
    [one, other].map((obstacle) => ({ kind: 'add', name: obstacle.name, obstacle })),
  );
  expect(hit.verdict).toBe('unavoidable');
  expect(`${hit.contact!.pair} ${hit.reason}`).toMatch(/link2,one.*link1 and other|link1,other.*link2 and one/);
});

test('a refused proposal reports the contact of a motion that was not proved yet', () => {
  const hit = {
    times: [0, 5],
    poses: [1, -1].map((y) => ({ ...box('', [1, 0, 0], [1, 1, 1]).pose, xyz: [1, y, 0] as Vec })),
  };
  const moving = { ...box('door', [1, 1, 0], [0.1, 0.1, 0.1]), motion: hit };
  const gate = gateIn(sceneWith([moving]));
  const late = gate.propose(1, phases(0.1, [0, 0, 0], [{ duration: 0.1, a: [0, 0, 0] }]));
  expect(late).toMatchObject({ verdict: 'unavoidable', contact: { pair: ['link2', 'door'] } });
  expect(gateIn(sceneWith([moving])).tick(0)).toMatchObject({ verdict: 'unavoidable' });
  const bad = sceneWith([moving], { start: [-7.5, 0, 0] });
  expect(() => gateIn(bad)).toThrow(/start/);
});

test('with jerk limits a stop from a point at now continues the acceleration', () => {
  const jerk = 20;
  const gate = gateIn(sceneWith([], {}, jerk), { lead: 0 });
  const record = new Record([0, 0, 0]);
  const points = Array.from({ length: 9 }, (_, i) => {
    const t = 0.05 * i;
    return {
      time: 0.1 + t,
      positions: [3 * t ** 3 - (i > 4 ? 6 * (t - 0.2) ** 3 : 0), 0, 0] as Vec,
      velocities: [9 * t ** 2 - (i > 4 ? 18 * (t - 0.2) ** 2 : 0), 0, 0] as Vec,
    };
  });
  follow(record, gate.propose(0, points), 0);
  const now = record.points.find(({ time }) => Math.abs(time - 0.2) < 1e-9)!.time;
  follow(
    record,
    gate.propose(
      now,
      points.filter(({ time }) => time >= now).map((p) => ({ ...p, time: Math.max(now, p.time) })),
    ),
    now,
  );
  const wall = box('wall', [Math.cos(0.3), Math.sin(0.3), 0], [0.1, 0.1, 0.1]);
  const stop = gate.change(now, [{ kind: 'add', name: 'wall', obstacle: wall }]);
  expect(stop.verdict).toBe('stopping');
  follow(record, stop, now);
  expect(record.exceeded(0, { ...LIMITS, jerk })).toEqual([]);
});

test('an object with a clearance can be removed, and keeps it when it comes back', () => {
  const near = box('near', [1, 0.2, 0], [0.1, 0.1, 0.1]);
  const clearances = [{ a: 'link2', b: 'near', distance: 0.05 }];
  const gate = gateIn(sceneWith([near], { clearances }));
  const turn = (now: number) =>
    gate.propose(
      now,
      phases(
        now + 0.1,
        [0, 0, 0],
        [
          { duration: 0.2, a: [2, 0, 0] },
          { duration: 0.2, a: [-2, 0, 0] },
        ],
      ),
    );
  expect(turn(0)).toMatchObject({ verdict: 'trimmed', pair: ['link2', 'near'] });
  expect(gate.change(5, [{ kind: 'remove', name: 'near' }]).verdict).toBe('held');
  expect(gate.change(5, [{ kind: 'add', name: 'near', obstacle: near }]).verdict).toBe('held');
  expect(turn(5)).toMatchObject({ verdict: expect.stringMatching(/trimmed|refused/), pair: ['link2', 'near'] });
});

test('the TCP keeps the tracking distance from the boundary of each region, and the tick measures it there', () => {
  const at = (xyz: Vec): Pose => ({ xyz, quat_wxyz: [1, 0, 0, 0] });
  const s = Math.SQRT1_2;
  const regions: { readonly shape: ShapeSpec; readonly pose: Pose }[] = [
    { shape: { type: 'halfspace', normal: [0, 1, 0] }, pose: at([0, 0.4, 0]) },
    // its x axis is the y axis
    {
      shape: { type: 'halfspace', normal: [3, 0, 0], margin: 0.01 },
      pose: { xyz: [0, 0.39, 0], quat_wxyz: [s, 0, 0, s] },
    },
    { shape: { type: 'box', size: [4, 0.8, 4] }, pose: at([0, 0, 0]) },
    { shape: { type: 'cylinder', radius: 3, length: 0.8 }, pose: { xyz: [0, 0, 0], quat_wxyz: [s, s, 0, 0] } },
    { shape: { type: 'box', size: [3, 0.2, 3], margin: 0.3 }, pose: at([0, 0, 0]) },
  ];
  const proposal = phases(
    0.1,
    [0, 0, 0],
    [
      { duration: 0.3, a: [6.4, 0, 0] },
      { duration: 0.3, a: [-6.4, 0, 0] },
    ],
  );
  const verdictOf = (one: (typeof regions)[number], tracking?: number) => {
    const constraints = [{ type: 'region', ...one }] as const;
    return gateIn(sceneWith([], { constraints, ...(tracking && { tracking }) })).propose(0, proposal).verdict;
  };
  for (const one of regions) {
    // the TCP comes to y = 0.7 m · sin(0.576 rad) = 0.3813 m, and the boundary is at 0.4 m
    expect(verdictOf(one), one.shape.type).toBe('accepted');
    expect(verdictOf(one, 0.018), one.shape.type).toBe('accepted');
    expect(verdictOf(one, 0.0195), one.shape.type).toMatch(/trimmed|refused/);
  }
  const constraints = [{ type: 'region', ...regions[0], pose: at([0, 9, 0]) }] as const;
  const gate = gateIn(sceneWith([], { constraints, tracking: 0.02, tcp: { link: 'link2', pose: at([3, 0, 0]) } }));
  expect(gate.tick(0.1, [0, 0.01, 0])).toMatchObject({ verdict: 'stopping' }); // 37 mm at the TCP, 11 mm at the arm
  const cone = [{ type: 'region', shape: { type: 'cone', radius: 9, length: 9 }, pose: at([0, 0, 0]) }] as const;
  expect(() => gateIn(sceneWith([], { constraints: cone, tracking: 0.01 }))).toThrow(/cone cannot be judged with/);
});
