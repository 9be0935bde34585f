import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import {
  clearanceInSlices,
  firstCollisionInSlices,
  isCollisionFreeInSlices,
} from '../../core/collision/states/slicedChecks.ts';
import type { IkAnswer, IkOptions } from '../../core/kinematics/ikSearch.ts';
import type { InverseKinematics } from '../../core/kinematics/inverseKinematics.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import type { Slices } from '../../core/math/slices.ts';
import type { Transform } from '../../core/math/transform.ts';
import { describeOverlap, describePaddingViolation, type Overlap } from './endpointDiagnosis.ts';

/**
 * Number of start configurations of the second search, which arms without closed form need if every solution of the
 * first one collides.
 */
const EXTENDED_STARTS = 1000;

/**
 * Computes collision-free IK solutions, in slices: the manager may be used in the pauses, `ik` may not. Those in
 * collision are returned as `refused`. If all solutions of a search are refused, it is repeated from more starts.
 * @param isAllowed solutions for which it returns false are refused, too
 */
export function* collisionFreeIkInSlices(
  ik: InverseKinematics,
  manager: CollisionManager,
  T_world_link: Transform,
  near: Configuration,
  seed: number,
  options: Partial<IkOptions>,
  isAllowed: (q: Configuration) => boolean = () => true,
): Slices<IkAnswer> {
  function* accept(q: Configuration): Slices<boolean> {
    return isAllowed(q) && (yield* isCollisionFreeInSlices(manager, q));
  }
  const solving = (more: Partial<IkOptions>) =>
    ik.solving(T_world_link, near, new Random(seed), { ...options, ...more, accept });
  const found = yield* solving({});
  const mayHaveMore = found.solutions.length === 0 && found.refused.length > 0 && !ik.closedForm;
  return mayHaveMore ? yield* solving({ starts: EXTENDED_STARTS }) : found;
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
 * Computes the deepest colliding pair of each IK solution, in slices: the manager may be used in the pauses. All
 * solutions must be in collision.
 * @param what qualifier after "IK solutions" in the line, such as ` of the goal`
 */
export function* ikCollisionsInSlices(
  manager: CollisionManager,
  solutions: readonly Configuration[],
  what = '',
): Slices<IkCollisions> {
  const contacts: Overlap[] = [];
  for (const q of solutions) {
    const { distance, pair } = yield* clearanceInSlices(manager, q);
    contacts.push({ pair: pair ?? (yield* firstCollisionInSlices(manager, q))!, depth: Math.max(0, -distance) });
    yield;
  }
  const { pair, depth } = contacts.reduce((best, one) => (one.depth < best.depth ? one : best));
  const how = depth > 0 ? describeOverlap(pair, depth) : describePaddingViolation(pair);
  const reason =
    solutions.length === 1
      ? `the only IK solution${what} collides: ${how}`
      : `all ${solutions.length} IK solutions${what} collide, the shallowest: ${how}`;
  return { contacts, reason };
}
