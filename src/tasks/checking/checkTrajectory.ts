import type { CollisionManager } from '../../collision/collisionManager.ts';
import type { CollisionModel } from '../../collision/collisionModel.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { durationOf, type Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import {
  examineMotion,
  type MotionFault,
  type MotionReport,
  type TimeFault,
} from '../../trajectory/trajectoryLimits.ts';
import type { VelocityJump } from '../../trajectory/velocityJumps.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { curveMotions } from './curveMotions.ts';

/** Two bodies that meet, or may meet, and when. */
export interface Encounter {
  readonly pair: readonly [string, string];
  /** Seconds; waypoints for a path. */
  readonly time: number;
}

/** The verdict on a trajectory. */
export interface CheckAnswer {
  /** Every limit is kept at every moment, and every pair that may not touch is proved apart all the time. */
  readonly valid: boolean;
  readonly faults: readonly MotionFault[];
  /** Greatest value ÷ limit of each kind over all joints and the whole course; 0 where nothing is bounded, or where it is no matter of the motion's form. */
  readonly ratios: MotionReport['ratios'];
  /** Found in collision. */
  readonly collision?: Encounter | undefined;
  /** Neither proved free nor found in collision. */
  readonly unresolved?: Encounter | undefined;
  /** Seconds; undefined for a path. */
  readonly duration: number | undefined;
}

/**
 * Finer than a planner asks: a motion that misses an obstacle by a hair shall pass, and one that grazes it by a micrometre be found out.
 * `resolution` in joint space (rad, m); what is open on stretches as short as that is unresolved.
 */
export const proofDefaults = { resolution: 1e-6, intervals: 200_000 };

/** Returns the judge of trajectories of a scene; the manager lends its caches. Throws InputError for joints that are not the robot's. */
export function createTrajectoryChecker(
  robot: RobotModel,
  manager: CollisionManager,
): (trajectory: Trajectory, place?: string) => CheckAnswer {
  const limits = motionLimitsOf(robot);
  const names = robot.variables.map((joint) => joint.name);
  const prover = new MotionProver(manager.posed, proofDefaults);
  return (given, place) => {
    const trajectory = inJointOrder(given, names, place);
    prover.forget();
    const { faults, ratios } = examineMotion(trajectory, limits);
    const timeRunsBackwards = faults.some((fault) => fault.kind === 'time');
    const { collision, unresolved } = timeRunsBackwards ? {} : prove(prover, manager.model, trajectory);
    const valid = faults.length === 0 && collision === undefined && unresolved === undefined;
    return { valid, faults, ratios, collision, unresolved, duration: durationOf(trajectory) };
  };
}

/** Piece by piece over continuous time, until something stands against it. */
function prove(
  prover: MotionProver,
  model: CollisionModel,
  trajectory: Trajectory,
): { collision?: Encounter; unresolved?: Encounter } {
  const curve = new TrajectoryCurve(trajectory);
  for (const motion of curveMotions(curve)) {
    const verdict = prover.prove(motion);
    if (verdict === 'certified') continue;
    const encounter = { pair: model.namesOf(prover.pair), time: prover.time };
    return verdict === 'collision' ? { collision: encounter } : { unresolved: encounter };
  }
  return {};
}

/** One line for each thing that is wrong. */
export function describeFaults({
  faults,
  collision,
  unresolved,
  duration,
}: Pick<CheckAnswer, 'faults' | 'collision' | 'unresolved' | 'duration'>): string[] {
  const at = (time: number) => (duration === undefined ? `at waypoint ${round(time)}` : `at ${round(time)} s`);
  const lines = faults.map((fault) => {
    if (fault.kind === 'time') return describeTime(fault);
    if (fault.kind === 'velocity-jump') return describeJump(fault);
    if (fault.kind === 'lead-in')
      return `${fault.joint}: acceleration ${round(fault.value)} at points[0], ${at(fault.time)}: the motion from rest to there depends on the controller; use 0, or begin at time 0`;
    return `${fault.joint}: ${fault.kind} ${round(fault.value)} ${at(fault.time)}, its limit is ${round(fault.limit)}`;
  });
  if (collision) lines.push(`${collision.pair.join(' and ')} collide ${at(collision.time)}`);
  if (unresolved) lines.push(`${unresolved.pair.join(' and ')} cannot be proved apart ${at(unresolved.time)}`);
  return lines;
}

function describeTime({ value, limit }: TimeFault): string {
  const what = `time ${round(value)} s`;
  return value < 0 ? `${what} is before 0: controllers begin at 0` : `${what} does not come after ${round(limit)} s`;
}

/** A jump is an infinite acceleration; at the ends the robot is at rest outside of the motion. */
function describeJump({ joint, before, after, point, place, time }: VelocityJump): string {
  const where = `at points[${point}], ${round(time)} s`;
  if (place === 'start') return `${joint}: not at rest at the start: velocity ${round(after)} ${where}`;
  if (place === 'end') return `${joint}: not at rest at the end: velocity ${round(before)} ${where}`;
  return `${joint}: velocity jumps from ${round(before)} to ${round(after)} ${where}: infinite acceleration`;
}

const round = (value: number) => Number(value.toPrecision(6));
