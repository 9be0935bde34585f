import { type Quaternion, setRotationFromQuaternion } from '../../src/core/math/quaternion.ts';
import type { Random } from '../../src/core/math/random.ts';
import { compose, create, rotate, type Transform } from '../../src/core/math/transform.ts';
import { sinCos } from '../../src/core/math/trigonometry.ts';
import { createDistanceSolver } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import type { BenchBody } from './bodies.ts';
import { randomDirection } from './randomDirection.ts';

/**
 * Two shapes, and poses of the first in the frame of the second, each displaced by about 1 % of the size from the
 * previous one.
 */
export interface BenchPair {
  readonly a: BenchBody;
  readonly b: BenchBody;
  readonly poses: readonly Transform[];
}

/** Distance classes: gaps relative to the mean outer radius; negative gaps are overlaps. */
export const distanceClasses = {
  distant: [0.5, 1],
  close: [0.01, 0.1],
  touching: [-1e-8, 1e-8],
  overlapping: [-0.3, -0.05],
} as const satisfies Record<string, readonly [number, number]>;
export type DistanceClass = keyof typeof distanceClasses;

/** Number of poses of a pair: one measured query each, all at the same gap. */
export const POSES = 8;

/** Returns random pairs from a list of shapes at random orientations, with gaps of the class. */
export function classedPairs(
  random: Random,
  bodies: readonly BenchBody[],
  count: number,
  kind: DistanceClass,
): BenchPair[] {
  const [min, max] = distanceClasses[kind];
  return Array.from({ length: count }, () => {
    const a = bodies[random.below(bodies.length)];
    const b = bodies[random.below(bodies.length)];
    return pairAtGap(random, a, b, (random.between(min, max) * (a.shape.outerRadius + b.shape.outerRadius)) / 2);
  });
}

/**
 * Returns pairs of random shapes from a list, each along a sequence of poses. Their gaps are -0.1 to 0.5 of the
 * sum of the outer radii.
 */
export function growthPairs(random: Random, shapes: readonly BenchBody[], count: number): BenchPair[] {
  return Array.from({ length: count }, () => {
    const a = shapes[random.below(shapes.length)];
    const b = shapes[random.below(shapes.length)];
    return pairAtGap(random, a, b, random.between(-0.1, 0.5) * (a.shape.outerRadius + b.shape.outerRadius));
  });
}

/** Returns a pair whose gap is `gap` metres in each pose; negative: overlap along the normal of contact. */
export function pairAtGap(random: Random, a: BenchBody, b: BenchBody, gap: number): BenchPair {
  const T_b_a = randomPose(random, 1.5 * (a.shape.outerRadius + b.shape.outerRadius));
  const step = smallMotion(random, 0.01, 0.01 * a.shape.outerRadius);
  const poses = Array.from({ length: POSES }, () => {
    compose(T_b_a, T_b_a, step);
    return atGap(a, T_b_a, b, gap);
  });
  return { a, b, poses };
}

const solver = createDistanceSolver();
const separation = new Separation();

/** Translates T_b_a along the common normal of two separated shapes until the gap is `gap`. */
export function atGap(a: BenchBody, T_b_a: Transform, b: BenchBody, gap: number): Transform {
  const T = Float64Array.from(T_b_a);
  solver.distance(separation, a.shape, T, b.shape, Number.POSITIVE_INFINITY, new PairCache());
  const { normal, distance } = separation;
  for (let i = 0; i < 3; i++) T[4 * i + 3] += normal[i] * (distance.upper - gap);
  return T;
}

/**
 * Returns pairs with one pose each, centers `nearest` to `farthest` metres apart: a mixture of all classes, as in
 * planning.
 */
export function mixedPairs(
  random: Random,
  bodies: readonly BenchBody[],
  count: number,
  nearest: number,
  farthest: number,
): BenchPair[] {
  return Array.from({ length: count }, () => ({
    a: bodies[random.below(bodies.length)],
    b: bodies[random.below(bodies.length)],
    poses: [randomPose(random, random.between(nearest, farthest))],
  }));
}

/** Returns a random orientation, the origin at a given distance in a random direction. */
export function randomPose(random: Random, distance: number): Transform {
  const T = create();
  setRotationFromQuaternion(T, randomQuaternion(random));
  const d = randomDirection(random);
  for (let k = 0; k < 3; k++) T[4 * k + 3] = distance * d[k];
  return T;
}

/** Returns a rotation by `angle` about a random axis, and a translation of `length`. */
export function smallMotion(random: Random, angle: number, length: number): Transform {
  const T = create();
  const [x, y, z] = randomDirection(random);
  const half = new Float64Array(2);
  sinCos(half, angle / 2);
  const [sin, cos] = half;
  setRotationFromQuaternion(T, [cos, sin * x, sin * y, sin * z]);
  const d = randomDirection(random);
  rotate(d, T, d);
  for (let k = 0; k < 3; k++) T[4 * k + 3] = length * d[k];
  return T;
}

export function randomQuaternion(random: Random): Quaternion {
  for (;;) {
    const q: Quaternion = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (squared > 0.01 && squared <= 1) return q;
  }
}
