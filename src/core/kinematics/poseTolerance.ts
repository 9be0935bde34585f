import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import { PI, sinCos } from '../math/trigonometry.ts';

/**
 * Maximum angle between two orientations, radians: of the whole rotation, or of each component of the rotation vector
 * from the target to the actual frame, in the axes of the target. An axis with a tolerance of π or more is free.
 */
export type AngleTolerance = number | readonly [number, number, number];

/** Maximum pose error: metres, radians. */
export interface PoseTolerance {
  /** Maximum distance of the position from the target, metres. */
  readonly position: number;
  /** Maximum angle of the rotation from the target to the pose, radians; or of each of its components. */
  readonly angle: AngleTolerance;
}

/** No tolerance. */
export const EXACT_POSE: PoseTolerance = { position: 0, angle: 0 };

/** Returns an upper bound on the angle of the whole rotation, at most π. */
export function largestAngle(angle: AngleTolerance): number {
  if (typeof angle === 'number') return angle;
  const [x, y, z] = angle;
  return Math.min(PI, Math.sqrt(x * x + y * y + z * z));
}

/** Returns true if each component of a rotation vector, in the axes of the target, is within its tolerance. */
export function isWithinAxes(rotation: ArrayLike<number>, angle: readonly [number, number, number]): boolean {
  // components are at most π, up to rounding
  return angle.every((tolerance, i) => tolerance >= PI || Math.abs(rotation[i]) <= tolerance);
}

/** Returns the tolerance times a factor; free axes remain free. */
export function scaledTolerance({ position, angle }: PoseTolerance, factor: number): PoseTolerance {
  const scaled = (one: number) => (one >= PI ? one : factor * one);
  return {
    position: factor * position,
    angle: typeof angle === 'number' ? factor * angle : [scaled(angle[0]), scaled(angle[1]), scaled(angle[2])],
  };
}

/** Bases of the Halton sequence, one per axis. */
const BASES = [2, 3, 5];

/**
 * Computes sample k = 0, 1, 2, … of the target orientations within the tolerance: T_target rotated about its own axes.
 * Sample 0 is the target; the others vary the axes whose tolerance exceeds `wide`, with a Halton sequence.
 */
export function sampledTarget(T_target: Transform, angle: AngleTolerance, k: number, wide: number): Transform {
  if (k === 0 || typeof angle === 'number') return T_target;
  const w = angle.map((tolerance, i) =>
    tolerance > wide ? Math.min(tolerance, PI) * (2 * radicalInverse(k, BASES[i]) - 1) : 0,
  );
  const length = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  if (length === 0) return T_target;
  // a longer vector is another representation of a shorter rotation in the opposite direction
  const turn = Math.min(length, PI);
  sinCos(halfTurn, turn / 2);
  const [s, c] = [halfTurn[0] / length, halfTurn[1]];
  const R = create();
  setRotationFromQuaternion(R, [c, s * w[0], s * w[1], s * w[2]]);
  const T = create();
  compose(T, T_target, R);
  return T;
}

const halfTurn = new Float64Array(2);

/** Van der Corput sequence: the digits of k in the base, mirrored behind the point. */
function radicalInverse(k: number, base: number): number {
  let value = 0;
  let digit = 1 / base;
  for (let rest = k; rest > 0; rest = Math.floor(rest / base)) {
    value += digit * (rest % base);
    digit /= base;
  }
  return value;
}
