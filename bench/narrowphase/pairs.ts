import { type Quaternion, setRotationFromQuaternion } from '../../src/math/quaternion.ts';
import type { Random } from '../../src/math/random.ts';
import { compose, create, rotate, type Transform } from '../../src/math/transform.ts';
import { sinCos } from '../../src/math/trigonometry.ts';
import { createDistanceSolver } from '../../src/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/narrowphase/solver.ts';
import type { BenchBody } from './bodies.ts';
import { randomDirection } from './randomDirection.ts';

/** Two bodies, and poses of the first seen from the second, each about 1 % of the size from the last. */
export interface BenchPair {
  readonly a: BenchBody;
  readonly b: BenchBody;
  readonly poses: readonly Transform[];
}

/** How far apart the bodies of a pair are: gaps relative to the mean outer radius, below zero they overlap. */
export const distanceClasses = {
  distant: [0.5, 1],
  close: [0.01, 0.1],
  touching: [-1e-8, 1e-8],
  overlapping: [-0.3, -0.05],
} as const satisfies Record<string, readonly [number, number]>;
export type DistanceClass = keyof typeof distanceClasses;

/** Poses of a pair: one measured query each, all at the same gap. */
export const POSES = 8;

/** Pairs drawn from a list of bodies, turned at random, with gaps of the class. */
export function classedPairs(
  random: Random,
  bodies: readonly BenchBody[],
  count: number,
  kind: DistanceClass,
): BenchPair[] {
  const [least, most] = distanceClasses[kind];
  return Array.from({ length: count }, () => {
    const a = bodies[random.below(bodies.length)];
    const b = bodies[random.below(bodies.length)];
    return pairAtGap(random, a, b, (random.between(least, most) * (a.shape.outerRadius + b.shape.outerRadius)) / 2);
  });
}

/** A pair whose bodies are `gap` metres apart in each of its poses; below zero they overlap by that much along the normal they met with. */
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

/** T_b_a moved along the common normal of two bodies that are apart, until the gap is as wide as asked. */
export function atGap(a: BenchBody, T_b_a: Transform, b: BenchBody, gap: number): Transform {
  const T = Float64Array.from(T_b_a);
  solver.distance(separation, a.shape, T, b.shape, Number.POSITIVE_INFINITY, new PairCache());
  const { normal, distance } = separation;
  for (let i = 0; i < 3; i++) T[4 * i + 3] += normal[i] * (distance.upper - gap);
  return T;
}

/** Pairs with one pose each, centres `nearest` to `farthest` metres apart: what planning sees, a mixture of all classes. */
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

/** Turned at random, the origin at a distance in a random direction. */
export function randomPose(random: Random, distance: number): Transform {
  const T = create();
  setRotationFromQuaternion(T, randomQuaternion(random));
  const d = randomDirection(random);
  for (let k = 0; k < 3; k++) T[4 * k + 3] = distance * d[k];
  return T;
}

/** A turn by `angle` about a random axis, and a step of `length`. */
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
