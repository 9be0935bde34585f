import type { CollisionManager } from '../../collision/collisionManager.ts';
import type { CollisionModel } from '../../collision/collisionModel.ts';
import type { MotionProver } from '../../collision/motionProver.ts';
import type { PathProofs } from '../../collision/proofs/pathProofs.ts';
import { ProverPool } from '../../collision/proofs/proverPool.ts';
import { proveUnlessInterrupted } from '../../collision/slicedProof.ts';
import { InputError } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { requireSingleMotion } from '../../scene/program.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { requireNoSceneEvents } from '../../trajectory/sceneEvents.ts';
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
import { type ConstraintFault, createConstraintCheck } from './constraintFaults.ts';
import { createTcpSpeedCheck, type TcpSpeedFault } from './tcpSpeed.ts';
import { AT_REST, type MovingParts, requireTimes, worldMotions } from './worldMotions.ts';

/** A pair that collides, or may collide, and the time. */
export interface TimedContact {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Seconds; waypoints for a path. */
  readonly time: number;
}

/** Result of a trajectory check. */
export interface CheckResult {
  /** True if every limit is kept and every checked pair is proved separated at every instant. */
  readonly valid: boolean;
  /** Violated limits and constraints, times that do not increase, and velocity jumps. */
  readonly faults: readonly (MotionFault | TcpSpeedFault | ConstraintFault)[];
  /**
   * Maximum of value ÷ limit of each kind over all joints and times; 0 if there is no limit, or if it does not apply to
   * the form of the motion.
   */
  readonly ratios: MotionReport['ratios'];
  /** A pair found in collision. */
  readonly collision?: TimedContact | undefined;
  /** A pair neither proved separated nor found in collision. */
  readonly unresolved?: TimedContact | undefined;
  /** Present if a time limit ended the proof: `time` is the beginning of the first piece that is not proved. */
  readonly interrupted?: { readonly time: number } | undefined;
  /** Seconds; undefined for a path. */
  readonly duration: number | undefined;
}

/**
 * Checks a trajectory. `place`: prefix of error messages, such as the file that it was read from. `proofs`: of edges of
 * its path, which are not proved again.
 * @internal
 */
export type PlanCheck = (trajectory: Trajectory, place?: string, proofs?: PathProofs) => CheckResult;

/**
 * Limits of proofs of trajectories, finer than those of planners, so that a motion with a tiny clearance is certified
 * and a penetration of a micrometre is found. `resolution` in joint space (rad, m): an interval of this length that is
 * not proved is unresolved.
 */
export const proofDefaults = { resolution: 1e-6, intervals: 200_000 };

/**
 * Creates the trajectory checker of a scene, which uses the caches of the manager. The checker throws `InputError` if
 * the joints are not the robot's. This function throws `InputError` if the scene is a program, or if the joints of the
 * manager's model are not those of the robot and of `moving`.
 * @param robot the planned robot; the manager may be that of a whole world
 * @param interrupt ends a proof; the trajectory then is not valid
 * @param moving the moving obstacles and other robots of that world: the proof then covers the time until all of them
 *   are at rest, and a trajectory without times is refused
 */
export function createTrajectoryChecker(
  robot: RobotModel,
  manager: CollisionManager,
  interrupt: Interrupt = never,
  moving: MovingParts = AT_REST,
): (trajectory: Trajectory, place?: string) => CheckResult {
  return createPlanChecker(robot, manager, interrupt, moving);
}

/**
 * As `createTrajectoryChecker`; the checker also takes the proofs of a planning query.
 * @param provers kept provers of the query, one of which is taken
 * @internal
 */
export function createPlanChecker(
  robot: RobotModel,
  manager: CollisionManager,
  interrupt: Interrupt = never,
  moving: MovingParts = AT_REST,
  provers = new ProverPool(manager.posed),
): PlanCheck {
  requireSingleMotion(manager.model.scene, 'trajectory');
  requireSameJoints(robot, manager.model, moving);
  const limits = motionLimitsOf(robot, manager.model.scene);
  const names = robot.variables.map((joint) => joint.name);
  const prover = provers.take(proofDefaults);
  const tcpSpeedFaults = createTcpSpeedCheck(robot, manager.model.scene, interrupt);
  const constraintFaults = createConstraintCheck(robot, manager.model.scene);
  return (given, place, proofs) => {
    requireNoSceneEvents(given, place);
    const trajectory = inJointOrder(given, names, place);
    requireTimes(trajectory, moving, place);
    prover.clearCaches();
    const { faults: jointFaults, ratios } = examineMotion(trajectory, limits);
    const timeRunsBackwards = jointFaults.some((fault) => fault.kind === 'time');
    const faults = timeRunsBackwards
      ? jointFaults
      : [...jointFaults, ...tcpSpeedFaults(trajectory), ...constraintFaults(trajectory)];
    const proof = timeRunsBackwards ? {} : prove(prover, manager, trajectory, interrupt, moving, proofs);
    const valid = faults.length === 0 && Object.keys(proof).length === 0;
    return { valid, faults, ratios, ...proof, duration: durationOf(trajectory) };
  };
}

/** Throws `InputError` unless a model has the joints of the planned robot and of the moving parts, and no others. */
function requireSameJoints({ dof }: RobotModel, { robot }: CollisionModel, { sources }: MovingParts): void {
  const known = sources.reduce((sum, { jointNames }) => sum + jointNames.length, dof);
  if (known === robot.dof) return;
  throw new InputError(
    `the collision model has ${robot.dof} joints, the robot and what else moves have ${known}`,
    'Give the world that the model was created for.',
  );
}

/**
 * Proves the motion piece by piece over continuous time; returns the first pair in collision or unresolved, or where
 * the proof was interrupted. Empty if and only if every piece is proved, here or by the proof of its edge.
 */
function prove(
  prover: MotionProver,
  { model, posed }: CollisionManager,
  trajectory: Trajectory,
  interrupt: Interrupt,
  moving: MovingParts,
  proofs: PathProofs | undefined,
): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
  const curve = new TrajectoryCurve(trajectory);
  const isProved = proofs?.coverage(posed, prover.padding);
  for (const motion of worldMotions(curve, moving)) {
    if (isProved?.(motion)) continue;
    const verdict = proveUnlessInterrupted(prover, motion, interrupt);
    if (verdict === 'certified') continue;
    if (verdict === undefined) return { interrupted: { time: motion.start } };
    const contact = { pair: model.namesOf(prover.pair), time: prover.time };
    return verdict === 'collision' ? { collision: contact } : { unresolved: contact };
  }
  return {};
}

/** Describes each difference from the steps of a program, each fault, collision and unresolved pair in one line. */
export function describeFaults({
  stepFaults = [],
  faults,
  collision,
  unresolved,
  interrupted,
  duration,
}: Pick<CheckResult, 'faults' | 'collision' | 'unresolved' | 'interrupted' | 'duration'> & {
  readonly stepFaults?: readonly { readonly what: string }[];
}): string[] {
  const at = (time: number) => (duration === undefined ? `at waypoint ${round(time)}` : `at ${round(time)} s`);
  const motionFaults = faults.map((fault) => {
    if (fault.kind === 'time') return describeTime(fault);
    if (fault.kind === 'velocity-jump') return describeJump(fault);
    if (fault.kind === 'constraint')
      return fault.value > 0
        ? `constraint "${fault.label}" is violated by ${round(fault.value)} ${at(fault.time)}`
        : `constraint "${fault.label}" cannot be proved ${at(fault.time)}`;
    if (fault.kind === 'tcp-speed')
      return `the TCP: speed ${round(fault.value)} m/s ${at(fault.time)}, its limit is ${round(fault.limit)} m/s`;
    if (fault.kind === 'lead-in')
      return (
        `${fault.joint}: acceleration ${round(fault.value)} at points[0], ${at(fault.time)}: the motion from ` +
        'rest to there depends on the controller; use 0, or begin at time 0'
      );
    return `${fault.joint}: ${fault.kind} ${round(fault.value)} ${at(fault.time)}, its limit is ${round(fault.limit)}`;
  });
  const lines = [...stepFaults.map(({ what }) => what), ...motionFaults];
  if (collision) lines.push(`${collision.pair.join(' and ')} collide ${at(collision.time)}`);
  if (interrupted) lines.push(`the time limit ended the proof ${at(interrupted.time)}`);
  if (unresolved) lines.push(`${unresolved.pair.join(' and ')} cannot be proved separated ${at(unresolved.time)}`);
  return lines;
}

function describeTime({ value, limit }: TimeFault): string {
  const what = `time ${round(value)} s`;
  return value < 0 ? `${what} is before 0: controllers begin at 0` : `${what} does not come after ${round(limit)} s`;
}

/**
 * Describes a velocity jump, which is an infinite acceleration; before the start and after the end the robot is at
 * rest.
 */
function describeJump({ joint, before, after, point, place, time }: VelocityJump): string {
  const where = `at points[${point}], ${round(time)} s`;
  if (place === 'start') return `${joint}: not at rest at the start: velocity ${round(after)} ${where}`;
  if (place === 'end') return `${joint}: not at rest at the end: velocity ${round(before)} ${where}`;
  return `${joint}: velocity jumps from ${round(before)} to ${round(after)} ${where}: infinite acceleration`;
}

const round = (value: number) => Number(value.toPrecision(6));
