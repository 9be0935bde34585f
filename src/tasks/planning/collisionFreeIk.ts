import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { IkAnswer, IkOptions } from '../../core/kinematics/ikSearch.ts';
import type { InverseKinematics } from '../../core/kinematics/inverseKinematics.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import type { Transform } from '../../core/math/transform.ts';
import { describeOverlap, describePaddingViolation, type Overlap } from './endpointDiagnosis.ts';

/**
 * Number of start configurations of the second search, which arms without closed form need if every solution of the
 * first one collides.
 */
const EXTENDED_STARTS = 1000;

/**
 * Computes collision-free IK solutions. Those in collision are returned as `refused`. If all solutions of a search are
 * refused, it is repeated from more starts.
 * @param isAllowed solutions for which it returns false are refused, too
 * @param check called before each step; may throw to end the search
 */
export function collisionFreeIk(
  ik: InverseKinematics,
  manager: CollisionManager,
  T_world_link: Transform,
  near: Configuration,
  seed: number,
  options: Partial<IkOptions>,
  isAllowed: (q: Configuration) => boolean = () => true,
  check: () => void = () => {},
): IkAnswer {
  const accept = (q: Configuration): boolean => {
    check();
    return isAllowed(q) && manager.isCollisionFree(q);
  };
  const solve = (more: Partial<IkOptions>) =>
    ik.solve(T_world_link, near, new Random(seed), { ...options, ...more, accept, onDescent: check });
  const found = solve({});
  const mayHaveMore = found.solutions.length === 0 && found.refused.length > 0 && !ik.closedForm;
  return mayHaveMore ? solve({ starts: EXTENDED_STARTS }) : found;
}

/**
 * Collisions of a pose whose IK solutions all collide: the deepest pair of each solution, and a line that describes the
 * smallest of these depths.
 */
export interface IkCollisions {
  readonly contacts: readonly Overlap[];
  readonly reason: string;
}

/**
 * Computes the deepest colliding pair of each IK solution. All solutions must be in collision.
 * @param what qualifier after "IK solutions" in the line, such as ` of the goal`
 * @param check called before each step; may throw to end the computation
 */
export function ikCollisions(
  manager: CollisionManager,
  solutions: readonly Configuration[],
  what = '',
  check: () => void = () => {},
): IkCollisions {
  const contacts = solutions.map((q): Overlap => {
    check();
    const { distance, pair } = manager.clearance(q);
    return { pair: pair ?? manager.firstCollision(q)!, depth: Math.max(0, -distance) };
  });
  const { pair, depth } = contacts.reduce((best, one) => (one.depth < best.depth ? one : best));
  const how = depth > 0 ? describeOverlap(pair, depth) : describePaddingViolation(pair);
  const reason =
    solutions.length === 1
      ? `the only IK solution${what} collides: ${how}`
      : `all ${solutions.length} IK solutions${what} collide, the shallowest: ${how}`;
  return { contacts, reason };
}
