import type { Configuration } from '../math/configuration.ts';
import { shortestDifference } from '../planning/metric.ts';
import type { JointSpace, MotionValidator } from '../planning/planner.ts';
import type { CollisionManager } from './collisionManager.ts';
import { StraightMotion } from './motion.ts';
import { MotionProver, proverDefaults } from './motionProver.ts';
import { areSamplesFree, MotionCounters, samples } from './sampledMotionValidator.ts';
import { isFreeInSlices } from './slicedChecks.ts';
import { proveInSlices, type Slices, type Slicing } from './slicedProof.ts';

/** Distance in joint space between the single states looked at before anything is proved; rad. Most motions that hit, hit there. */
const COARSE_STEP = 0.2;
/** The single states of one motion at most: of longer ones they are farther apart than COARSE_STEP. */
const MOST_STATES = 1024;
/** Longer motions (L2) are proved piece by piece: over more than that, little can be shown at once. Measured on the suites: 0.4 and 0.7 cost as much. */
const PIECE = 0.5;

/** Straight motions proved free over their whole time. What can be neither proved nor refuted counts as not valid. */
export class CertifiedMotions implements MotionValidator {
  readonly counters = new MotionCounters();
  readonly prover: MotionProver;
  private readonly motion: StraightMotion;
  private readonly q: Configuration;
  private readonly qAhead: Configuration;

  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
  ) {
    this.prover = new MotionProver(manager.posed, proverDefaults, PIECE);
    this.motion = new StraightMotion(space.dof);
    this.q = new Float64Array(space.dof);
    this.qAhead = new Float64Array(space.dof);
  }

  isStateValid(q: Configuration): boolean {
    return this.manager.isCollisionFree(q);
  }

  /** A few states in bisection order. */
  isMotionLikelyValid(qFrom: Configuration, qTo: Configuration): boolean {
    this.counters.looks++;
    return this.areStatesFree(qFrom, qTo, false);
  }

  /** The same states, then the proof, which is of the end as well. */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false): boolean {
    const { motion, counters } = this;
    if (!this.areStatesFree(qFrom, qTo, endIsValid)) return false;
    motion.qFrom = qFrom;
    motion.qTo = this.ahead(qFrom, qTo);
    const verdict = this.prover.prove(motion);
    if (verdict === 'unresolved') counters.unresolved++;
    return verdict === 'certified';
  }

  /**
   * As `isMotionValid`, in slices: other motions may be validated in the pauses. `qFrom` and `qTo` must not change meanwhile.
   */
  *validating(qFrom: Configuration, qTo: Configuration, slicing: Slicing): Slices<boolean> {
    const { manager, space, prover, counters } = this;
    counters.motions++;
    if (!(yield* isFreeInSlices(manager, qTo))) return false;
    const q = new Float64Array(space.dof);
    for (const share of samples(space, qFrom, qTo, this.stepOf(qFrom, qTo))) {
      yield;
      space.interpolate(q, qFrom, qTo, share);
      if (!(yield* isFreeInSlices(manager, q))) return false;
    }
    const motion = new StraightMotion(space.dof);
    motion.qFrom = qFrom;
    motion.qTo = Float64Array.from(this.ahead(qFrom, qTo));
    prover.forget(); // the result depends on the motion alone
    const verdict = yield* proveInSlices(prover, motion, slicing);
    if (verdict === 'unresolved') counters.unresolved++;
    return verdict === 'certified';
  }

  private areStatesFree(qFrom: Configuration, qTo: Configuration, endIsValid: boolean): boolean {
    const { manager, space, q } = this;
    this.counters.motions++;
    if (!endIsValid && !manager.isCollisionFree(qTo)) return false;
    return areSamplesFree(manager, space, q, qFrom, qTo, this.stepOf(qFrom, qTo));
  }

  private stepOf(qFrom: Configuration, qTo: Configuration): number {
    return Math.max(COARSE_STEP, this.space.distance(qFrom, qTo) / MOST_STATES);
  }

  /** The value of qTo that the short way from qFrom ends at. */
  private ahead(qFrom: Configuration, qTo: Configuration): Configuration {
    const { space, qAhead } = this;
    if (!space.halfTurns) return qTo;
    for (let i = 0; i < space.dof; i++) qAhead[i] = qFrom[i] + shortestDifference(qFrom[i], qTo[i], space.halfTurns[i]);
    return qAhead;
  }
}
