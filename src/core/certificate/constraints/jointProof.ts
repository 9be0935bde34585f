import { InputError } from '../../../errors.ts';
import { UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { constraintLabel, type JointConstraint } from '../../scene/constraints.ts';
import { POSE_TOLERANCE, type ProvedConstraint } from './provedConstraint.ts';

/** Roundings of a joint value, relative to the sum of its terms. */
const ROUNDING = 64 * UNIT_ROUNDOFF;

/**
 * The position of a joint stays in a range. With τ the time from the middle, it differs by at most a h²/2 from q +
 * τ q̇, which is extreme at an end.
 */
export function joint(given: JointConstraint, robot: RobotModel): ProvedConstraint {
  const index = robot.variables.findIndex(({ name }) => name === given.joint);
  if (index < 0)
    throw new InputError(`constraint "${constraintLabel(given)}": no planned joint is called "${given.joint}"`);
  const [lower, upper] = given.range;
  return {
    label: constraintLabel(given),
    tolerance: POSE_TOLERANCE,
    excess({ piece, rates, half }) {
      const q = rates.position[index];
      const away = half * (Math.abs(rates.velocity[index]) + 0.5 * half * rates.acceleration[index]);
      const bound = Math.min(away, half * rates.speed[index]) + ROUNDING * piece.terms[index];
      const now = Math.max(lower - q, q - upper);
      return { now, upperBound: now + bound };
    },
  };
}
