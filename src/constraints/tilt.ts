import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { rotate, type Transform } from '../math/transform.ts';
import { atan2, cos, PI } from '../math/trigonometry.ts';
import { cross, dot, norm, type Vec3, create as vec3 } from '../math/vec3.ts';
import { constraintLabel, type TiltConstraint } from '../scene/constraints.ts';
import { EXCESS_TOLERANCE, type FrameConstraint } from './frameConstraint.ts';

/** Creates the function of a tilt constraint: the angle between R a and b, minus its limit, radians. */
export function tilt(given: TiltConstraint, frame: LinkFrame): FrameConstraint {
  const axis = unit(given.axis);
  const b = unit(given.towards);
  const { within } = given;
  const minCosine = cos(within + EXCESS_TOLERANCE);
  const a = vec3();
  const n = vec3();
  const angleAt = (T: Transform) => {
    rotate(a, T, axis);
    cross(n, a, b);
    return atan2(norm(n), dot(a, b));
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
    holdsOver({ T, twist, bounds, half }) {
      if (within >= PI) return true;
      const angle = angleAt(T);
      if (angle + bounds.angularSpeed * half <= within + EXCESS_TOLERANCE) return true;
      // g(t) = a·b >= g(m) − |ġ(m)| h − (α + ω²) h² / 2
      const rate = Math.abs(n[0] * twist[3] + n[1] * twist[4] + n[2] * twist[5]);
      const bend = bounds.angularAcceleration + bounds.angularSpeed * bounds.angularSpeed;
      return dot(a, b) - half * (rate + 0.5 * half * bend) >= minCosine + ROUNDING;
    },
  };
}

/** Bounds the rounding error of a·b, of which that of the rotation of the frame is the largest part. */
const ROUNDING = 1e-14;

function unit(direction: readonly number[]): Vec3 {
  const vector = Float64Array.from(direction);
  const length = norm(vector);
  return vector.map((value) => value / length);
}
