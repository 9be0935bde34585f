import type { CertificatePair } from '../../core/certificate/certificate.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import type { ProofRecorder } from '../../core/collision/motions/pairProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { StopPiece } from '../../core/trajectory/retiming/brakingPart.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { intervalLimit, proofDefaults } from '../checking/proofLimits.ts';
import { SpanRecorder } from '../checking/spanRecorder.ts';
import { type MovingParts, WorldTimeline } from '../checking/worldMotions.ts';
import { stopMotions } from './stopMotions.ts';

/** Seconds after the end of a stop that are proved, too: its time is a sum with rounding errors. */
const SPARE = 1e-9;

/** Seconds: later, a time has rounding errors of more than 1e-10 s. */
const LATEST = 1e-10 / Number.EPSILON;

/** A world in which the robot stops: what moves besides it, and the poses of all parts. */
export interface StopWorld {
  readonly tree: MovingParts;
  readonly manager: { readonly posed: PosedParts };
}

/**
 * Proves that the robot touches nothing that moves by itself until it is at rest: its stop is along a path that is
 * collision-free, but later than the motion.
 */
export class StopContacts {
  private readonly prover: MotionProver;
  private readonly timeline: WorldTimeline;

  private constructor(
    private readonly model: CollisionModel,
    private readonly pairs: readonly number[],
    { tree, manager }: StopWorld,
    private readonly curve: TrajectoryCurve,
    private readonly interrupt: Interrupt,
  ) {
    this.prover = new MotionProver(manager.posed, proofDefaults);
    this.timeline = new WorldTimeline(tree);
  }

  /** Returns the proofs for stops along a curve; undefined if nothing that moves can be touched. */
  static of(world: StopWorld, curve: TrajectoryCurve, interrupt: Interrupt): StopContacts | undefined {
    if (world.tree.sources.length === 0) return undefined;
    const { model } = world.manager.posed;
    const { others } = model.robot;
    const pairs = model
      .certifiedPairs()
      .filter((pair) => model.isSelfPair(pair) && others?.has(model.partOf(model.pairB[pair]).name));
    return pairs.length === 0 ? undefined : new StopContacts(model, pairs, world, curve, interrupt);
  }

  /** @param begin seconds */
  isFree(parts: readonly StopPiece[], begin: number): boolean {
    this.prover.setMaxJointValues(undefined);
    return this.end(parts, begin) !== undefined;
  }

  /**
   * Returns the planes that separate the pairs during a stop; undefined if they are not proved.
   * @param reached magnitudes of joint values for which the planes are verified
   */
  planes(parts: readonly StopPiece[], begin: number, reached: ArrayLike<number>): CertificatePair[] | undefined {
    this.prover.setMaxJointValues(reached);
    const recorder = new SpanRecorder(this.model);
    const end = this.end(parts, begin, recorder);
    return end === undefined ? undefined : this.pairs.map((pair) => recorder.pair(pair, begin, end, begin));
  }

  /** Returns the end of a stop that is proved free; undefined if it is not. */
  private end(parts: readonly StopPiece[], begin: number, recorder?: ProofRecorder): number | undefined {
    const { prover, curve, interrupt, pairs } = this;
    if (parts.length === 0) return begin; // at rest
    if (begin > LATEST) return undefined;
    const own = stopMotions(curve, parts, begin);
    if (own.length === 0) return begin; // within the rounding error of the time
    const end = own[own.length - 1].end + SPARE;
    const motions = this.timeline.motions(own, begin, end);
    const isExhausted = intervalLimit(prover, motions.length);
    prover.clearCaches();
    for (const motion of motions)
      if (isExhausted() || proveUnlessInterrupted(prover, motion, interrupt, recorder, pairs) !== 'certified')
        return undefined;
    return end;
  }
}
