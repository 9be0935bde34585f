import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { addScaled, norm, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type SpeedConstraint } from '../../scene/constraints.ts';
import { FixedVector } from './fixedVector.ts';
import type { ProvedConstraint } from './provedConstraint.ts';

/** Relative: speeds above a limit by less count as rounding errors. */
export const RELATIVE_TOLERANCE = 1e-6;

/**
 * The origin of the frame is not faster than a limit. With τ the time from the middle, its velocity differs by at most
 * D₃ h²/2 from v + τ a, the magnitude of which is largest at an end.
 */
export function speed(given: SpeedConstraint, robot: RobotModel, frame: LinkFrame): ProvedConstraint {
  const origin = new FixedVector(robot, frame);
  const sum = vec3();
  const speedAt = (time: number) => {
    addScaled(sum, origin.velocity, origin.acceleration, time);
    return norm(sum);
  };
  return {
    label: constraintLabel(given),
    tolerance: given.most * RELATIVE_TOLERANCE,
    excess(moment) {
      origin.evaluate(moment);
      const { half } = moment;
      const away = half * (origin.accelerationError + 0.5 * half * origin.jerk) + origin.velocityError;
      const bound = Math.min(Math.max(speedAt(half), speedAt(-half)) + away, origin.speed + origin.velocityError);
      return { now: speedAt(0) - given.most, upperBound: bound - given.most };
    },
  };
}
