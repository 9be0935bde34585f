import { InputError } from '../../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { addScaled, norm, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type JointSpeedConstraint, type SpeedConstraint } from '../../scene/constraints.ts';
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

/** The speed of a joint is at most a limit: its bound over the interval, or |q̇| + a h if that is less. */
export function jointSpeed(given: JointSpeedConstraint, robot: RobotModel): ProvedConstraint {
  const index = robot.variables.findIndex(({ name }) => name === given.joint);
  if (index < 0)
    throw new InputError(`constraint "${constraintLabel(given)}": no planned joint is called "${given.joint}"`);
  return {
    label: constraintLabel(given),
    tolerance: given.most * RELATIVE_TOLERANCE,
    excess({ rates, half }) {
      const now = Math.abs(rates.velocity[index]);
      const bound = Math.min(rates.speed[index], now + half * rates.acceleration[index]);
      return { now: now - given.most, upperBound: bound - given.most };
    },
  };
}
