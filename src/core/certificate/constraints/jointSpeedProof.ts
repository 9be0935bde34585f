import { InputError } from '../../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { constraintLabel, type JointSpeedConstraint } from '../../scene/constraints.ts';
import type { ProvedConstraint } from './provedConstraint.ts';
import { RELATIVE_TOLERANCE } from './speedProof.ts';

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
