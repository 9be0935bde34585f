import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { withFullTurns } from '../../core/kinematics/fullTurns.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { configurationOf, goalConfiguration } from '../../core/scene/configurationOf.ts';
import type { PoseGoal, Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { holdingTorques } from '../forces/holding.ts';
import { constraintsOf } from './constrained/constrainedPlanning.ts';
import { diagnoseConstraints, diagnoseEndpoint, type InvalidEndpoint } from './endpointDiagnosis.ts';
import { configurationsOfPose } from './poseGoal.ts';
import { nearestFirst } from './solveIk.ts';

/** Start and goals of a query: one start, one or more goals, all of them valid. */
export interface StartAndGoals {
  /** Start configuration. */
  readonly start: Configuration;
  /** Goal configurations, at least one. */
  readonly goals: readonly Configuration[];
}

/** Start and goals, or the diagnosis if they are invalid. */
export type ResolvedStartAndGoals = StartAndGoals | InvalidEndpoint;

/**
 * Maximum number of goal configurations including those that differ by full turns, nearest to the start first, and the
 * minimum number for each goal.
 */
const MAX_GOALS = 32;
const MIN_PER_GOAL = 8;

/**
 * Reads start and goals of the scene and checks limits and collisions. Throws `InputError` if they are missing or
 * malformed.
 * @param interrupt ends the search for configurations of goal poses: then undefined if none is found; also makes the
 *   diagnosis of an invalid start or goal less detailed
 * @param atGoal manager of the scene at the arrival, if it differs from that at the start
 */
export function resolveStartAndGoals(robot: RobotModel, scene: Scene, manager: CollisionManager): ResolvedStartAndGoals;
export function resolveStartAndGoals(
  robot: RobotModel,
  scene: Scene,
  manager: CollisionManager,
  interrupt: Interrupt,
  atGoal?: CollisionManager,
): ResolvedStartAndGoals | undefined;
export function resolveStartAndGoals(
  robot: RobotModel,
  scene: Scene,
  manager: CollisionManager,
  interrupt: Interrupt = never,
  atGoal = manager,
): ResolvedStartAndGoals | undefined {
  if (scene.start === undefined)
    throw new InputError(`${scene.name}: start is missing`, 'Add "start" to the scene, or give --start.');
  if (scene.goals.length === 0)
    throw new InputError(`${scene.name}: goal is missing`, 'Add "goal" to the scene, or give --goal.');
  const start = configurationOf(robot, scene.start, `${scene.name}: start`);
  const goals = scene.goals.map((goal, i) => {
    const place = `${scene.name}: ${scene.goals.length === 1 ? 'goal' : `goals[${i}]`}`;
    return goal.kind === 'joints' ? goalConfiguration(robot, goal.joints, start, place) : goal.pose;
  });
  const constraints = constraintsOf(robot, scene);
  const fault =
    diagnoseEndpoint(robot, manager, start, 'start', interrupt) ??
    diagnoseConstraints(robot, manager, constraints, start, 'start', interrupt) ??
    holdingTorques(robot, scene)?.diagnose(start, 'start');
  if (fault) return fault;

  const limit = Math.max(MIN_PER_GOAL, Math.floor(MAX_GOALS / goals.length));
  const holding = holdingTorques(robot, { ...scene, attached: atGoal.model.scene.attached });
  const faults: InvalidEndpoint[] = [];
  const free: Configuration[] = [];
  for (const goal of goals) {
    const found = isPose(goal)
      ? configurationsOfPose(robot, scene, atGoal, start, goal, limit, interrupt, constraints)
      : configurationsOfJoints(robot, atGoal, start, goal, scene.equivalent ? limit : 1, interrupt);
    if (found === undefined) break;
    if ('status' in found) {
      faults.push(found);
      continue;
    }
    const valid = found.filter((q) => constraints?.isSatisfied(q) !== false && !holding?.overload(q));
    const violation =
      valid.length === 0
        ? (diagnoseConstraints(robot, atGoal, constraints, found[0], 'goal', interrupt) ??
          holding?.diagnose(found[0], 'goal'))
        : undefined;
    if (violation) faults.push(violation);
    free.push(...valid);
  }
  if (free.length > 0) return { start, goals: nearestFirst(free, start, (q) => q) };
  return faults.length === goals.length ? combineFaults(faults) : undefined;
}

/** Combines the diagnoses of several goals; the status is that of the first. */
function combineFaults(faults: readonly InvalidEndpoint[]): InvalidEndpoint {
  if (faults.length === 1) return faults[0];
  return {
    status: faults[0].status,
    reason: faults.map((fault, i) => `goals[${i}]: ${fault.reason}`).join('; '),
    details: faults.flatMap((fault, goal) => fault.details.map((detail) => ({ ...detail, goal }))),
  };
}

/**
 * Returns the goal and, if `most` > 1, configurations that differ from it by full turns, the nearest to the start
 * first; or why it is invalid.
 */
function configurationsOfJoints(
  robot: RobotModel,
  manager: CollisionManager,
  start: Configuration,
  goal: Configuration,
  most: number,
  interrupt: Interrupt,
): readonly Configuration[] | InvalidEndpoint {
  const equivalent = most > 1 ? withFullTurns(robot, goal, start, { most, perEndless: 1 }) : [goal];
  const within = equivalent.filter((q) => jointsOutOfLimits(robot, q).length === 0);
  // Full turns do not change link poses, so one collision check is valid for all of them.
  return diagnoseEndpoint(robot, manager, within[0] ?? goal, 'goal', interrupt) ?? within;
}

const isPose = (goal: Configuration | PoseGoal): goal is PoseGoal => 'xyz' in goal;
