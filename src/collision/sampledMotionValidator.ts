import type { Configuration } from '../math/configuration.ts';
import { type Interrupt, never, PacedInterrupt } from '../math/interrupt.ts';
import type { JointSpace, MotionValidator } from '../planning/planner.ts';
import type { CollisionManager } from './collisionManager.ts';
import { CHECKS_PER_INTERRUPT } from './slicedProof.ts';

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
  private readonly pace: PacedInterrupt;

  /** @param interrupt ends a check, which then is not valid; see `isInterrupted` */
  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
    private readonly step: number,
    interrupt: Interrupt = never,
  ) {
    this.pace = new PacedInterrupt(interrupt, CHECKS_PER_INTERRUPT);
    this.q = new Float64Array(space.dof);
  }

  /** True once the interrupt returned true: a check that is not valid may then be undecided. */
  get isInterrupted(): boolean {
    return this.pace.isRaised;
  }

  /** Returns true if every checked pair is proved separated by more than the padding. Limits are not checked. */
  isStateValid(q: Configuration): boolean {
    const { manager, pace } = this;
    return !pace.before(manager.model.pairCount) && manager.isCollisionFree(q);
  }

  /** Returns true if all sampled states are collision-free; with `endIsValid` the end is not checked again. */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    this.counters.motions++;
    if (!endIsValid && !this.isStateValid(qTo)) return false;
    return areSamplesValid(this, this.space, this.q, qFrom, qTo, this.step);
  }
}

/** Yields the fractions of a straight motion at which `areSamplesValid` checks it, in that order. */
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
 * Returns true if the states inside a straight motion, at most `step` apart, are valid; its ends are not
 * checked. Bisection order (the middle, the quarters, …) finds a collision sooner than an order from start to end. `q`
 * is scratch.
 */
export function areSamplesValid(
  states: Pick<MotionValidator, 'isStateValid'>,
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
      if (!states.isStateValid(q)) return false;
    }
  }
  return true;
}
