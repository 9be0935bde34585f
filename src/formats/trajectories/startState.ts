import { jointValueProblem } from '../../core/math/magnitudes.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { suggestion } from '../../errors.ts';
import { requireFixedRoot } from '../scenes/moveit/messageRobot.ts';
import { Field } from '../scenes/moveit/messageValues.ts';
import { MessageError } from '../scenes/moveit/rosMessage.ts';
import type { Path } from '../text/sourceText.ts';
import { type GivenRobot, plannedNames } from './trajectoryFormat.ts';

/** A joint of a start state. */
export interface JointStart {
  readonly name: string;
  /** Radians or metres. */
  readonly position: number;
  /** Per second; 0 if it is not stated. */
  readonly velocity: number;
  /** Path of its name in the file. */
  readonly path: Path;
}

/** Radians or metres, and per second: difference between a start state and the values that it must have. */
const TOLERANCE = 1e-6;

/**
 * Reads the joints of the `trajectory_start` of a moveit_msgs/DisplayTrajectory. Throws `MessageError` if it moves the
 * root of the robot or has attached objects.
 */
export function readStartState(given: unknown, path: Path): JointStart[] {
  const state = new Field(given, path).message('robot state');
  const joints = state.at('joint_state').message('joint state');
  requireFixedRoot(state.at('multi_dof_joint_state'));
  const carried = state.at('attached_collision_objects');
  if (carried.list().length > 0)
    throw carried.error(
      'attached objects of a trajectory are not supported',
      'Attach them in the scene, and leave them out here.',
    );
  const positions = jointPositions(joints);
  const stated = joints.at('velocity');
  const velocities = stated.list().length === 0 ? [] : stated.numbers(positions.length);
  return positions.map((joint, i) => ({ ...joint, velocity: velocities[i] ?? 0 }));
}

/** Reads the positions of a sensor_msgs/JointState. Throws `MessageError` if a joint is listed twice. */
export function jointPositions(state: Field): Omit<JointStart, 'velocity'>[] {
  const fields = state.at('name').list();
  const names = fields.map((field) => field.name());
  const positions = state.at('position').or([]).numbers(names.length);
  return fields.map((field, i) => {
    const [name, position] = [names[i], positions[i]];
    if (names.indexOf(name) !== i) throw field.error(`"${name}" is listed twice`, 'List each joint once.');
    const problem = jointValueProblem(position);
    if (problem !== undefined) throw new MessageError([...state.path, 'position', i], `${position} ${problem}`, '');
    return { name, position, path: field.path };
  });
}

/**
 * Returns the trajectory of a robot that begins at a start state. Planned joints that the trajectory does not have keep
 * their start positions. Throws `MessageError` if another joint has not the value of the robot at the first point:
 * that of the trajectory, of the scene, or of the joint that it mimics.
 */
export function withStart(trajectory: Trajectory, start: readonly JointStart[], robot: GivenRobot): Trajectory {
  const planned = plannedNames(robot);
  const added = start.filter(({ name }) => planned.includes(name) && !trajectory.jointNames.includes(name));
  const moving = added.find(({ velocity }) => Math.abs(velocity) > TOLERANCE);
  if (moving !== undefined)
    throw new MessageError(
      moving.path,
      `"${moving.name}" moves at the start, and the trajectory does not contain it`,
      'Its velocity must be 0.',
    );
  const whole = added.length === 0 ? trajectory : withConstantJoints(trajectory, added);
  for (const joint of start) requireStart(joint, whole, robot);
  return whole;
}

/** Appends joints that do not move. */
function withConstantJoints(trajectory: Trajectory, joints: readonly JointStart[]): Trajectory {
  const values = joints.map(({ position }) => position);
  const zeros = joints.map(() => 0);
  return {
    ...trajectory,
    jointNames: [...trajectory.jointNames, ...joints.map(({ name }) => name)],
    points: trajectory.points.map(({ positions, velocities, accelerations, ...point }) => ({
      ...point,
      positions: [...positions, ...values],
      ...(velocities && { velocities: [...velocities, ...zeros] }),
      ...(accelerations && { accelerations: [...accelerations, ...zeros] }),
    })),
  };
}

/** What a joint of the start state must be. */
interface ExpectedStart {
  readonly position: number;
  readonly velocity: number;
  /** Where these values are from. */
  readonly source: string;
  readonly note: string;
}

/** Throws if a joint of the start state differs from the robot at the first point of the trajectory. */
function requireStart(start: JointStart, trajectory: Trajectory, robot: GivenRobot): void {
  const { name, path } = start;
  const expected = expectedStart(start, trajectory, robot);
  if (expected === undefined) return;
  for (const kind of ['position', 'velocity'] as const) {
    if (Math.abs(start[kind] - expected[kind]) <= TOLERANCE) continue;
    const what = `the ${kind} of "${name}" is ${start[kind]} at the start, and ${expected[kind]} ${expected.source}`;
    throw new MessageError(path, what, expected.note);
  }
}

/** Returns undefined for a joint that mimics one that is missing: the trajectory is then refused for that joint. */
function expectedStart(
  { name, position, path }: JointStart,
  { jointNames, points }: Trajectory,
  robot: GivenRobot,
): ExpectedStart | undefined {
  const [first] = points;
  const atFirst = (k: number, multiplier: number, offset: number) => ({
    position: multiplier * first.positions[k] + offset,
    velocity: multiplier * (first.velocities?.[k] ?? 0),
    source: 'at the first point',
    note: 'A trajectory begins at its start state.',
  });
  const own = jointNames.indexOf(name);
  if (own >= 0) return atFirst(own, 1, 0);
  if (!('variables' in robot))
    throw new MessageError(
      path,
      `"${name}" is neither a joint of the trajectory nor planned: its position cannot be compared`,
      'State its position in the scene, and leave it out here.',
    );
  const joint = robot.joints.find((one) => one.name === name);
  if (joint === undefined || joint.type === 'fixed') {
    const movable = robot.joints.flatMap((one) => (one.type === 'fixed' ? [] : [one.name]));
    const what = joint === undefined ? `"${robot.name}" has no joint "${name}"` : `"${name}" is fixed`;
    throw new MessageError(path, what, suggestion(name, movable));
  }
  if (joint.variable < 0) {
    const note = `In the scene: robot: {…, fixed: {${name}: ${position}}}, if it has this position.`;
    return { position: joint.offset, velocity: 0, source: 'in the scene', note };
  }
  const leader = jointNames.indexOf(robot.variables[joint.variable].name);
  return leader < 0 ? undefined : atFirst(leader, joint.multiplier, joint.offset);
}
