import { describe, expect, test } from 'vitest';
import { CubicMotion, StraightMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import type { FrameConstraint } from '../../../src/core/constraints/frameConstraint.ts';
import {
  createFrameConstraint,
  frameFunctions,
  type StatedFrameConstraint,
} from '../../../src/core/constraints/index.ts';
import { orientation } from '../../../src/core/constraints/orientation.ts';
import { region } from '../../../src/core/constraints/region.ts';
import { tilt } from '../../../src/core/constraints/tilt.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create, type Transform } from '../../../src/core/math/transform.ts';
import type { PathConstraint } from '../../../src/core/scene/constraints.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomPose } from '../../helpers/robots.ts';

const ur5e = createRobotModel(await loadRobot('ur5e'));
const gantry = createRobotModel(await loadRobot('gantry4'));
const frame = { link: 0, T_link_frame: create() };
const pose = { xyz: [0.1, 0.2, 0.3], quat_wxyz: [0.8, 0.6, 0, 0] } as const;
const shape = (given: object) => given as never;

const TETRAHEDRON = [
  [0.2, 0, -0.1],
  [-0.1, 0.2, -0.1],
  [-0.1, -0.2, -0.1],
  [0, 0, 0.2],
];
const PLANE = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
];

const functions: readonly [string, FrameConstraint][] = [
  ['tilt', tilt({ type: 'tilt', axis: [0, 0, 1], towards: [0.6, 0, 0.8], within: 0.2 }, ur5e, frame)],
  ...(
    [
      { type: 'box', size: [0.2, 0.4, 0.1] },
      { type: 'sphere', radius: 0.2 },
      { type: 'cylinder', radius: 0.2, length: 0.3 },
      { type: 'capsule', radius: 0.2, length: 0.3 },
      { type: 'cone', radius: 0.2, length: 0.3 },
      { type: 'frustum', radiusBottom: 0.1, radiusTop: 0.2, length: 0.3 },
      { type: 'ellipsoid', radii: [0.1, 0.2, 0.3] },
      { type: 'convex', points: TETRAHEDRON },
      { type: 'box', size: [0.2, 0.4, 0.1], margin: 0.05 },
      { type: 'cylinder', radius: 0.2, length: 0.3, margin: 0.05 },
      { type: 'cone', radius: 0.2, length: 0.3, margin: 0.05 },
      { type: 'ellipsoid', radii: [0.1, 0.2, 0.3], margin: 0.05 },
      { type: 'convex', points: TETRAHEDRON, margin: 0.05 },
    ] as const
  ).map((one): [string, FrameConstraint] => [one.type, region({ type: 'region', shape: shape(one), pose }, frame)]),
];

/** Examples of each type of the table, for what holds for all of them. */
const examples: { readonly [K in StatedFrameConstraint['type']]: StatedFrameConstraint } = {
  tilt: { type: 'tilt', axis: [0, 0, 1], towards: [0.6, 0, 0.8], within: 0.2 },
  orientation: { type: 'orientation', quat_wxyz: [0.8, 0, 0.6, 0], within: [0.1, 0.2, 0.05] },
  region: { type: 'region', shape: shape({ type: 'box', size: [0.2, 0.4, 0.1] }), pose },
};

test.each(Object.keys(frameFunctions) as StatedFrameConstraint['type'][])(
  'a small motion against the gradient of %s reduces its excess',
  (type) => {
    const one = createFrameConstraint(examples[type], ur5e, frame);
    const random = new Random(6);
    const gradient = new Float64Array(6);
    let [violated, reduced] = [0, 0];
    for (let k = 0; k < 300; k++) {
      const { xyz, quat_wxyz } = randomPose(random, 0.6);
      const T = transformOfPose({ xyz, quat_wxyz: [quat_wxyz[0] + 3, ...quat_wxyz.slice(1)] as never });
      if (!(one.excess(T) > 1e-3)) continue;
      violated++;
      one.gradient(gradient, T);
      if (one.excess(moved(T, [...gradient], -1e-5)) < one.excess(T)) reduced++;
    }
    expect(violated).toBeGreaterThan(100);
    expect(reduced).toBe(violated);
  },
);

/** Returns T moved by a twist (linear velocity of the origin, angular velocity, world frame) for a small time. */
function moved(T: Transform, twist: readonly number[], h: number): Transform {
  const out = T.slice();
  const [wx, wy, wz] = twist.slice(3);
  for (let c = 0; c < 3; c++) {
    const [x, y, z] = [T[c], T[4 + c], T[8 + c]];
    out[c] = x + h * (wy * z - wz * y);
    out[4 + c] = y + h * (wz * x - wx * z);
    out[8 + c] = z + h * (wx * y - wy * x);
  }
  for (let i = 0; i < 3; i++) out[4 * i + 3] = T[4 * i + 3] + h * twist[i];
  return out as Transform;
}

describe.each(functions)('%s', (_, one) => {
  test('its gradient agrees with differences of its excess', () => {
    const random = new Random(5);
    const gradient = new Float64Array(6);
    const h = 1e-6;
    for (let k = 0; k < 200; k++) {
      const T = transformOfPose(randomPose(random, 0.6));
      const twist = Array.from({ length: 6 }, () => random.between(-1, 1));
      one.gradient(gradient, T);
      const expected = gradient.reduce((sum, value, i) => sum + value * twist[i], 0);
      const [before, after] = [one.excess(moved(T, twist, -h)), one.excess(moved(T, twist, h))];
      const kink = Math.abs(before + after - 2 * one.excess(T)) / h;
      if (kink < 1e-4) expect((after - before) / (2 * h)).toBeCloseTo(expected, 4);
    }
  });
});

test('the gradient of an orientation constraint points outwards', () => {
  const one = orientation({ type: 'orientation', quat_wxyz: [0.5, 0.5, 0.5, 0.5], within: [0.1, 0.2, 4] }, frame);
  const random = new Random(6);
  const gradient = new Float64Array(6);
  for (let k = 0; k < 100; k++) {
    const near = [0.5, 0.5, 0.5, 0.5].map((value) => value + random.between(-0.2, 0.2));
    const T = transformOfPose({ xyz: [0, 0, 0], quat_wxyz: near as never });
    one.gradient(gradient, T);
    expect(one.excess(moved(T, [...gradient], 1e-3))).toBeGreaterThan(one.excess(T));
  }
});

const q0 = [0.3, -1.2, 1.4, -1.8, -1.5, 0.2];
const still = (q: readonly number[]) =>
  new CubicMotion(0, 1, Float64Array.from(q.flatMap((value) => [value, 0, 0, 0])));

describe('limits at their extremes', () => {
  const wide: readonly [string, PathConstraint][] = [
    ['tilt of pi', { type: 'tilt', axis: [0, 0, 1], towards: [0, 0, -1], within: Math.PI }],
    ['tilt above pi', { type: 'tilt', axis: [0, 0, 1], towards: [0, 0, 1], within: 5 }],
    ['free orientation', { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [Math.PI, 4, 9] }],
  ];
  test.each(wide)('%s is satisfied by every motion', (_, given) => {
    const set = new ConstraintSet(ur5e, [given]);
    const motion = new StraightMotion(6);
    motion.qFrom = Float64Array.from(q0);
    motion.qTo = Float64Array.from(q0, (value) => value + 3);
    expect(set.violation(motion)).toBeUndefined();
  });

  test('a tilt of 0 is violated by every tilted state, and by lines that are parallel only at their ends', () => {
    const set = new ConstraintSet(ur5e, [{ type: 'tilt', axis: [1, 2, 2], towards: [3, -1, 1], within: 0 }]);
    expect(set.violated(Float64Array.from(q0))).toEqual(['tilt']);
    const link = { link: 'shoulder_link', pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } as const;
    const motion = new StraightMotion(6);
    motion.qFrom = new Float64Array(6);
    motion.qTo = Float64Array.from([2 * Math.PI, 0, 0, 0, 0, 0]);
    const ends = new ConstraintSet(ur5e, [
      { type: 'tilt', frame: link, axis: [-1, 0, 0], towards: [1, 0, 0], within: 1e-3 },
    ]);
    expect([ends.isSatisfied(motion.qFrom), ends.isSatisfied(motion.qTo)]).toEqual([true, true]);
    expect(ends.violation(motion)).toBeDefined();
  });

  test('the length of the directions has no effect', () => {
    const verdicts = [1, 1e-5, 1e5].map((length) =>
      new ConstraintSet(ur5e, [
        { type: 'tilt', axis: [0, 0, length], towards: [0, length, -length], within: 0.05 },
      ]).violation(still(q0)),
    );
    expect(verdicts[0]).toBeDefined();
    expect(new Set(verdicts.map((one) => one?.excess.toFixed(12))).size).toBe(1);
  });

  test('positions that are not numbers satisfy nothing', () => {
    const all: PathConstraint[] = [
      { type: 'tilt', axis: [0, 0, 1], towards: [0, 0, 1], within: 3 },
      { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [3, 3, 3] },
      { type: 'region', shape: shape({ type: 'sphere', radius: 1e6 }), pose },
      { type: 'joint', joint: 'elbow_joint', range: [-1e9, 1e9] },
    ];
    const q = new Float64Array(6).fill(Number.NaN);
    expect(new ConstraintSet(ur5e, all).violated(q).sort()).toEqual(['joint', 'orientation', 'region', 'tilt']);
    for (const one of all) expect(new ConstraintSet(ur5e, [one]).violation(still([...q]))).toBeDefined();
  });
});

describe('joint ranges', () => {
  test('are proved between samples: a parabola that leaves the range for a moment', () => {
    const names = gantry.variables.map(({ name, type }) => [name, type] as const);
    const [slide] = names.find(([, type]) => type === 'prismatic')!;
    const joint = names.findIndex(([name]) => name === slide);
    const coefficients = new Float64Array(4 * gantry.dof);
    coefficients.set([0, 1, -1, 0], 4 * joint); // highest at t = 0.5: 0.25
    const motion = new CubicMotion(0, 1, coefficients);
    const judged = (upper: number) =>
      new ConstraintSet(gantry, [{ type: 'joint', joint: slide, range: [-1, upper] }]).violation(motion);
    expect(judged(0.25 + 1e-8)).toBeUndefined();
    expect(judged(0.25 - 1e-8)).toMatchObject({ label: 'joint' });
    expect(judged(0.25 - 1e-8)!.time).toBeCloseTo(0.5, 3);
  });

  test('are of the position as stated: a full turn more is outside', () => {
    const set = new ConstraintSet(ur5e, [{ type: 'joint', joint: 'wrist_3_joint', range: [-0.1, 0.1] }]);
    expect(set.violated(Float64Array.from([0, 0, 0, 0, 0, 2 * Math.PI]))).toEqual(['joint']);
  });
});

describe('invalid constraints are refused', () => {
  const bad: readonly [string, object, RegExp][] = [
    ['unknown type', { type: 'cone' }, /type "cone" is unknown/],
    ['no direction', { type: 'tilt', axis: [0, 0, 0], towards: [0, 0, 1], within: 1 }, /axis/],
    ['NaN direction', { type: 'tilt', axis: [0, 0, 1], towards: [0, Number.NaN, 1], within: 1 }, /towards/],
    ['NaN angle', { type: 'tilt', axis: [0, 0, 1], towards: [0, 0, 1], within: Number.NaN }, /within/],
    ['NaN component', { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [1, Number.NaN, 1] }, /within/],
    ['two components', { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [1, 1] }, /within/],
    ['no quaternion', { type: 'orientation', quat_wxyz: [0, 0, 0, 0], within: [1, 1, 1] }, /quat_wxyz/],
    ['flat box', { type: 'region', shape: { type: 'box', size: [1, 1] }, pose }, /size/],
    ['no radius', { type: 'region', shape: { type: 'sphere' }, pose }, /radius/],
    ['margin', { type: 'region', shape: { type: 'sphere', radius: 1, margin: -0.1 }, pose }, /margin/],
    ['no points', { type: 'region', shape: { type: 'convex', points: [] }, pose }, /points is empty/],
    ['a plane', { type: 'region', shape: { type: 'convex', points: PLANE }, pose }, /has no inside/],
    ['other shape', { type: 'region', shape: { type: 'mesh', file: 'a.stl' }, pose }, /cannot be a mesh/],
    [
      'infinite pose',
      { type: 'region', shape: { type: 'sphere', radius: 1 }, pose: { ...pose, xyz: [0, 0, 1 / 0] } },
      /pose/,
    ],
    ['unknown joint', { type: 'joint', joint: 'elbow', range: [0, 1] }, /no planned joint is called "elbow"/],
    ['reversed range', { type: 'joint', joint: 'elbow_joint', range: [1, 0] }, /range/],
    ['NaN range', { type: 'joint', joint: 'elbow_joint', range: [0, Number.NaN] }, /range/],
    ['NaN speed', { type: 'speed', most: Number.NaN }, /most/],
  ];
  test.each(bad)('%s', (_, given, message) => {
    expect(() => new ConstraintSet(ur5e, [given as PathConstraint])).toThrow(message);
  });
});

test('a projected state satisfies the constraints', () => {
  const set = new ConstraintSet(ur5e, [
    { type: 'tilt', axis: [0, 0, 1], towards: [0, 0, -1], within: 0.1 },
    { type: 'region', shape: shape({ type: 'box', size: [0.6, 0.6, 0.3] }), pose: { ...pose, xyz: [0.4, 0, 0.4] } },
    { type: 'joint', joint: 'elbow_joint', range: [0, 2.5] },
  ]);
  const random = new Random(8);
  let projected = 0;
  for (let k = 0; k < 100; k++) {
    const q = Float64Array.from(q0, (value) => value + random.between(-1, 1));
    if (!set.project(q)) continue;
    projected++;
    expect(set.violated(q)).toEqual([]);
  }
  expect(projected).toBeGreaterThan(60);
});
