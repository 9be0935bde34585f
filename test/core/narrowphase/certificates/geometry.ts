import type { Transform } from '../../../../src/core/math/transform.ts';
import type { Judge } from './judge.ts';

/** Two judges and the pose of A in the frame of B. */
export interface JudgedPair {
  readonly a: { readonly judge: Judge };
  readonly b: { readonly judge: Judge };
  readonly T_b_a: Transform;
}

/** Returns the gap between the shapes along n, from A to B in the frame of B, metres; negative: overlap. */
export function gapAlong({ a, b, T_b_a: T }: JudgedPair, n: ArrayLike<number>): number {
  const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const [x, y, z] = [n[0] / size, n[1] / size, n[2] / size];
  const local = [T[0] * x + T[4] * y + T[8] * z, T[1] * x + T[5] * y + T[9] * z, T[2] * x + T[6] * y + T[10] * z];
  return -b.judge.reach([-x, -y, -z]) - a.judge.reach(local) - (x * T[3] + y * T[7] + z * T[11]);
}

/** Returns the distance of a point, in the frame of B, from A. */
export function distanceFromA({ a, T_b_a: T }: JudgedPair, p: ArrayLike<number>): number {
  const [x, y, z] = [p[0] - T[3], p[1] - T[7], p[2] - T[11]];
  return a.judge.distanceTo([
    T[0] * x + T[4] * y + T[8] * z,
    T[1] * x + T[5] * y + T[9] * z,
    T[2] * x + T[6] * y + T[10] * z,
  ]);
}

/**
 * Returns n·(cB − cA) / (hA(n) + hB(−n)), support values relative to the centres, which are given in the frames of
 * their shapes.
 */
export function growthAlong(
  pair: JudgedPair,
  n: ArrayLike<number>,
  centerA: ArrayLike<number>,
  centerB: ArrayLike<number>,
): number {
  const { a, b, T_b_a: T } = pair;
  const dot = (p: ArrayLike<number>, q: ArrayLike<number>) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  const local = [0, 1, 2].map((k) => T[k] * n[0] + T[4 + k] * n[1] + T[8 + k] * n[2]);
  const reachA = a.judge.reach(local) - dot(local, centerA);
  const reachB = b.judge.reach([-n[0], -n[1], -n[2]]) + dot(n, centerB);
  const apart = dot(n, centerB) - dot(local, centerA) - (n[0] * T[3] + n[1] * T[7] + n[2] * T[11]);
  return apart / (reachA + reachB);
}

export const between = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
  Math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
