import { InputError } from '../../errors.ts';
import type { Pose, RobotDescription } from '../kinematics/robotModel.ts';
import { hasUnknownEvents, isJointMove, sceneCall, type Trajectory } from '../trajectory/trajectory.ts';
import type { RobotReference } from './statedRobot.ts';

/**
 * Motion of an obstacle over the time of a trajectory: positions are interpolated linearly, orientations spherically
 * (slerp). The obstacle rests before the first and after the last time.
 */
export interface ObstacleMotion {
  /** Seconds, increasing, at least one. */
  readonly times: readonly number[];
  /** Pose in the world at each time; consecutive orientations are less than half a turn apart. */
  readonly poses: readonly Pose[];
}

/** Error of the motion of an obstacle, and its place. */
export interface ObstacleMotionFault {
  /** Place within the motion. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with the value. */
  readonly what: string;
  /** How to change it; may be empty. */
  readonly note: string;
}

/** Consecutive orientations with a smaller |cos(angle / 2)|: the direction of the turn would be decided by rounding. */
const HALF_TURN = 1e-6;

/**
 * Returns the error of the motion of an obstacle: times that do not increase, another number of poses, or
 * orientations that are half a turn apart, between which two turns are equally short. Undefined if there is none.
 */
export function obstacleMotionFault({ times, poses }: ObstacleMotion): ObstacleMotionFault | undefined {
  if (times.length !== poses.length || times.length === 0)
    return {
      path: ['poses'],
      what: `it has ${poses.length} poses and ${times.length} times`,
      note: 'Give one pose per time.',
    };
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i]))
      return { path: ['times', i], what: `it is ${times[i]}`, note: 'Times are in seconds.' };
    if (i === 0) continue;
    if (!(times[i] > times[i - 1]))
      return {
        path: ['times', i],
        what: `it is ${times[i]}, which does not come after ${times[i - 1]}`,
        note: 'Times increase; to move from one pose to another at once is impossible.',
      };
    const [p, q] = [poses[i - 1].quat_wxyz, poses[i].quat_wxyz];
    if (Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]) < HALF_TURN)
      return {
        path: ['poses', i],
        what: 'its orientation is half a turn from the one before, so that the direction of the turn is ambiguous',
        note: 'Add a pose between the two.',
      };
  }
  return undefined;
}

/**
 * Returns what is wrong with the trajectory of another robot: no times, times before 0 or not increasing, values that
 * are not finite, or events that change what it carries, or that are not known. Undefined if there is none.
 */
export function otherTrajectoryFault(trajectory: Trajectory): string | undefined {
  const { points, events = [] } = trajectory;
  if (points.length === 0) return 'it has no points';
  const carries = events.find(({ attach, detach }) => attach !== undefined || detach !== undefined);
  if (carries !== undefined || sceneCall(trajectory) !== undefined)
    return 'it attaches or detaches objects, which is not supported for other robots';
  if (events.some(isJointMove)) return 'it moves joints that are not planned, which is not supported for other robots';
  if (hasUnknownEvents(trajectory)) return 'its points belong to the steps of a program, whose events are not known';
  for (const [i, { time_from_start: time, positions, velocities = [], accelerations = [] }] of points.entries()) {
    if (time === undefined) return `points[${i}] has no time`;
    if (![time, ...positions, ...velocities, ...accelerations].every(Number.isFinite))
      return `points[${i}] has a value that is not finite`;
    if (time < 0) return `the time ${time} of points[${i}] is before 0`;
    if (i > 0 && !(time > points[i - 1].time_from_start!))
      return `the time ${time} of points[${i}] does not come after ${points[i - 1].time_from_start}`;
  }
  return undefined;
}

/** Returns the time from which on the pose of an obstacle no longer changes, seconds. */
export function restTimeOf({ times, poses }: ObstacleMotion): number {
  let k = times.length - 1;
  while (k > 0 && isSamePose(poses[k - 1], poses[k])) k--;
  return times[k];
}

const isSamePose = (a: Pose, b: Pose) =>
  a.xyz.every((x, i) => x === b.xyz[i]) && a.quat_wxyz.every((x, i) => x === b.quat_wxyz[i]);

/** Another robot of a scene: its links are named `NAME/LINK`, and only pairs with the planned robot are checked. */
export interface OtherRobot {
  /** Name of the robot in the scene. */
  readonly name: string;
  /** The robot, as the file states it, with its pose in the world. */
  readonly robot: RobotReference;
  /** The loaded robot. */
  readonly description: RobotDescription;
  /** The state that it stays in, one value per planned joint of its own; undefined: it follows a trajectory. */
  readonly q?: readonly number[];
  /** The timed trajectory that it follows; before and after it, the robot rests. */
  readonly trajectory?: Trajectory;
  /** Time of the scene at which its trajectory starts, seconds. */
  readonly startTime: number;
  /** Place in its file, as a prefix of messages: `cell.yaml:7: robots[0]`. */
  readonly place?: string;
}

/** Returns the names of the links of another robot in the scene: `NAME/LINK`. */
export const otherLinkNames = (name: string, { links }: RobotDescription): string[] =>
  links.map((link) => `${name}/${link.name}`);

/** The parts of a scene that may move by themselves: obstacles and other robots. */
export interface MovingScene {
  /** Obstacles, some of which may have a motion. */
  readonly obstacles: readonly { readonly name: string; readonly motion?: ObstacleMotion }[];
  /** Other robots. */
  readonly robots?: readonly OtherRobot[];
}

/** Returns true if a scene has moving obstacles or other robots, even if these never move. */
export function hasMoving({ obstacles, robots = [] }: MovingScene): boolean {
  return robots.length > 0 || obstacles.some(({ motion }) => motion !== undefined);
}

/**
 * Throws `InputError` if a scene has moving obstacles or other robots: functions for scenes at rest would ignore them.
 * @param place prefix of the message
 */
export function requireStill(scene: MovingScene, place = 'scene'): void {
  const { obstacles, robots = [] } = scene;
  const moving = obstacles.find(({ motion }) => motion !== undefined);
  if (moving === undefined && robots.length === 0) return;
  const what =
    moving !== undefined
      ? `obstacle ${JSON.stringify(moving.name)} has a motion`
      : `it has the robot ${JSON.stringify(robots[0].name)} beside its own`;
  throw new InputError(`${place}: ${what}, which is not supported here`, SUPPORT);
}

const SUPPORT =
  'Moving obstacles and other robots are supported by: plan, validate (states), check, repair, verify, recertify, ' +
  'experiment, view, report, serve; other robots by coordinate, too.';

/** What a motion in a scene is: a program of steps, a motion among moving objects, or one in a still scene. */
export type SceneKind = 'program' | 'moving' | 'still';

/** Returns true if a scene is a program: it has steps. */
export const isProgram = <S extends { readonly steps?: unknown }>(
  scene: S,
): scene is S & { readonly steps: NonNullable<S['steps']> } => scene.steps !== undefined;

/** Returns the kind of a scene; in a program, obstacles and other robots may move, too. */
export const kindOf = (scene: MovingScene & { readonly steps?: unknown }): SceneKind =>
  isProgram(scene) ? 'program' : hasMoving(scene) ? 'moving' : 'still';
