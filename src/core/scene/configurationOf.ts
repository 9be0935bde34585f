import { InputError, ownValue, suggestion } from '../../errors.ts';
import { type RobotModel, unitOf } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import type { StartState } from '../trajectory/leadIn/leadIn.ts';
import type { JointGoal } from './goals.ts';
import type { Scene } from './scene.ts';

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

/**
 * Returns where a scene states that its robot is at time 0; undefined if it does not. Throws `InputError` if the start
 * is not one of the robot.
 */
export function startStateOf(robot: RobotModel, { start }: Pick<Scene, 'start'>): StartState | undefined {
  if (start === undefined) return undefined;
  const isContinuous = robot.variables.map(({ type }) => type === 'continuous');
  return { q: configurationOf(robot, start, 'start'), isContinuous, units: robot.variables.map(unitOf) };
}

/** Returns a scene whose robot is at the first point of every motion: nothing is known of where it is before. */
export function withoutStart<S extends Pick<Scene, 'start'>>({ start: _, ...scene }: S): Omit<S, 'start'> {
  return scene;
}

/** Returns the warning that the motion to the first point cannot be judged; none if the scene has a start. */
export const startWarnings = ({ name, start }: Pick<Scene, 'name' | 'start'>): string[] =>
  start === undefined
    ? [`scene ${JSON.stringify(name)} has no start: the motion of the robot to the first point is not judged`]
    : [];

/**
 * Returns the start of a scene. Throws `InputError` if it is missing, or if the scene has neither goals nor steps.
 * @param place names the scene in messages
 */
export function requireEnds({ start, goals, steps, name }: Scene, place = name): JointGoal {
  if (start === undefined)
    throw new InputError(`${place}: start is missing`, 'Add "start" to the scene, or give --start.');
  if (goals.length === 0 && steps === undefined)
    throw new InputError(`${place}: goal is missing`, 'Add "goal" or "steps" to the scene, or give --goal.');
  return start;
}
