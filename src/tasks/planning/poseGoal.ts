import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { withFullTurns } from '../../core/kinematics/fullTurns.ts';
import type { IkMiss } from '../../core/kinematics/ikSearch.ts';
import { InverseKinematics } from '../../core/kinematics/inverseKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkFrameOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, unlessInterrupted } from '../../core/math/interrupt.ts';
import { goalPoseOf } from '../../core/scene/goalPose.ts';
import type { PoseGoal, Scene } from '../../core/scene/scene.ts';
import { collisionFreeIk, ikCollisions } from './collisionFreeIk.ts';
import { projectedIkSolution } from './constrained/projectedIk.ts';
import { contactExcess, describeExcess } from './contactExcess.ts';
import type { EndpointDetail, InvalidEndpoint } from './endpointDiagnosis.ts';
import { describeMiss, type MovedFrame, nearestFirst, THE_TCP } from './solveIk.ts';

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
export function configurationsOfPose(
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
