import { requireLength } from '../../kinematics/forwardKinematics.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Exclusion } from '../../math/exclusion.ts';
import { type Interrupt, never, PacedInterrupt } from '../../math/interrupt.ts';
import type { JointSpace, MotionValidator } from '../../planning/planner.ts';
import { CHECKS_PER_INTERRUPT } from '../proofs/proverPool.ts';
import type { CollisionManager } from '../states/collisionManager.ts';
import { BATCH } from '../states/stateBatch.ts';

/**
 * Maximum number of pieces of a sampled motion: their indices are exact. A motion that would need more is not valid,
 * nor is one whose number of pieces is NaN.
 */
const MAX_PIECES = 2 ** 52;

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
  private readonly samples: MotionSamples;
  private readonly pace: PacedInterrupt;

  /** @param interrupt ends a check, which then is not valid; see `isInterrupted` */
  constructor(
    private readonly manager: CollisionManager,
    space: JointSpace,
    private readonly step: number,
    interrupt: Interrupt = never,
  ) {
    this.pace = new PacedInterrupt(interrupt, CHECKS_PER_INTERRUPT);
    this.samples = new MotionSamples(manager, space, this.pace);
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
    return this.samples.areFree(qFrom, qTo, this.step, endIsValid);
  }
}

/**
 * Returns the number of pieces of at most `step` into which a straight motion is divided; undefined if there is no
 * such number up to MAX_PIECES: the length or the step is NaN, infinite or negative, or the step is 0.
 */
export function countPieces(length: number, step: number): number | undefined {
  const isCountable = length >= 0 && length < Number.POSITIVE_INFINITY && step > 0 && length / step <= MAX_PIECES;
  return isCountable ? Math.ceil(length / step) : undefined;
}

/**
 * Checks states of straight motions, several at a time. Bisection order (the end, the middle, the quarters, …) finds a
 * collision sooner than an order from start to end.
 */
export class MotionSamples {
  private readonly rows: readonly Configuration[];
  private count = 0;
  private readonly use = new Exclusion('motion validator');

  /** @param pace interrupts the checks, which then are not valid */
  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
    private readonly pace: PacedInterrupt,
  ) {
    this.rows = Array.from({ length: BATCH }, () => new Float64Array(space.dof));
  }

  /**
   * Returns true if the states inside a straight motion, at most `step` apart, are collision-free, and its end as well
   * unless `endIsValid`; false if `countPieces` finds no number of states. The start is not checked. Throws
   * `InputError` if an end has a wrong number of values.
   * @param most maximum number of states: longer motions have a larger step
   * @param divisor divides the step that results
   */
  areFree(
    qFrom: Configuration,
    qTo: Configuration,
    step: number,
    endIsValid: boolean,
    most = Number.POSITIVE_INFINITY,
    divisor = 1,
  ): boolean {
    const { space, rows, use } = this;
    use.enter();
    try {
      this.count = 0;
      const { robot } = this.manager.model;
      requireLength(robot, qFrom);
      requireLength(robot, qTo);
      const length = space.distance(qFrom, qTo);
      const pieces = countPieces(length, Math.max(step, length / most) / divisor);
      if (pieces === undefined) return false;
      if (!endIsValid) rows[this.count++].set(qTo);
      let stride = 1;
      while (stride < pieces) stride *= 2;
      for (; stride > 1; stride /= 2) {
        for (let i = stride / 2; i < pieces; i += stride) {
          if (this.count === BATCH && !this.isBatchFree()) return false;
          space.interpolate(rows[this.count++], qFrom, qTo, i / pieces);
        }
      }
      return this.count === 0 || this.isBatchFree();
    } finally {
      use.leave();
    }
  }

  /** Checks the states that were collected, and empties the batch. */
  private isBatchFree(): boolean {
    const { manager, pace, rows, count } = this;
    this.count = 0;
    if (pace.before(count * manager.model.pairCount)) return false;
    return manager.batch.areFree(rows, count);
  }
}
