import { MotionBounds } from '../bounds/motionBounds.ts';
import { NearPairs } from '../model/nearPairs.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { areEqualOptions, boxLimits, type ProverOptions, proverDefaults } from '../proofs/proverOptions.ts';
import { type Interval, IntervalQueue, MAX_KEPT_BYTES, MAX_OPEN_PAIRS } from './intervalQueue.ts';
import { type Motion, StraightMotion } from './motion.ts';
import { IN_COLLISION, OPEN_LEFT, OPEN_RIGHT, PairProver, PROVED, type ProofRecorder } from './pairProver.ts';
import type { PairSlack } from './pairSlack.ts';

/** Proved collision-free, in collision at some instant, or neither. */
export type MotionVerdict = 'certified' | 'collision' | 'unresolved';

/** Maximum number of pieces into which a motion is split before the bisection. */
const MAX_PIECES = 100;

/** Approximate cost of posing the robot for one interval, in pair checks. */
const POSE_CHECKS = 8;

/**
 * Continuous collision detection: proves a motion collision-free at every instant, or finds a collision
 * (docs/proof.md).
 *
 * Conservative advancement by bisection, with a list of open pairs per interval. At the middle of an interval of half
 * width h, a pair is proved if its gap exceeds the distance that its parts can approach within h. Otherwise its
 * separating direction is fixed: the approach speed along it and a bound on the acceleration limit how long it
 * separates the pair before and after the middle. The pair stays open only in the halves that are not covered.
 * Intervals are always bisected at the middle, so the instants that are checked do not depend on previous queries; and
 * breadth first, so that collisions are found before any part of the motion is proved in detail.
 */
export class MotionProver {
  /** Index of the pair that collides or is unresolved, if the last motion was not certified; −1: none yet. */
  pair = -1;
  /** Time of the motion at which `pair` collides or is unresolved. */
  time = 0;
  /** Number of intervals checked since construction. */
  intervals = 0;
  /** Number of proofs that were begun since construction. @internal */
  proofs = 0;
  /** Minimum distance that is proved, metres: padding of the scene when the prover was created. */
  readonly padding: number;
  private readonly bounds: MotionBounds;
  private readonly near: NearPairs;
  private readonly pairProver: PairProver;
  private readonly interval: Interval = { start: 0, end: 0 };
  private queue = new IntervalQueue();
  /** `posed.poseCount` if the robot is already posed at the middle of the next interval. */
  private poseCount = -1;
  /** Scratch: pairs that stay open in the right half of the current interval. */
  private readonly right: Int32Array;
  // State of the current proof: the next interval; if it was interrupted within that interval, the next pair (`at` >=
  // 0), the start of the pairs that stay open on the left, and the number of those on the right.
  private motion: Motion | undefined;
  private recorder: ProofRecorder | undefined;
  private head = 0;
  private at = -1;
  private leftStart = 0;
  private rightCount = 0;
  /** Pair checks that the last call of `proceed` left unused. @internal */
  checksLeft = Number.POSITIVE_INFINITY;

  /**
   * @param pieceLength longer motions (L2 in joint space) are split into equal pieces of at most this length before the
   * bisection
   */
  constructor(
    /** @internal */
    readonly posed: PosedParts,
    private readonly options: ProverOptions = proverDefaults,
    private readonly pieceLength = Number.POSITIVE_INFINITY,
  ) {
    this.bounds = new MotionBounds(posed);
    this.near = new NearPairs(posed);
    this.pairProver = new PairProver(posed, this.bounds);
    this.padding = posed.model.scene.padding;
    this.right = new Int32Array(posed.model.pairCount);
  }

  /**
   * Sets the maximum joint values (rad, m) of a whole motion, for which the rounding margin is computed: the
   * certificate verifier uses the same, so that it confirms the recorded planes. Undefined (default): the margin is
   * computed from the values in each interval.
   */
  setMaxJointValues(reached: ArrayLike<number> | undefined): void {
    this.bounds.maxJointValues = reached;
  }

  /**
   * Clears all caches: the next proof is a cold start, whose result depends on the motion alone and not on previous
   * ones.
   */
  clearCaches(): void {
    this.pairProver.clearCaches();
  }

  /** Distance beyond the padding that pairs must keep, in proofs without a recorder; undefined: none. */
  set slack(slack: PairSlack | undefined) {
    this.pairProver.slack = slack;
  }

  /** Returns true if this prover was constructed with options of these values. @internal */
  hasOptions(options: ProverOptions, pieceLength: number): boolean {
    return pieceLength === this.pieceLength && areEqualOptions(options, this.options);
  }

  /** Forgets all proofs: the verdict, instants and planes of the next one are those of a new prover. @internal */
  reset(): void {
    this.clearCaches();
    this.setMaxJointValues(undefined);
    this.slack = undefined;
    this.motion = undefined;
    this.recorder = undefined;
    this.poseCount = -1;
    this.pair = -1;
    if (this.queue.bytes > MAX_KEPT_BYTES) this.queue = new IntervalQueue();
  }

  /**
   * Proves a motion collision-free, or finds a collision. Motions with end < start are unresolved.
   * @param recorder receives every separating plane, from which certificates are made
   * @param pairs the pairs to check; default: all
   */
  prove(motion: Motion, recorder?: ProofRecorder, pairs?: readonly number[]): MotionVerdict {
    return this.begin(motion, recorder, pairs) ?? this.proceed(Number.POSITIVE_INFINITY)!;
  }

  /**
   * Starts a proof. Returns the verdict if it is known at once; otherwise undefined, and `proceed` continues.
   * Parameters as of `prove`.
   */
  begin(motion: Motion, recorder?: ProofRecorder, pairs?: readonly number[]): MotionVerdict | undefined {
    return this.posed.use.during(() => this.start(motion, recorder, pairs));
  }

  private start(motion: Motion, recorder?: ProofRecorder, pairs?: readonly number[]): MotionVerdict | undefined {
    const { bounds, near, queue } = this;
    const { pairCount } = this.posed.model;
    this.proofs++;
    // Reject reversed intervals (and NaN): a negative duration would make the bounds negative.
    if (!(motion.end >= motion.start)) return this.finish('unresolved', pairCount - 1, motion.start);
    this.motion = motion;
    this.recorder = recorder;
    this.head = 0;
    this.at = -1;
    queue.clear();
    this.interval.start = motion.start;
    this.interval.end = motion.end;
    bounds.evaluateInterval(motion, this.interval);
    const isList = recorder !== undefined || (pairs !== undefined && pairs.length < boxLimits.from);
    if (isList && pairs) for (const pair of pairs) queue.addPair(pair);
    else if (isList) for (let pair = 0; pair < pairCount; pair++) queue.addPair(pair);
    else {
      const required = this.padding + bounds.margin + (this.pairProver.slack?.most(motion.end) ?? 0);
      const isChecked = pairs && new Uint8Array(pairCount);
      if (isChecked) for (const pair of pairs) isChecked[pair] = 1;
      near.visitAll(bounds, 0.5 * (motion.end - motion.start), required, (pair) => {
        if (isChecked === undefined || isChecked[pair] === 1) queue.addPair(pair);
      });
    }
    if (queue.openEnd === 0) return 'certified';
    const isWhole = recorder !== undefined || !(bounds.length > this.pieceLength);
    this.enqueuePieces(isWhole ? 1 : Math.min(Math.ceil(bounds.length / this.pieceLength), MAX_PIECES));
    return undefined;
  }

  /**
   * Continues the proof for about `checks` pair checks. Returns undefined if they are used up before the motion is
   * decided. The verdict does not depend on where the proof was interrupted.
   */
  proceed(checks: number): MotionVerdict | undefined {
    return this.posed.use.during(() => this.checkIntervals(checks));
  }

  private checkIntervals(checks: number): MotionVerdict | undefined {
    const motion = this.motion!;
    const { queue } = this;
    this.checksLeft = checks;
    const { usesTables = true } = this.options;
    this.pairProver.line = usesTables && motion instanceof StraightMotion ? motion : undefined;
    for (; this.head < queue.length; this.head++) {
      const { head } = this;
      if (head >= this.options.intervals || queue.openEnd > MAX_OPEN_PAIRS || this.recorder?.isFull)
        return this.finish('unresolved', queue.open[queue.first[head]], queue.from[head]);
      if (!(this.checksLeft > 0)) return undefined;
      const verdict = this.checkInterval(motion, head, this.recorder);
      if (verdict !== 'certified') return verdict;
    }
    return 'certified';
  }

  /**
   * Records the planes of those pairs that bounds on speeds alone prove over a whole interval: by their last recorded
   * planes, or by their boxes. Returns the other pairs.
   * @internal
   */
  recordDistantPairs(motion: Motion, interval: Interval, recorder: ProofRecorder, pairs: readonly number[]): number[] {
    const { posed, bounds, pairProver } = this;
    this.poseCount = -1;
    return posed.use.during(() => {
      bounds.evaluateInterval(motion, interval);
      return pairs.filter((pair) => !pairProver.recordDistant(pair, interval, recorder));
    });
  }

  /** Enqueues the motion as `count` equal intervals, each with all open pairs. A single interval is already posed. */
  private enqueuePieces(count: number): void {
    const { interval, queue } = this;
    const { start, end } = interval;
    this.poseCount = count === 1 ? this.posed.poseCount : -1;
    for (let i = 1; i <= count; i++) {
      interval.end = i === count ? end : start + (i / count) * (end - start);
      queue.add(interval, 0);
      interval.start = interval.end;
    }
  }

  /**
   * Checks the open pairs of one interval and enqueues its halves with the pairs that stay open. Returns 'certified' if
   * no collision was found so far; undefined if the checks are used up, interrupted at the pair `at`.
   */
  private checkInterval(motion: Motion, index: number, recorder: ProofRecorder | undefined): MotionVerdict | undefined {
    const { bounds, pairProver, right, options, queue, interval } = this;
    const from = queue.from[index];
    const to = queue.to[index];
    const end = queue.first[index] + queue.count[index];
    const middle = 0.5 * (from + to);
    if (this.at < 0) {
      this.at = queue.first[index];
      this.leftStart = queue.openEnd;
      this.rightCount = 0;
      this.intervals++;
    }
    const { leftStart, at } = this;
    let { rightCount } = this;
    const until = Math.min(end, at + Math.max(1, this.checksLeft));
    this.checksLeft -= until - at + POSE_CHECKS;
    interval.start = from;
    interval.end = to;
    if (this.poseCount !== this.posed.poseCount) bounds.evaluateInterval(motion, interval);
    this.poseCount = -1;
    const slack = (pairProver.slack?.rate ?? 0) * (to - from);
    const isLast = !(bounds.length + slack > options.resolution) || middle <= from || middle >= to;

    const { boxesOnlyFrom = boxLimits.from } = options;
    const hasManyPairs = queue.count[index] >= boxesOnlyFrom && bounds.length > boxLimits.length;
    const boxesOnly = hasManyPairs && !isLast && !recorder;
    for (let i = at; i < until; i++) {
      const pair = queue.open[i];
      const result = pairProver.check(pair, interval, recorder, boxesOnly);
      if (result === PROVED) continue;
      if (result === IN_COLLISION) return this.finish('collision', pair, middle);
      if (isLast) return this.finish('unresolved', pair, middle);
      if (result !== OPEN_RIGHT) queue.addPair(pair);
      if (result !== OPEN_LEFT) right[rightCount++] = pair;
    }
    if (until < end) {
      this.at = until;
      this.rightCount = rightCount;
      return undefined;
    }
    this.at = -1;
    interval.end = middle;
    if (queue.openEnd > leftStart) queue.add(interval, leftStart);
    const rightStart = queue.openEnd;
    for (let i = 0; i < rightCount; i++) queue.addPair(right[i]);
    interval.start = middle;
    interval.end = to;
    if (rightCount > 0) queue.add(interval, rightStart);
    return 'certified';
  }

  /** Stores pair and time of a verdict, and returns it. */
  private finish(verdict: MotionVerdict, pair: number, time: number): MotionVerdict {
    [this.pair, this.time] = [pair, time];
    return verdict;
  }
}
