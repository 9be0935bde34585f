import type { Configuration } from '../math/configuration.ts';
import type { JointSpace, MotionValidator } from '../planning/planner.ts';
import type { CollisionManager } from './collisionManager.ts';

/** Work counters of a motion validator. */
export class MotionCounters {
  /** Number of motions checked. */
  motions = 0;
  /** Number of motions that were checked approximately only. */
  approximateChecks = 0;
  /** Number of motions that were neither certified nor found in collision. */
  unresolved = 0;
}

/**
 * Sampled edge validation: checks states of straight motions at most `step` apart in the metric of the space. Misses
 * collisions in between.
 */
export class SampledMotionValidator implements MotionValidator {
  /** Numbers of motions checked since construction. */
  readonly counters = new MotionCounters();
  private readonly q: Configuration;

  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
    private readonly step: number,
  ) {
    this.q = new Float64Array(space.dof);
  }

  /** Returns true if every checked pair is proved separated by more than the padding. Limits are not checked. */
  isStateValid(q: Configuration): boolean {
    return this.manager.isCollisionFree(q);
  }

  /** Returns true if all sampled states are collision-free; with `endIsValid` the end is not checked again. */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    this.counters.motions++;
    if (!endIsValid && !this.manager.isCollisionFree(qTo)) return false;
    return areSamplesCollisionFree(this.manager, this.space, this.q, qFrom, qTo, this.step);
  }
}

/** Yields the fractions of a straight motion at which `areSamplesCollisionFree` checks it, in that order. */
export function* sampleFractions(
  space: JointSpace,
  qFrom: Configuration,
  qTo: Configuration,
  step: number,
): Generator<number> {
  const pieces = Math.ceil(space.distance(qFrom, qTo) / step);
  let stride = 1;
  while (stride < pieces) stride *= 2;
  for (; stride > 1; stride /= 2) for (let i = stride / 2; i < pieces; i += stride) yield i / pieces;
}

/**
 * Returns true if the states inside a straight motion, at most `step` apart, are collision-free; its ends are not
 * checked. Bisection order (the middle, the quarters, …) finds a collision sooner than an order from start to end. `q`
 * is scratch.
 */
export function areSamplesCollisionFree(
  manager: CollisionManager,
  space: JointSpace,
  q: Configuration,
  qFrom: Configuration,
  qTo: Configuration,
  step: number,
): boolean {
  const pieces = Math.ceil(space.distance(qFrom, qTo) / step);
  let stride = 1;
  while (stride < pieces) stride *= 2;
  for (; stride > 1; stride /= 2) {
    for (let i = stride / 2; i < pieces; i += stride) {
      space.interpolate(q, qFrom, qTo, i / pieces);
      if (!manager.isCollisionFree(q)) return false;
    }
  }
  return true;
}
