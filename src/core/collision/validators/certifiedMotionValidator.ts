import { requireLength } from '../../kinematics/forwardKinematics.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Exclusion } from '../../math/exclusion.ts';
import { type Interrupt, never, PacedInterrupt } from '../../math/interrupt.ts';
import { shortestDifference } from '../../planning/metric.ts';
import type { JointSpace, MotionValidator } from '../../planning/planner.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { StraightMotion } from '../motions/motion.ts';
import type { MotionProver } from '../motions/motionProver.ts';
import { proverDefaults } from '../proofs/proverOptions.ts';
import { CHECKS_PER_INTERRUPT, ProverPool, proveUnlessInterrupted } from '../proofs/proverPool.ts';
import type { CollisionManager } from '../states/collisionManager.ts';
import { MotionCounters, MotionSamples } from './sampledMotionValidator.ts';

/**
 * Step of the discrete check before the proof, in the metric of the space (rad). It finds most of the collisions at low
 * cost.
 */
const COARSE_STEP = 0.2;
/**
 * Divisor of that step for the fine check, which few edges pass that are not certified later: with 1 and 2, plans of
 * MotionBenchMaker's UR5 suite need 2.0 and 1.3 times as many intervals of proofs.
 */
const FINE_DIVISOR = 4;
/** Maximum number of states of one discrete check; longer motions are checked at a larger step than COARSE_STEP. */
const MAX_STATES = 1024;
/**
 * Maximum length (L2 in joint space) of the pieces into which a motion is split before the proof: bounds over longer
 * intervals are rarely tight enough. Measured on the benchmark suites: 0.4 and 0.7 cost as much.
 */
export const PIECE_LENGTH = 0.5;

/** Options of a `CertifiedMotionValidator`. */
export interface CertifiedValidatorOptions {
  /** Stores the edges that are certified. @internal */
  readonly storesProofs?: boolean;
  /** Kept provers of the manager's poses, one of which is taken. @internal */
  readonly provers?: ProverPool | undefined;
  /** Limits of the prover; default: `proverDefaults`. */
  readonly limits?: Readonly<typeof proverDefaults>;
}

/**
 * Certified edge validation: proves straight motions collision-free by continuous collision detection. Unresolved
 * motions are not valid.
 */
export class CertifiedMotionValidator implements MotionValidator {
  /** Numbers of motions validated since construction. */
  readonly counters = new MotionCounters();
  /** Edges that `isMotionValid` certified; undefined unless they are stored. @internal */
  readonly proofs: EdgeProofs | undefined;
  private readonly motion: StraightMotion;
  /** Discrete checks of motions. @internal */
  protected readonly samples: MotionSamples;
  private readonly use = new Exclusion('motion validator');
  private readonly pace: PacedInterrupt;
  private taken: MotionProver | undefined;

  /** @param interrupt ends a check, which then is not valid; see `isInterrupted` */
  constructor(
    private readonly manager: CollisionManager,
    private readonly space: JointSpace,
    interrupt: Interrupt = never,
    private readonly options: CertifiedValidatorOptions = {},
  ) {
    this.pace = new PacedInterrupt(interrupt, CHECKS_PER_INTERRUPT);
    this.proofs = options.storesProofs ? new EdgeProofs(manager.posed, manager.model.scene.padding) : undefined;
    this.motion = new StraightMotion(space.dof);
    this.samples = new MotionSamples(manager, space, this.pace);
  }

  /** The prover of the motions, with the pair and time of the last one that was not certified; created on first use. */
  get prover(): MotionProver {
    this.taken ??= this.takeProver();
    return this.taken;
  }

  private takeProver(): MotionProver {
    const { provers = new ProverPool(this.manager.posed), limits = proverDefaults } = this.options;
    return provers.take(limits, PIECE_LENGTH);
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

  /**
   * Approximate check: checks states at the coarse step, in bisection order. May miss collisions.
   * @param isFine checks states at a quarter of the coarse step
   * @param endIsValid does not check the end
   */
  isMotionLikelyValid(qFrom: Configuration, qTo: Configuration, isFine = false, endIsValid = false): boolean {
    this.counters.approximateChecks++;
    return this.areStatesCollisionFree(qFrom, qTo, endIsValid, isFine ? FINE_DIVISOR : 1);
  }

  /**
   * Proves the motion, both ends included; first checks the same states, unless the motion is known to be likely valid.
   */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid = false, isLikely = false): boolean {
    const { use } = this;
    use.enter();
    try {
      return this.validate(qFrom, qTo, endIsValid, isLikely);
    } finally {
      use.leave();
    }
  }

  private validate(qFrom: Configuration, qTo: Configuration, endIsValid: boolean, isLikely: boolean): boolean {
    const { motion, counters } = this;
    if (isLikely) counters.motions++;
    else if (!this.areStatesCollisionFree(qFrom, qTo, endIsValid)) return false;
    this.setLine(motion, qFrom, qTo);
    const verdict = proveUnlessInterrupted(this.prover, motion, this.pace.now);
    if (verdict === 'unresolved') counters.unresolved++;
    if (verdict === 'certified') this.proofs?.add(motion.qFrom, motion.qTo);
    return verdict === 'certified' || (verdict !== undefined && this.isUncertifiedValid(qFrom, qTo));
  }

  /** Returns false: a motion that is not certified is not valid. */
  protected isUncertifiedValid(_qFrom: Configuration, _qTo: Configuration): boolean {
    return false;
  }

  private areStatesCollisionFree(qFrom: Configuration, qTo: Configuration, endIsValid: boolean, divisor = 1): boolean {
    this.counters.motions++;
    return this.samples.areFree(qFrom, qTo, COARSE_STEP, endIsValid, MAX_STATES, divisor);
  }

  /**
   * Sets the shortest straight line from qFrom to qTo plus full turns. Copies both: callbacks during the proof may
   * change them.
   */
  private setLine(motion: StraightMotion, qFrom: Configuration, qTo: Configuration): void {
    const { halfTurns, dof } = this.space;
    requireLength(this.manager.model.robot, qFrom);
    requireLength(this.manager.model.robot, qTo);
    motion.qFrom.set(qFrom);
    motion.qTo.set(qTo);
    if (!halfTurns) return;
    for (let i = 0; i < dof; i++)
      if (Math.abs(qTo[i] - qFrom[i]) > halfTurns[i])
        motion.qTo[i] = qFrom[i] + shortestDifference(qFrom[i], qTo[i], halfTurns[i]);
  }
}

/** Maximum number of edges that are stored; then the oldest is dropped. About 1 MB for seven joints. */
const MOST_EDGES = 4096;

/**
 * Straight edges that one prover has certified, by their end states, bit for bit: a state that differs by one unit in
 * the last place, the reversed edge and a part of an edge are other edges. The proofs hold for the poses of the
 * obstacles, the collision pairs and the padding that the prover uses; `holdsFor` compares them with those of another
 * proof.
 */
export class EdgeProofs {
  private readonly edges = new Map<number, Float64Array>();
  private readonly generation: number;
  private readonly bits: Uint32Array;
  /** Both ends of the edge that is stored or searched for. */
  private readonly ends: Float64Array;

  /**
   * @param posed parts and obstacles of the prover
   * @param padding of the prover, metres
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly padding: number,
  ) {
    this.generation = posed.generation;
    this.ends = new Float64Array(2 * posed.model.robot.dof);
    this.bits = new Uint32Array(this.ends.buffer);
  }

  /** Number of stored edges. */
  get size(): number {
    return this.edges.size;
  }

  /** Returns true if the stored proofs are proofs for these parts, with obstacles where they are now, and padding. */
  holdsFor(posed: PosedParts, padding: number): boolean {
    return posed === this.posed && posed.generation === this.generation && padding === this.padding;
  }

  /** Stores a certified edge; copies its ends. Ignored if an obstacle was moved since construction. */
  add(qFrom: Configuration, qTo: Configuration): void {
    const { edges, ends, posed } = this;
    if (posed.generation !== this.generation) return;
    const hash = this.hashOf(qFrom, qTo);
    edges.delete(hash); // the newer of two edges of one hash is kept, as the last one
    edges.set(hash, ends.slice());
    if (edges.size > MOST_EDGES) edges.delete(edges.keys().next().value!);
  }

  /** Returns true if the edge between exactly these states, in this direction, is stored. */
  has(qFrom: Configuration, qTo: Configuration): boolean {
    const { edges, ends, bits } = this;
    if (qFrom.length + qTo.length !== ends.length) return false;
    const stored = edges.get(this.hashOf(qFrom, qTo));
    if (stored === undefined) return false;
    const storedBits = new Uint32Array(stored.buffer);
    for (let i = 0; i < bits.length; i++) if (bits[i] !== storedBits[i]) return false;
    return true;
  }

  /** Returns a hash of the bits of both ends, and writes them to `ends`. */
  private hashOf(qFrom: Configuration, qTo: Configuration): number {
    const { ends, bits } = this;
    ends.set(qFrom);
    ends.set(qTo, qFrom.length);
    let hash = 0x811c9dc5;
    for (let i = 0; i < bits.length; i++) {
      hash = Math.imul(hash ^ bits[i], 0x01000193);
      hash ^= hash >>> 15;
    }
    return hash;
  }
}

/** Maximum number of intervals of one proof: most edges need fewer, and samples decide the others. */
const INTERVALS = 200;

/**
 * Discrete edge validation for planners: an edge is valid if its states at most `step` apart are collision-free. Most
 * edges are not sampled, because a short proof certifies all of their states at less than half of the cost of samples
 * 0.02 rad apart; all others are sampled, so that collisions between samples are missed, as the method does. States at
 * a coarse step are checked first, as in certified edge validation; they are the approximate check.
 */
export class SampledEdgeValidator extends CertifiedMotionValidator {
  /**
   * @param step maximum distance between samples in the metric of the space; intervals this short are not bisected
   * @param interrupt ends a check, which then is not valid
   * @param provers kept provers of the manager's poses
   */
  constructor(
    manager: CollisionManager,
    space: JointSpace,
    private readonly step: number,
    interrupt?: Interrupt,
    provers?: ProverPool,
  ) {
    const limits = { resolution: step, intervals: INTERVALS };
    super(manager, space, interrupt, { storesProofs: true, limits, provers });
  }

  /** Returns true if all sampled states are collision-free. */
  protected override isUncertifiedValid(qFrom: Configuration, qTo: Configuration): boolean {
    return this.samples.areFree(qFrom, qTo, this.step, true);
  }
}
