import { InputError, ownValue, suggestion } from '../../errors.ts';
import { turnableVariables } from '../kinematics/fullTurns.ts';
import { poseOfTransform, transformOfPose } from '../kinematics/pose.ts';
import { type RobotModel, unitOf } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { compose, type Transform } from '../math/transform.ts';
import type { StartState } from '../trajectory/leadIn/leadIn.ts';
import type { JointGoal } from './goals.ts';
import { isProgram } from './movingScene.ts';
import type { Goal, PoseGoal, Scene } from './scene.ts';

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
  const turnable = turnableVariables(robot).map((turns, j) => turns && isContinuous[j]);
  return { q: configurationOf(robot, start, 'start'), isContinuous, turnable, units: robot.variables.map(unitOf) };
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
export function requireEnds(scene: Scene, place = scene.name): JointGoal {
  const { start, goals } = scene;
  if (start === undefined)
    throw new InputError(`${place}: start is missing`, 'Add "start" to the scene, or give --start.');
  if (goals.length === 0 && !isProgram(scene))
    throw new InputError(`${place}: goal is missing`, 'Add "goal" or "steps" to the scene, or give --goal.');
  return start;
}

/** Objects that the pose of a goal may be relative to. */
type Objects = Pick<Scene, 'obstacles' | 'attached'>;

/**
 * Returns the pose of a goal in the world. Throws `InputError` if the obstacle that it is relative to does not exist or
 * is attached to the robot.
 */
export function goalPoseOf(goal: PoseGoal, objects: Objects): Transform {
  const T_world_goal = transformOfPose(goal);
  if (goal.relativeTo === undefined) return T_world_goal;
  const obstacle = objects.obstacles.find(({ name }) => name === goal.relativeTo);
  if (obstacle === undefined) {
    const { what, note } = relativeFault(goal.relativeTo, namesOf(objects.obstacles), namesOf(objects.attached));
    throw new InputError(`relative_to: ${what}`, note);
  }
  if (obstacle.motion !== undefined)
    throw new InputError(
      `relative_to: the obstacle ${JSON.stringify(obstacle.name)} moves`,
      'Give the pose in the world.',
    );
  compose(T_world_goal, transformOfPose(obstacle.pose), T_world_goal);
  return T_world_goal;
}

/** Returns the goals of a scene with every pose in the world. Throws as `goalPoseOf`. */
export function worldGoals(scene: Pick<Scene, 'goals' | 'obstacles' | 'attached'>): Goal[] {
  return scene.goals.map((goal) => {
    if (goal.kind === 'joints' || goal.pose.relativeTo === undefined) return goal;
    const { relativeTo, ...rest } = goal.pose;
    return { kind: 'pose', pose: { ...rest, ...poseOfTransform(goalPoseOf(goal.pose, scene)) } };
  });
}

/** Describes why a pose cannot be relative to an object that is no obstacle. */
export function relativeFault(
  name: string,
  obstacles: readonly string[],
  attached: readonly string[],
): { readonly what: string; readonly note: string } {
  if (attached.includes(name))
    return {
      what: `it is ${JSON.stringify(name)}, which is attached to the robot and moves with it`,
      note: 'Give the pose in the world, or relative to an obstacle.',
    };
  return { what: `it is ${JSON.stringify(name)}, there is no such obstacle`, note: suggestion(name, obstacles) };
}

const namesOf = (objects: readonly { readonly name: string }[]) => objects.map(({ name }) => name);
