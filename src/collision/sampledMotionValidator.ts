import type { Configuration } from '../math/configuration.ts';
import type { JointSpace, MotionValidator } from '../planning/planner.ts';
import type { CollisionManager } from './collisionManager.ts';

/** Counts of the motions asked about. */
export class MotionCounters {
  motions = 0;
  /** Of these, motions that got a quick look only. */
  looks = 0;
  /** Motions that could be neither proved free nor found in collision. */
  unresolved = 0;
}

/**
 * Straight motions looked at in single states, at most `step` apart (in the metric of the space): quick, and blind between two states.
 */
export class SampledMotions implements MotionValidator {
  readonly counters = new MotionCounters();
  private readonly q: Configuration;

  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
    private readonly step: number,
  ) {
    this.q = new Float64Array(space.dof);
  }

  isStateValid(q: Configuration): boolean {
    return this.manager.isCollisionFree(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    this.counters.motions++;
    if (!endIsValid && !this.manager.isCollisionFree(qTo)) return false;
    return areSamplesFree(this.manager, this.space, this.q, qFrom, qTo, this.step);
  }
}

/** The shares of a straight motion at which `areSamplesFree` checks it, in that order. */
export function* samples(space: JointSpace, qFrom: Configuration, qTo: Configuration, step: number): Generator<number> {
  const pieces = Math.ceil(space.distance(qFrom, qTo) / step);
  let stride = 1;
  while (stride < pieces) stride *= 2;
  for (; stride > 1; stride /= 2) for (let i = stride / 2; i < pieces; i += stride) yield i / pieces;
}

/**
 * True if single states on a straight motion, at most `step` apart and from its ends, are free. The middle comes first, then the quarters,
 * and so on: the sooner two looks are far apart, the sooner something is hit. `q` is scratch.
 */
export function areSamplesFree(
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
