import type { CollisionManager } from '../collision/collisionManager.ts';
import { withFullTurns } from '../kinematics/fullTurns.ts';
import { type IkMiss, InverseKinematics } from '../kinematics/inverseKinematics.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { Random } from '../math/random.ts';
import type { PoseGoal } from '../scene/scene.ts';
import { type EndDetail, type EndFault, type Overlap, overlap, tooNear } from './endFault.ts';
import { describeMiss, linkNamed, nearestFirst } from './solveIk.ts';

/**
 * Configurations within limits and free of collision that take a link to a pose: each IK solution with its full turns, the nearest to the
 * start first; or why there is none. The same ones whatever the seed of the planner.
 * @param most so many at most, the nearest
 */
export function configurationsOfPose(
  robot: RobotModel,
  manager: CollisionManager,
  start: Configuration,
  { link, tolerance, ...pose }: PoseGoal,
  most: number,
): readonly Configuration[] | EndFault {
  const ik = new InverseKinematics(robot, linkNamed(robot, link));
  const accept = (q: Configuration) => manager.isCollisionFree(q);
  const { solutions, refused, miss } = ik.solve(transformOfPose(pose), start, new Random(1), { tolerance, accept });
  if (miss) return unreachable(link, miss);
  if (solutions.length === 0)
    return allCollide(
      manager,
      refused.map(({ q }) => q),
    );
  const turned = solutions.flatMap(({ q }) => withFullTurns(robot, q, start, { most, perEndless: 1 }));
  return nearestFirst(turned, start, (q) => q).slice(0, most);
}

function unreachable(link: string, miss: IkMiss): EndFault {
  const { shortfall, beyondLimits, nearest } = miss;
  const nearest_miss = { position: nearest.positionError, angle: nearest.angleError };
  const detail: EndDetail = shortfall
    ? { end: 'goal', kind: 'out-of-reach', short_by: shortfall.by, nearest_miss }
    : beyondLimits.length > 0
      ? { end: 'goal', kind: 'beyond-limits', joints: beyondLimits, nearest_miss }
      : { end: 'goal', kind: 'no-ik-solution', nearest_miss };
  const reason = `the goal cannot be reached: ${describeMiss(link, miss)}`;
  return { status: 'goal-unreachable', reason, details: [detail] };
}

/** Solutions, every one of them in collision; told is the one that is least so. */
function allCollide(manager: CollisionManager, solutions: readonly Configuration[]): EndFault {
  const contacts = solutions.map((q): Overlap => {
    const { distance, pair } = manager.clearance(q);
    return { pair: pair ?? manager.firstCollision(q)!, depth: Math.max(0, -distance) };
  });
  const { pair, depth } = contacts.reduce((best, one) => (one.depth < best.depth ? one : best));
  const how = depth > 0 ? overlap(pair, depth) : tooNear(pair);
  const [one, many] = [
    'the only IK solution of the goal collides',
    `all ${solutions.length} IK solutions of the goal collide`,
  ];
  const reason = solutions.length === 1 ? `${one}: ${how}` : `${many}, the least: ${how}`;
  return { status: 'goal-in-collision', reason, details: [{ end: 'goal', kind: 'ik-solutions-collide', contacts }] };
}
