import { poseError } from '../kinematics/pose.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { create, rotateBack, type Transform } from '../math/transform.ts';
import { cos, PI, sin } from '../math/trigonometry.ts';
import { type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type OrientationConstraint } from '../scene/constraints.ts';
import { EXCESS_TOLERANCE, type FrameConstraint, type FrameMotion, insideOf, THIN } from './frameConstraint.ts';

/**
 * A component of the rotation vector changes at most this many times as fast as the orientation: (θ/2) / sin(θ/2) for
 * θ <= π.
 */
const MAX_RATE = PI / 2;
/** rad: the bound of second order holds for turns up to this. */
const MAX_TURN = 0.2;
/** Bounds of the second derivative of a component, for turns up to MAX_TURN: by ω², and by α. */
const BEND = 4;
const MAX_RATE_BEYOND = 1.7;
/** rad: bounds rounding errors of the rotation vector and its derivative. */
const ROUNDING = 1e-12;

/**
 * Creates the function of an orientation constraint: the largest excess of a component of the rotation vector from the
 * orientation, in its axes, over its limit, radians.
 */
export function orientation(given: OrientationConstraint, frame: LinkFrame): FrameConstraint {
  const T_wanted = create();
  setRotationFromQuaternion(T_wanted, given.quat_wxyz);
  const error = new Float64Array(6);
  const vector = error.subarray(3, 6);
  const rate = vec3();
  /** Computes the rotation vector; returns the component with the largest excess, −1 if all are free. */
  const worstAt = (T: Transform) => {
    poseError(error, T_wanted, T);
    rotateBack(vector, T_wanted, vector);
    let worst = -1;
    for (let i = 0; i < 3; i++) {
      const excess = Math.abs(vector[i]) - given.within[i];
      if (given.within[i] < PI && (worst < 0 || excess > Math.abs(vector[worst]) - given.within[worst])) worst = i;
    }
    return worst;
  };
  const excessAt = (T: Transform) => {
    const worst = worstAt(T);
    return worst < 0 ? -PI : Math.abs(vector[worst]) - given.within[worst];
  };
  /**
   * With φ the rotation vector and φ = f(w) v of the quaternion (w, v), w >= 0 in the middle, so w >= −0.1 while the
   * turn ω h is at most 0.2, where f <= 3.36, |f′| <= 2.37, f″ <= 4.11 and (θ/2) / sin(θ/2) <= 1.7:
   *   |φᵢ(t)| <= |φᵢ(m)| + |φ̇ᵢ(m)| h + (4 ω² + 1.7 α) h² / 2
   * Where w < 0, |φᵢ| exceeds the component of the shorter rotation, to which the limit applies.
   */
  const staysWithin = ({ twist, bounds: { angularSpeed, angularAcceleration }, half }: FrameMotion) => {
    if (!(angularSpeed * half <= MAX_TURN)) return false;
    for (let i = 0; i < 3; i++) rate[i] = twist[3 + i];
    rotateBack(rate, T_wanted, rate);
    rotationVectorRate(rate, vector, rate);
    const bend = 0.5 * half * half * (BEND * angularSpeed * angularSpeed + MAX_RATE_BEYOND * angularAcceleration);
    for (let i = 0; i < 3; i++) {
      if (!(given.within[i] < PI)) continue;
      const most = Math.abs(vector[i]) + half * Math.abs(rate[i]) + bend;
      if (!(most - given.within[i] <= EXCESS_TOLERANCE - ROUNDING)) return false;
    }
    return true;
  };
  return {
    label: constraintLabel(given),
    frame,
    excess: excessAt,
    gradient(out, T) {
      const worst = worstAt(T);
      out.fill(0);
      if (worst < 0) return;
      const sign = vector[worst] < 0 ? -1 : 1;
      // For small rotations the vector changes by the angular velocity, in the axes of the orientation.
      for (let i = 0; i < 3; i++) out[3 + i] = sign * T_wanted[4 * i + worst];
    },
    inside: insideOf(Math.min(...given.within)),
    thinRows: (out) => writeThinRows(out, T_wanted, given.within),
    holdsOver(motion) {
      const { T, bounds, half } = motion;
      return excessAt(T) + MAX_RATE * bounds.angularSpeed * half <= EXCESS_TOLERANCE || staysWithin(motion);
    },
  };
}

/** Writes the rows of the components that are fixed: the angular velocity about their axes. Returns their number. */
function writeThinRows(out: readonly Float64Array[], T_wanted: Transform, within: readonly number[]): number {
  let count = 0;
  for (let i = 0; i < 3; i++) {
    if (within[i] > THIN) continue;
    out[count].fill(0);
    for (let k = 0; k < 3; k++) out[count][3 + k] = T_wanted[4 * k + i];
    count++;
  }
  return count;
}

/** rad: below this angle the coefficient is a series, whose first term left out is below 1e-14. */
const SMALL = 0.1;

/**
 * Computes the derivative of the rotation vector φ of R = exp(φ) for the angular velocity ω of R in the frame of its
 * base, ‖φ‖ <= π:
 *   φ̇ = ω − φ × ω / 2 + c φ × (φ × ω)      c = (1 − (θ/2) cot(θ/2)) / θ²      θ = ‖φ‖
 * the inverse of the left Jacobian of SO(3). `out` may be `omega`.
 */
export function rotationVectorRate(out: Vec3, phi: Vec3, omega: Vec3): void {
  const square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
  const c = coefficient(square);
  const x = phi[1] * omega[2] - phi[2] * omega[1];
  const y = phi[2] * omega[0] - phi[0] * omega[2];
  const z = phi[0] * omega[1] - phi[1] * omega[0];
  out[0] = omega[0] - 0.5 * x + c * (phi[1] * z - phi[2] * y);
  out[1] = omega[1] - 0.5 * y + c * (phi[2] * x - phi[0] * z);
  out[2] = omega[2] - 0.5 * z + c * (phi[0] * y - phi[1] * x);
}

/** Returns (1 − (θ/2) cot(θ/2)) / θ² for θ². */
function coefficient(square: number): number {
  if (square < SMALL * SMALL) return 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square / 1209600));
  const half = 0.5 * Math.sqrt(square);
  return (1 - (half * cos(half)) / sin(half)) / square;
}
