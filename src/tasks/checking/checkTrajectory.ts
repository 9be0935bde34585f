import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import type { MotionProver } from '../../core/collision/motions/motionProver.ts';
import type { PathProofs } from '../../core/collision/proofs/pathProofs.ts';
import { ProverPool, proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { isStopConstraint } from '../../core/scene/constraints.ts';
import { requireSingleMotion } from '../../core/scene/program.ts';
import type { CheckedScene, MotionScene } from '../../core/scene/scene.ts';
import { beginningOf, withLeadIn } from '../../core/trajectory/leadIn/leadIn.ts';
import { durationOf, inJointOrder, requireNoSceneEvents, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { InputError } from '../../errors.ts';
import type { StopWorld } from '../forces/stopContacts.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import { createTorqueCheck } from '../forces/torqueCheck.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { type CheckResult, type MotionFaults, withLeadInResult, withStartFault } from './checkResult.ts';
import { createStartedConstraintCheck } from './constraintFaults.ts';
import { type ContactStage, firstContact, followedContact } from './contactInterval.ts';
import { intervalLimit, proofDefaults } from './proofLimits.ts';
import { createTcpSpeedCheck } from './tcpSpeed.ts';
import { AT_REST, type MovingParts, requireTimes, worldMotions } from './worldMotions.ts';

/**
 * Checks a trajectory. `place`: prefix of error messages, such as the file that it was read from. `proofs`: of edges of
 * its path, which are not proved again.
 * @internal
 */
export type PlanCheck = (trajectory: Trajectory, place?: string, proofs?: PathProofs) => CheckResult;

/** Settings of `createPlanChecker`. */
interface PlanCheckSettings extends Omit<FaultCheckSettings, 'world'> {
  readonly moving?: MovingParts;
  /** Provers of the query, of which one is used. */
  readonly provers?: ProverPool;
  /** Longer motions are split before the proof (see `MotionProver`). */
  readonly pieceLength?: number;
}

/**
 * Creates the trajectory checker of a scene, which uses the caches of the manager. If the scene states a start, the
 * motion from there to a first point after time 0 is checked, too. The checker throws `InputError` if the joints are
 * not the robot's. This function throws `InputError` if the scene is a program, or if the joints of the manager's model
 * are not those of the robot and of `moving`.
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
  const { scene } = manager.model;
  const check = createPlanChecker(robot, manager, interrupt, { moving });
  const faultsOf = createFaultCheck(robot, scene, interrupt, { world: { tree: moving, manager } });
  const start = startStateOf(robot, scene);
  return (given, place) => {
    const trajectory = inJointOrder(given, namesOf(robot), place);
    const beginning = beginningOf(trajectory, start);
    if (start === undefined || beginning === 'at-first-point') return check(trajectory, place);
    if (beginning === 'elsewhere') return withStartFault(check(trajectory, place), trajectory, start);
    const results = withLeadIn(trajectory, start).map((motion) =>
      withLeadInResult(check(motion, place), motion, faultsOf),
    );
    return results.find(({ valid }) => !valid) ?? results[0];
  };
}

const namesOf = ({ variables }: RobotModel) => variables.map(({ name }) => name);

/**
 * As `createTrajectoryChecker`, for motions that begin at their first point, where the robot is at rest; the checker
 * also takes the proofs of a planning query.
 * @internal
 */
export function createPlanChecker(
  robot: RobotModel,
  manager: CollisionManager,
  interrupt: Interrupt = never,
  settings: PlanCheckSettings = {},
): PlanCheck {
  const { moving = AT_REST, provers = new ProverPool(manager.posed), pieceLength, accuracy, constraints } = settings;
  requireSingleMotion(manager.model.scene, 'trajectory');
  requireSameJoints(robot, manager.model, moving);
  const names = namesOf(robot);
  const prover = provers.take(proofDefaults, pieceLength);
  const world = { tree: moving, manager };
  const faultsOf = createFaultCheck(robot, manager.model.scene, interrupt, { accuracy, constraints, world });
  return (given, place, proofs) => {
    requireNoSceneEvents(given, place);
    const trajectory = inJointOrder(given, names, place);
    requireTimes(trajectory, moving, place);
    prover.clearCaches();
    const { faults, ...measured } = faultsOf(trajectory);
    const timeRunsBackwards = faults.some((fault) => fault.kind === 'time');
    const motions = () => worldMotions(new TrajectoryCurve(trajectory), moving);
    const isProved = proofs?.coverage(manager.posed, prover.padding);
    const stages = timeRunsBackwards ? [] : [() => ({ manager, motions: motions(), prover })];
    const proof = proveStages(stages, interrupt, isProved);
    const valid = faults.length === 0 && Object.keys(proof).length === 0;
    return { valid, faults, ...measured, ...proof, duration: durationOf(trajectory) };
  };
}

/** Settings of `createFaultCheck`. */
interface FaultCheckSettings {
  /** Share of the limit to which greatest torques are computed (see `createTorqueCheck`). */
  readonly accuracy?: number | undefined;
  /** The constraints of the scene on states. */
  readonly constraints?: ConstraintSet | undefined;
  /** In which something else may move while the robot stops; default: nothing does. */
  readonly world?: StopWorld;
}

/**
 * Creates the check of limits, jumps, TCP speed, constraints and torques of motions, joints in the order of the robot.
 * The check takes the time from which rates and torques are checked; default: that of the first point.
 */
export function createFaultCheck(
  robot: RobotModel,
  scene: MotionScene & Pick<CheckedScene, 'attached'>,
  interrupt: Interrupt = never,
  { accuracy, constraints, world }: FaultCheckSettings = {},
): (trajectory: Trajectory, curve?: TrajectoryCurve, from?: number) => MotionFaults {
  const limits = motionLimitsOf(robot, scene);
  const tcpSpeedFaults = createTcpSpeedCheck(robot, scene, interrupt);
  const constraintFaults = createStartedConstraintCheck(robot, withoutStops(scene), interrupt, constraints);
  const torqueCheck = createTorqueCheck(robot, scene, interrupt, accuracy);
  const stops = StopLimits.of(robot, scene, interrupt, world);
  return (trajectory, curve, from) => {
    const { faults, ratios } = examineMotion(trajectory, limits, curve);
    if (faults.some(({ kind }) => kind === 'time')) return { faults, ratios };
    const others = [...faults, ...tcpSpeedFaults(trajectory), ...constraintFaults(trajectory, from)];
    const torques = torqueCheck?.(trajectory, from);
    // Stops are those of a motion within its limits.
    const isKept = faults.length === 0 && !torques?.faults.length;
    const stopping = isKept ? stops?.check(trajectory) : undefined;
    return {
      faults: [...others, ...(torques?.faults ?? []), ...(stopping?.faults ?? [])],
      ratios: torques ? { ...ratios, torque: torques.ratio } : ratios,
      ...((torques || stopping) && { margins: { ...torques?.margins, ...stopping?.margins } }),
    };
  };
}

/** Returns a scene without limits of stops, which `StopLimits` checks. */
function withoutStops<S extends MotionScene>(scene: S): S {
  const { constraints = [] } = scene;
  if (!constraints.some(isStopConstraint)) return scene;
  return { ...scene, constraints: constraints.filter((one) => !isStopConstraint(one)) };
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

/** Motions in one world, and their prover. */
export interface ProofStage extends ContactStage {
  /** Undefined: only the state at the beginning is checked. */
  readonly prover: MotionProver | undefined;
  /** Joint values at the beginning, if an event there may have put them in collision. */
  readonly entry?: Float64Array;
}

/**
 * Proves motions collision-free over continuous time, stage by stage; returns the first pair in collision or
 * unresolved, or where the proof was interrupted. Empty if and only if every stage is proved, here or before.
 * @param stages create the stages in the order of time; a stage that was created for a contact is created again
 * @param isProved returns true for a motion that is proved already
 */
export function proveStages(
  stages: readonly (() => ProofStage)[],
  interrupt: Interrupt,
  isProved?: (motion: Motion) => boolean,
): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
  for (const [i, create] of stages.entries()) {
    const stage = create();
    const { manager, motions, prover, entry } = stage;
    const later = stages.slice(i + 1);
    if (entry !== undefined) {
      const { start } = motions[0];
      if (interrupt()) return { interrupted: { time: start } };
      const pair = manager.firstCollision(entry);
      if (pair) return { collision: followedContact(pair, start, [stage, ...later]) };
    }
    if (prover === undefined) continue;
    const isExhausted = intervalLimit(prover, motions.length);
    for (const [k, motion] of motions.entries()) {
      if (isProved?.(motion)) continue;
      if (isExhausted())
        return { unresolved: { pair: manager.model.namesOf(manager.model.pairCount - 1), time: motion.start } };
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict === undefined) return { interrupted: { time: motion.start } };
      if (verdict === 'collision') return { collision: firstContact(prover, k, [stage, ...later], interrupt) };
      return { unresolved: { pair: manager.model.namesOf(prover.pair), time: prover.time } };
    }
  }
  return {};
}
