import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { rotate, type Transform } from '../math/transform.ts';
import { atan2, cos, PI, sin } from '../math/trigonometry.ts';
import { cross, dot, norm, type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type TiltConstraint } from '../scene/constraints.ts';
import { DirectionBounds } from './directionBounds.ts';
import { EXCESS_TOLERANCE, type FrameConstraint } from './frameConstraint.ts';

/** Creates the function of a tilt constraint: the angle between R a and b, minus its limit, radians. */
export function tilt(given: TiltConstraint, robot: RobotModel, frame: LinkFrame): FrameConstraint {
  const axis = unit(given.axis);
  const b = unit(given.towards);
  const { within } = given;
  const minCosine = cos(within + EXCESS_TOLERANCE);
  const a = vec3();
  const n = vec3();
  const change = vec3();
  const rates = new DirectionBounds(robot, frame);
  const maxSine = sin(within + EXCESS_TOLERANCE) - ROUNDING;
  const angleAt = (T: Transform) => {
    rotate(a, T, axis);
    cross(n, a, b);
    return atan2(norm(n), dot(a, b));
  };
  /** Returns the larger sine of the angle at both ends of the interval, if a moved straight on. */
  const farthest = (twist: Float64Array, half: number) => {
    // ȧ = ω × a, and its component normal to b is as long as ȧ × b
    cross(change, twist.subarray(3, 6), a);
    cross(change, change, b);
    let most = 0;
    for (const sign of [half, -half]) {
      const [x, y, z] = [n[0] + sign * change[0], n[1] + sign * change[1], n[2] + sign * change[2]];
      most = Math.max(most, x * x + y * y + z * z);
    }
    return Math.sqrt(most);
  };
  return {
    label: constraintLabel(given),
    frame,
    excess: (T) => angleAt(T) - within,
    gradient(out, T) {
      angleAt(T);
      const sine = norm(n);
      out.fill(0);
      // d(a·b)/dt = ω·(a × b) and a·b = cos θ, so dθ/dt = −ω·(a × b) / sin θ
      for (let i = 0; i < 3; i++) out[3 + i] = sine > 0 ? -n[i] / sine : 0;
    },
    holdsOver({ T, twist, half, joints }) {
      if (within >= PI) return true;
      const angle = angleAt(T);
      rates.compute(a, joints);
      if (angle + rates.speed * half <= within + EXCESS_TOLERANCE - ROUNDING) return true;
      const bend = 0.5 * half * half * rates.acceleration;
      if (within < MAX_NARROW) return dot(a, b) > rates.speed * half && farthest(twist, half) + bend <= maxSine;
      // g(t) = a·b >= g(m) − |ġ(m)| h − D₂ h² / 2
      const rate = Math.abs(n[0] * twist[3] + n[1] * twist[4] + n[2] * twist[5]);
      return dot(a, b) - half * rate - bend >= minCosine + ROUNDING;
    },
  };
}

/**
 * Limits below this are compared by the sine: the component of a normal to b stays within the disc of that radius, which
 * is convex.
 */
const MAX_NARROW = PI / 3;

/** Bounds the rounding error of a·b and a × b, of which that of the rotation of the frame is the largest part. */
const ROUNDING = 1e-14;

function unit(direction: readonly number[]): Vec3 {
  const vector = Float64Array.from(direction);
  const length = norm(vector);
  return vector.map((value) => value / length);
}
