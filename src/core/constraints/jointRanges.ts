import { InputError, suggestion } from '../../errors.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { constraintLabel, type PathConstraint } from '../scene/constraints.ts';

/** A joint range and its index in q. */
export interface JointRange {
  readonly label: string;
  readonly joint: number;
  readonly lower: number;
  readonly upper: number;
}

/** Returns by how much a value is out of a range; at most 0: it is within. */
export const rangeExcess = (value: number, lower: number, upper: number) => Math.max(lower - value, value - upper);

/** Returns the range of a constraint. Throws `InputError` for an unknown joint. */
export function rangeOf(robot: RobotModel, given: Extract<PathConstraint, { type: 'joint' }>): JointRange {
  const names = robot.variables.map((joint) => joint.name);
  const joint = names.indexOf(given.joint);
  if (joint < 0)
    throw new InputError(
      `constraint "${constraintLabel(given)}": no planned joint is called "${given.joint}"`,
      suggestion(given.joint, names),
    );
  return { label: constraintLabel(given), joint, lower: given.range[0], upper: given.range[1] };
}
