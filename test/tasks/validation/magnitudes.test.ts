import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { checkers } from '../../../src/core/narrowphase/index.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { createPlanarShape } from '../../../src/core/shapes/planar/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { createStateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { cases } from '../../cases.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { sceneOf } from '../../helpers/robots.ts';
import { slide } from '../slider.ts';

type Triple = [number, number, number];

/** Doubles as integers, in units of 2⁻⁴⁰⁰: sums and products of them are exact. */
const UNIT = 400n;
const bytes = new DataView(new ArrayBuffer(8));

function exact(x: number): bigint {
  if (x === 0) return 0n;
  bytes.setFloat64(0, x);
  const bits = bytes.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | 0x10000000000000n;
  const magnitude = mantissa << (exponent - 1075n + UNIT);
  return x < 0 ? -magnitude : magnitude;
}

const kinds = ['box', 'convex', 'sphere'] as const;
type Kind = (typeof kinds)[number];

/** A body of full extents `size` about its origin. */
function specOf(kind: Kind, [x, y, z]: Triple): ShapeSpec {
  if (kind === 'box') return { type: 'box', size: [x, y, z] };
  if (kind === 'sphere') return { type: 'sphere', radius: x / 2 };
  const ends = [-0.5, 0.5];
  return { type: 'convex', points: ends.flatMap((i) => ends.flatMap((j) => ends.map((k) => [i * x, j * y, k * z]))) };
}

/**
 * In exact arithmetic: do two such bodies, axis-aligned, meet? `offset`: twice the distance of their centres, by axis.
 */
function meet(kindA: Kind, sizeA: Triple, kindB: Kind, sizeB: Triple, offset: readonly bigint[]): boolean {
  const [a, b] = [sizeA.map(exact), sizeB.map(exact)];
  const [roundA, roundB] = [kindA === 'sphere', kindB === 'sphere'];
  if (!roundA && !roundB) return offset.every((d, k) => d <= a[k] + b[k]);
  const reach = (roundA ? a[0] : 0n) + (roundB ? b[0] : 0n);
  const beyond = offset.map((d, k) => d - (roundA ? 0n : a[k]) - (roundB ? 0n : b[k]));
  return beyond.reduce((sum, d) => (d > 0n ? sum + d * d : sum), 0n) <= reach * reach;
}

const gantry = (shape: ShapeSpec, xyz: Triple): RobotDescription => {
  const far = (joint: JointDescription): JointDescription => ({ ...joint, lower: -1e6, upper: 1e6 });
  return {
    name: 'gantry',
    root: 'base',
    links: [
      ...['base', 'x', 'y'].map((name) => ({ name, collisions: [] })),
      { name: 'z', collisions: [{ shape, pose: IDENTITY_POSE, triangles: 0, source: 0 }] },
    ],
    joints: [
      { ...far(slide('jx', 'base', 'x', [1, 0, 0])), origin: { ...IDENTITY_POSE, xyz } },
      far(slide('jy', 'x', 'y', [0, 1, 0])),
      far(slide('jz', 'y', 'z', [0, 0, 1])),
    ],
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
};

/** A body on a gantry that touches an obstacle but for a gap or an overlap of these, metres. */
const OFFSETS = [0, 1e-16, 1e-12, 1e-10, 1e-9, 2e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2];
const TURNS = [
  [1, 0, 0, 0],
  [0.5, 0.5, 0.5, 0.5],
  [0, 0, 0, 1],
] as const;

function randomCase(random: Random) {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)];
  const triple = (value: () => number): Triple => [value(), value(), value()];
  const [kind, ownKind] = [pick(kinds), pick(kinds)];
  const largest = pick([1, 1e7, 1e7]);
  const size = triple(() => (random.below(2) ? random.between(0.1, 1) * largest : 10 ** random.between(-3, 7)));
  const own = triple(() => (random.below(5) ? random.between(0.05, 1) : random.between(1e5, 1e7)));
  const even = (which: Kind, lengths: Triple): Triple => (which === 'sphere' ? triple(() => lengths[0]) : lengths);
  const [a, b] = [even(ownKind, own), even(kind, size)];
  const origin = triple(() => (random.below(2) ? 0 : random.between(-3e6, 3e6)));
  const q = triple(() => (random.below(2) ? random.between(-1, 1) : random.between(-1e6, 1e6)));
  const axis = random.below(3);
  const gap = pick(OFFSETS) * random.between(-1, 1);
  const isRound = kind === 'sphere' || ownKind === 'sphere';
  const at = [0, 1, 2].map((k) => {
    const half = (a[k] + b[k]) / 2;
    const away = k === axis ? pick([-1, 1]) * (half + gap) : isRound ? 0 : random.between(-0.9, 0.9) * half;
    return Math.max(-1e7, Math.min(1e7, origin[k] + q[k] + away));
  }) as Triple;
  const turn = pick(TURNS);
  const local: Triple = turn[1] === 0.5 ? [b[1], b[2], b[0]] : b; // that rotation takes x to y to z to x
  const obstacle = {
    name: 'obstacle',
    pose: { xyz: at, quat_wxyz: turn },
    parts: [{ shape: specOf(kind, local) }],
  };
  const offset = at.map((x, k) => {
    const difference = exact(x) - exact(origin[k]) - exact(q[k]);
    return 2n * (difference < 0n ? -difference : difference);
  });
  return { robot: gantry(specOf(ownKind, a), origin), obstacle, q, meets: meet(ownKind, a, kind, b, offset) };
}

describe('states at positions and sizes up to 1e7 m', () => {
  const names = keysOf(checkers);

  test.each(['default' as const, ...names])('no state that collides in exact arithmetic is valid: %s', (name) => {
    const random = new Random((names as string[]).indexOf(name) + 11);
    const count = cases(name === 'default' ? 2000 : 300);
    let valid = 0;
    for (let i = 0; i < count; i++) {
      const { robot, obstacle, q, meets } = randomCase(random);
      const options = name === 'default' ? {} : { checker: name };
      const checker = createStateValidityChecker(createRobotModel(robot), sceneOf([obstacle]) as never, options);
      const isValid = checker.isValid(q);
      expect(isValid && meets, `case ${i}: ${JSON.stringify([obstacle, robot.links[3], q])}`).toBe(false);
      if (isValid) valid++;
    }
    expect(valid).toBeGreaterThan(0.05 * count); // the rounding that is allowed for does not swallow all gaps
  });

  test('an obstacle that is moved far away takes its rounding along', () => {
    const random = new Random(3);
    for (let i = 0; i < cases(300); i++) {
      const { robot, obstacle, q, meets } = randomCase(random);
      const near = { ...obstacle, pose: IDENTITY_POSE };
      const checker = createStateValidityChecker(createRobotModel(robot), sceneOf([near]) as never);
      checker.moveObstacle('obstacle', obstacle.pose);
      expect(checker.isValid(q) && meets).toBe(false);
    }
  });
});

describe('magnitudes that the library refuses', () => {
  const refused: readonly [string, () => unknown, RegExp][] = [
    ['a size', () => createShape({ type: 'box', size: [1, 1.1e7, 1] }), /^size\[1\] is 11000000, must be .* 1e7 m$/],
    ['a size that overflows', () => createShape({ type: 'sphere', radius: 1e999 }), /^radius is Infinity/],
    ['a size that vanishes', () => createShape({ type: 'sphere', radius: 1e-300 }), /^radius is 1e-300/],
    ['a vertex', () => createShape({ type: 'convex', points: [[0, 0, -2e7]] }), /^points\[0\]\[2\]/],
    ['a margin', () => createShape({ type: 'sphere', radius: 1, margin: 1e8 }), /^margin/],
    ['a normal that vanishes', () => createShape({ type: 'halfspace', normal: [1e-200, 0, 0] }), /^normal/],
    ['a planar radius', () => createPlanarShape({ type: 'disc', radius: 1e8 }), /^radius/],
    ['a root', () => modelOf({}, [1e8, 0, 0]), /link "base" may be 100000000 m/],
    ['a chain', () => modelOf({ origin: { ...IDENTITY_POSE, xyz: [9.5e6, 0, 0] } }), /link "ball" may be/],
    ['a slide', () => modelOf({ upper: 2e7, origin: { ...IDENTITY_POSE, xyz: [9.5e6, 0, 0] } }), /link "ball" may be/],
    ['a mimic', () => modelOf({ mimic: { joint: 'a', multiplier: 1e4, offset: 0 } }), /multiplier 10000/],
  ];
  const modelOf = (joint: Partial<JointDescription>, xyz: Triple = [0, 0, 0]) => {
    const ball = { shape: { type: 'sphere', radius: 1 }, pose: IDENTITY_POSE, triangles: 0, source: 0 };
    const description: RobotDescription = {
      ...gantry({ type: 'sphere', radius: 1 }, [0, 0, 0]),
      links: [
        { name: 'base', collisions: [ball] },
        { name: 'middle', collisions: [] },
        { name: 'ball', collisions: [ball] },
      ],
      joints: [
        slide('a', 'base', 'middle', [1, 0, 0]),
        { ...slide('b', 'middle', 'ball', [1, 0, 0]), upper: 1e6, ...joint },
      ],
    };
    return createRobotModel(description, { pose: { ...IDENTITY_POSE, xyz } });
  };

  test.each(refused)('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  test('a joint value beyond 1e6 is out of limits, of a continuous joint too', () => {
    const robot = gantry({ type: 'sphere', radius: 1 }, [0, 0, 0]);
    const joints = robot.joints.map((joint) => ({ ...joint, type: 'continuous' as const }));
    const checker = createStateValidityChecker(createRobotModel({ ...robot, joints }), sceneOf([]) as never);
    expect(checker.isValid([1e6, 0, 0])).toBe(true);
    expect(checker.isValid([1.000001e6, 0, 0])).toBe(false);
    expect(checker.judgeMotion([0, 0, 0], [0, 2e6, 0]).limits).toEqual(['jy']);
  });
});
