import type { CollisionManager } from '../collision/collisionManager.ts';
import { withFullTurns } from '../kinematics/fullTurns.ts';
import { InverseKinematics } from '../kinematics/inverseKinematics.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { Random } from '../math/random.ts';
import type { PoseGoal } from '../scene/scene.ts';
import { type EndFault, overlap, tooNear } from './endFault.ts';
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
  if (miss) return { status: 'goal-unreachable', reason: `the goal cannot be reached: ${describeMiss(link, miss)}` };
  if (solutions.length === 0) {
    return {
      status: 'goal-in-collision',
      reason: collisionsOf(
        manager,
        refused.map(({ q }) => q),
      ),
    };
  }
  const turned = solutions.flatMap(({ q }) => withFullTurns(robot, q, start, { most }));
  return nearestFirst(turned, start, (q) => q).slice(0, most);
}

/** Of the solutions, all in collision, the one that is least so. */
function collisionsOf(manager: CollisionManager, solutions: readonly Configuration[]): string {
  const worst = solutions.map((q) => ({ q, ...manager.clearance(q) }));
  const least = worst.reduce((best, one) => (one.distance > best.distance ? one : best));
  const pair = least.pair ?? manager.firstCollision(least.q) ?? [];
  const how = least.distance < 0 ? overlap(pair, -least.distance) : tooNear(pair);
  const [one, many] = [
    'the only IK solution of the goal collides',
    `all ${solutions.length} IK solutions of the goal collide`,
  ];
  return solutions.length === 1 ? `${one}: ${how}` : `${many}, the least: ${how}`;
}
