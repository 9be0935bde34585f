import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { withFullTurns } from '../../core/kinematics/fullTurns.ts';
import type { IkMiss } from '../../core/kinematics/ikSearch.ts';
import { InverseKinematics } from '../../core/kinematics/inverseKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkFrameOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never, unlessInterrupted } from '../../core/math/interrupt.ts';
import { configurationOf, goalConfiguration, goalPoseOf, requireEnds } from '../../core/scene/configurationOf.ts';
import type { PoseGoal, Scene } from '../../core/scene/scene.ts';
import { holdingTorques } from '../forces/holding.ts';
import { projectedIkSolution } from './constrained/projectedIk.ts';
import { contactExcess, describeExcess } from './contactExcess.ts';
import {
  diagnoseConstraints,
  diagnoseEndpoint,
  type EndpointDetail,
  type InvalidEndpoint,
} from './endpointDiagnosis.ts';
import { collisionFreeIk, describeMiss, ikCollisions, type MovedFrame, nearestFirst, THE_TCP } from './solveIk.ts';

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
 * @param constraints those of the scene on states
 */
export function resolveStartAndGoals(robot: RobotModel, scene: Scene, manager: CollisionManager): ResolvedStartAndGoals;
export function resolveStartAndGoals(
  robot: RobotModel,
  scene: Scene,
  manager: CollisionManager,
  interrupt: Interrupt,
  atGoal?: CollisionManager,
  constraints?: ConstraintSet,
): ResolvedStartAndGoals | undefined;
export function resolveStartAndGoals(
  robot: RobotModel,
  scene: Scene,
  manager: CollisionManager,
  interrupt: Interrupt = never,
  atGoal = manager,
  constraints = ConstraintSet.ofScene(robot, scene),
): ResolvedStartAndGoals | undefined {
  const start = configurationOf(robot, requireEnds(scene), `${scene.name}: start`);
  const goals = scene.goals.map((goal, i) => {
    const place = `${scene.name}: ${scene.goals.length === 1 ? 'goal' : `goals[${i}]`}`;
    return goal.kind === 'joints' ? goalConfiguration(robot, goal.joints, start, place) : goal.pose;
  });
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

/** Limit of IK solutions for redundant arms, which have infinitely many. */
const MAX_SOLUTIONS = 64;
/** Seed of the IK search: fixed, so that the goals do not depend on the planner's seed. */
const SEED = 1;

/**
 * Computes collision-free IK solutions of a pose goal within limits, the nearest to the start first; or returns why
 * there is none.
 * @param most limit of configurations: the nearest IK solutions, then the nearest that differ from these by full turns
 * @param interrupt ends the computation, which then returns undefined
 * @param constraints path constraints: solutions that violate them are omitted. If all do, they are projected onto the
 *   constraints; if that fails, they are returned unchanged
 */
function configurationsOfPose(
  robot: RobotModel,
  scene: Pick<Scene, 'tcp' | 'obstacles' | 'attached'>,
  manager: CollisionManager,
  start: Configuration,
  goal: PoseGoal,
  most: number,
  interrupt: Interrupt,
  constraints?: ConstraintSet,
): readonly Configuration[] | InvalidEndpoint | undefined {
  const frame = linkFrameOf(robot, goal.link, scene.tcp);
  const { link, T_link_frame } = frame;
  const T_world_goal = goalPoseOf(goal, scene);
  const ik = new InverseKinematics(robot, link, T_link_frame);
  const options = { tolerance: goal.tolerance, solutions: MAX_SOLUTIONS };
  const fullTurns = (q: Configuration) => withFullTurns(robot, q, start, { most, perEndless: 1 });
  const isAllowed = (q: Configuration) => fullTurns(q).some((turned) => constraints!.isSatisfied(turned));
  const search = (allowed?: (q: Configuration) => boolean) =>
    unlessInterrupted(interrupt, (check) =>
      collisionFreeIk(ik, manager, T_world_goal, start, SEED, options, allowed, check),
    );
  let found = search(constraints && isAllowed);
  if (found?.solutions.length === 0 && constraints) {
    const projected = found.refused
      .map(({ q }) => projectedIkSolution(robot, frame, T_world_goal, constraints, q))
      .filter((q): q is Configuration => q !== undefined && manager.isCollisionFree(q));
    if (projected.length > 0) return nearestOf(projected, start, most);
    found = search(); // for the diagnosis
  }
  if (found === undefined) return undefined;
  const { solutions, refused, miss } = found;
  if (miss) return unreachable({ name: goal.link ?? THE_TCP, link: robot.links[link].name }, miss);
  if (solutions.length === 0)
    return allInCollision(
      manager,
      refused.map(({ q }) => q),
      interrupt,
    );
  const turned = solutions.map(({ q }) => fullTurns(q));
  const once = nearestOf(
    turned.map(([nearest]) => nearest),
    start,
    most,
  );
  const more = nearestOf(
    turned.flatMap(([_, ...others]) => others),
    start,
    most - once.length,
  );
  return nearestFirst([...once, ...more], start, (q) => q);
}

const nearestOf = (list: readonly Configuration[], start: Configuration, most: number) =>
  nearestFirst(list, start, (q) => q).slice(0, most);

/** Returns the diagnosis of a pose without IK solution. */
function unreachable(frame: MovedFrame, miss: IkMiss): InvalidEndpoint {
  const { shortfall, beyondLimits, nearest } = miss;
  const nearest_miss = { position: nearest.positionError, angle: nearest.angleError };
  const detail: EndpointDetail = shortfall
    ? { end: 'goal', kind: 'out-of-reach', short_by: shortfall.by, nearest_miss }
    : beyondLimits.length > 0
      ? { end: 'goal', kind: 'beyond-limits', joints: beyondLimits, nearest_miss }
      : { end: 'goal', kind: 'no-ik-solution', nearest_miss };
  const reason = `the goal cannot be reached: ${describeMiss(frame, miss)}`;
  return { status: 'goal-unreachable', reason, details: [detail] };
}

/** Returns the diagnosis of a pose whose IK solutions are all in collision. */
function allInCollision(
  manager: CollisionManager,
  solutions: readonly Configuration[],
  interrupt: Interrupt,
): InvalidEndpoint | undefined {
  const collisions = unlessInterrupted(interrupt, (check) => ikCollisions(manager, solutions, ' of the goal', check));
  if (collisions === undefined) return undefined;
  const { contacts, reason } = collisions;
  const found = solutions.flatMap((q, i) => contactExcess(manager, q, [contacts[i].pair]));
  const hulls = [...new Map(found.map((one) => [`${one.body}\n${one.mesh}`, one])).values()];
  const detail: EndpointDetail = {
    end: 'goal',
    kind: 'ik-solutions-collide',
    contacts,
    ...(hulls.length > 0 ? { hulls } : {}),
  };
  return { status: 'goal-in-collision', reason: `${reason}${describeExcess(hulls)}`, details: [detail] };
}
