import { quaternionOf, setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import { atan2, PI, sinCos } from '../math/trigonometry.ts';
import type { Pose } from './robotModel.ts';

/** Converts a pose to a transform. */
export function transformOfPose({ xyz, quat_wxyz }: Pose): Transform {
  const T = create();
  setRotationFromQuaternion(T, quat_wxyz);
  T[3] = xyz[0];
  T[7] = xyz[1];
  T[11] = xyz[2];
  return T;
}

/** Converts a transform to a pose; the quaternion has unit length and w >= 0. */
export function poseOfTransform(T: Transform): Pose {
  return { xyz: [T[3], T[7], T[11]], quat_wxyz: quaternionOf(T) };
}

/** Below this cosine the axis is computed from the symmetric part of the rotation, because the sine is too small. */
const NEARLY_HALF_TURN = -0.9;

const entries = new Float64Array(9);

/**
 * Computes the difference from T to T_target in the world frame. out[0…2]: displacement of the origins, metres;
 * out[3…5]: rotation vector w, radians: the rotation about w by ‖w‖ <= π maps the orientation of T to that of T_target
 * (at ‖w‖ = π either sign).
 */
export function poseError(out: Float64Array, T: Transform, T_target: Transform): void {
  out[0] = T_target[3] - T[3];
  out[1] = T_target[7] - T[7];
  out[2] = T_target[11] - T[11];
  // E = R_target Rᵀ
  const E = entries;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      E[3 * i + j] =
        T_target[4 * i] * T[4 * j] + T_target[4 * i + 1] * T[4 * j + 1] + T_target[4 * i + 2] * T[4 * j + 2];
  const e00 = E[0],
    e01 = E[1],
    e02 = E[2];
  const e10 = E[3],
    e11 = E[4],
    e12 = E[5];
  const e20 = E[6],
    e21 = E[7],
    e22 = E[8];
  // (E − Eᵀ) / 2 = sin θ [a]×,  tr E = 1 + 2 cos θ
  const x = (e21 - e12) / 2;
  const y = (e02 - e20) / 2;
  const z = (e10 - e01) / 2;
  const sine = Math.sqrt(x * x + y * y + z * z);
  const cosine = (e00 + e11 + e22 - 1) / 2;
  const angle = atan2(sine, cosine);
  if (cosine > NEARLY_HALF_TURN) {
    const factor = sine > 0 ? angle / sine : 1;
    out[3] = factor * x;
    out[4] = factor * y;
    out[5] = factor * z;
    return;
  }
  // (E + Eᵀ) / 2 − cos θ I = (1 − cos θ) a aᵀ: its column with the largest diagonal, with the sign of the sine
  const [dx, dy, dz] = [e00 - cosine, e11 - cosine, e22 - cosine];
  const [sxy, sxz, syz] = [(e01 + e10) / 2, (e02 + e20) / 2, (e12 + e21) / 2];
  const most = Math.max(dx, dy, dz);
  const [ax, ay, az] = most === dx ? [dx, sxy, sxz] : most === dy ? [sxy, dy, syz] : [sxz, syz, dz];
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  const factor = (ax * x + ay * y + az * z < 0 ? -angle : angle) / length;
  out[3] = factor * ax;
  out[4] = factor * ay;
  out[5] = factor * az;
}

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
