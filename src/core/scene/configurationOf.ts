import { InputError, ownValue, suggestion } from '../../errors.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import type { JointGoal } from './goals.ts';

/**
 * Returns the configuration that a scene specifies: state name, values by joint, or list. Throws `InputError` that
 * starts with `place`: `start`, `goals[1]`.
 */
export function configurationOf(robot: RobotModel, given: JointGoal, place: string): Configuration {
  const { variables, description } = robot;
  if (typeof given === 'string') {
    const state = ownValue(description.states, given);
    if (state) return byName(robot, state);
    throw new InputError(
      `${place}: "${description.name}" has no state "${given}"`,
      suggestion(given, Object.keys(description.states)) || 'Its SRDF names none; give joint values.',
    );
  }
  if (!Array.isArray(given)) {
    const names = variables.map((joint) => joint.name);
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown === undefined) return byName(robot, given as Readonly<Record<string, number>>);
    throw new InputError(`${place}: no planned joint is called "${unknown}"`, suggestion(unknown, names));
  }
  if (given.length === variables.length) return Float64Array.from(given);
  throw new InputError(
    `${place}: ${given.length} values for ${variables.length} planned joints`,
    `Give one value each for ${variables.map((joint) => joint.name).join(', ')}.`,
  );
}

/**
 * Returns the configuration of a goal: joints that it does not give, as values by joint or by a state, keep those of
 * `start`. Throws as `configurationOf`.
 */
export function goalConfiguration(
  robot: RobotModel,
  given: JointGoal,
  start: Configuration,
  place: string,
): Configuration {
  const goal = configurationOf(robot, given, place);
  const open = openJoints(robot, given);
  return goal.map((value, i) => (open.includes(robot.variables[i].name) ? start[i] : value));
}

/** Returns the planned joints that a goal gives no value for. */
export function openJoints({ variables, description }: RobotModel, given: JointGoal): string[] {
  if (Array.isArray(given)) return [];
  const values = typeof given === 'string' ? (ownValue(description.states, given) ?? {}) : given;
  return variables.flatMap(({ name }) => (Object.hasOwn(values, name) ? [] : [name]));
}

/** Returns the values in the order of q; 0 for joints that are not given. */
const byName = (robot: RobotModel, values: Readonly<Record<string, number>>): Configuration =>
  Float64Array.from(robot.variables, (joint) => ownValue(values, joint.name) ?? 0);
