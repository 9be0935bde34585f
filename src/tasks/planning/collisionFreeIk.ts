import type { CollisionManager } from '../../collision/collisionManager.ts';
import { clearanceInSlices, firstCollisionInSlices, isFreeInSlices } from '../../collision/slicedChecks.ts';
import type { IkAnswer, IkOptions, InverseKinematics } from '../../kinematics/inverseKinematics.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { completed, type Slices } from '../../math/slices.ts';
import type { Transform } from '../../math/transform.ts';
import { type Overlap, overlap, tooNear } from './endpointDiagnosis.ts';

/** Arms without a closed form are searched from so many starts where every solution found so far collides. */
const MORE_STARTS = 1000;

/** Solutions that are free of collision, and as refused those that are not. Where all that a search has found collide, it goes on for longer. */
export function freeIk(
  ik: InverseKinematics,
  manager: CollisionManager,
  T_world_link: Transform,
  near: Configuration,
  seed: number,
  options: Partial<IkOptions>,
): IkAnswer {
  return completed(freeIkInSlices(ik, manager, T_world_link, near, seed, options));
}

/** As `freeIk`, in slices: the manager may be used in the pauses, `ik` may not. */
export function* freeIkInSlices(
  ik: InverseKinematics,
  manager: CollisionManager,
  T_world_link: Transform,
  near: Configuration,
  seed: number,
  options: Partial<IkOptions>,
): Slices<IkAnswer> {
  const accept = (q: Configuration) => isFreeInSlices(manager, q);
  const solving = (more: Partial<IkOptions>) =>
    ik.solving(T_world_link, near, new Random(seed), { ...options, ...more, accept });
  const answer = yield* solving({});
  const mayBeMore = answer.solutions.length === 0 && answer.refused.length > 0 && !ik.closedForm;
  return mayBeMore ? yield* solving({ starts: MORE_STARTS }) : answer;
}

/** IK solutions of which not one is free: the deepest pair of each, and in a line the one that is least in collision. */
export interface IkCollisions {
  readonly contacts: readonly Overlap[];
  readonly reason: string;
}

/** @param what the line says they solve: ` of the goal` */
export function ikCollisions(manager: CollisionManager, solutions: readonly Configuration[], what = ''): IkCollisions {
  return completed(ikCollisionsInSlices(manager, solutions, what));
}

/** As `ikCollisions`, in slices: the manager may be used in the pauses. */
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
  const how = depth > 0 ? overlap(pair, depth) : tooNear(pair);
  const reason =
    solutions.length === 1
      ? `the only IK solution${what} collides: ${how}`
      : `all ${solutions.length} IK solutions${what} collide, the least: ${how}`;
  return { contacts, reason };
}
