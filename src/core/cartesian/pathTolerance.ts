import type { Transform } from '../math/transform.ts';
import { atan2 } from '../math/trigonometry.ts';

/** Maximum deviation from a Cartesian path: of the origin in metres, of the orientation in radians. */
export interface PathTolerance {
  readonly position: number;
  readonly angle: number;
  /** True: rotations about the z axis of the tool frame are no deviation. */
  readonly isYawFree?: boolean;
  /** Radians: with a free z axis, tilts of that axis up to this angle are no deviation. */
  readonly tilt?: number;
}

/** Weight of a tilt that is free in the unit of angles. */
const TILT_UNITS = 2;

/**
 * Returns the unit in which angles are compared with positions, radians: a tilt that is free moves the instant, or the
 * fraction of a leg, that fits best by at most a quarter of the tolerance of positions.
 */
export const angleUnit = ({ angle, tilt = 0 }: PathTolerance): number => angle + TILT_UNITS * tilt;

/** Removes the rotation about the z axis of a frame from a twist. */
export function removeSpin(twist: Float64Array, T: Transform): void {
  const spin = twist[3] * T[2] + twist[4] * T[6] + twist[5] * T[10];
  twist[3] -= spin * T[2];
  twist[4] -= spin * T[6];
  twist[5] -= spin * T[10];
}

/** Replaces the rotation of a pose error by the smallest one that maps the z axis of T to that of T_target. */
export function setAxisError(error: Float64Array, T: Transform, T_target: Transform): void {
  const x = T[6] * T_target[10] - T[10] * T_target[6];
  const y = T[10] * T_target[2] - T[2] * T_target[10];
  const z = T[2] * T_target[6] - T[6] * T_target[2];
  const sine = Math.sqrt(x * x + y * y + z * z);
  const cosine = T[2] * T_target[2] + T[6] * T_target[6] + T[10] * T_target[10];
  const angle = atan2(sine, cosine);
  const factor = sine > 0 ? angle / sine : 1;
  error[3] = sine > 0 ? factor * x : angle;
  error[4] = factor * y;
  error[5] = factor * z;
}
