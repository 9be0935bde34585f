import { InputError, suggestion } from '../../errors.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { constraintLabel, type JointConstraint } from '../scene/constraints.ts';

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
export function rangeOf(robot: RobotModel, given: JointConstraint): JointRange {
  const label = constraintLabel(given);
  const [lower, upper] = given.range;
  return { label, joint: jointIndex(robot, given.joint, label), lower, upper };
}

/** Returns the index of a planned joint. Throws `InputError` if there is none of that name. */
export function jointIndex({ variables }: RobotModel, joint: string, label: string): number {
  const names = variables.map(({ name }) => name);
  const index = names.indexOf(joint);
  if (index >= 0) return index;
  throw new InputError(`constraint "${label}": no planned joint is called "${joint}"`, suggestion(joint, names));
}
