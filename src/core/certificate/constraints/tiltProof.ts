import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { atan2, PI } from '../../math/trigonometry.ts';
import { addScaled, cross, dot, norm, normalize, type Vec3, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type TiltConstraint } from '../../scene/constraints.ts';
import { FixedVector } from './fixedVector.ts';
import { POSE_TOLERANCE, type ProvedConstraint } from './provedConstraint.ts';

/**
 * Creates the evaluator of a tilt: the angle of a direction a of the frame from b stays within a limit. With τ the
 * time from the middle, a differs by at most ε = D₂ h²/2 from p(τ) = a + τ ȧ, and ‖p‖ >= 1: its angle differs by at
 * most asin ε <= (π/2) ε. On the great circle of p, the angle from b is largest at an end, or where p is nearest to −b.
 */
export function tilt(given: TiltConstraint, robot: RobotModel, frame: LinkFrame): ProvedConstraint {
  const axis = unit(given.axis);
  const b = unit(given.towards);
  const a = new FixedVector(robot, frame, axis);
  const p = vec3();
  const n = vec3();
  const angleAt = (time: number) => {
    addScaled(p, a.value, a.velocity, time);
    cross(n, p, b);
    return atan2(norm(n), dot(p, b));
  };
  return {
    label: constraintLabel(given),
    tolerance: POSE_TOLERANCE,
    excess(moment) {
      a.evaluate(moment);
      const { half } = moment;
      const now = angleAt(0);
      const away = half * a.velocityError + 0.5 * half * half * a.bend + a.valueError;
      const most = Math.max(angleAt(half), angleAt(-half), angleAt(timeFarthest(a, b, half)));
      const bound = away < 1 ? Math.min(PI, most + 0.5 * PI * away) : PI;
      return { now: now - given.within, upperBound: bound - given.within };
    },
  };
}

/** Returns the time within an interval at which a + τ ȧ, ȧ normal to a, is nearest in direction to −b. */
function timeFarthest({ value, velocity }: FixedVector, b: Vec3, half: number): number {
  const time = dot(velocity, b) / (dot(value, b) * dot(velocity, velocity));
  return Number.isFinite(time) ? Math.min(half, Math.max(-half, time)) : 0;
}

function unit(direction: readonly number[]): Vec3 {
  const out = Float64Array.from(direction);
  normalize(out, out);
  return out;
}
