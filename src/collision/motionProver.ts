import { create, rotate, type Transform } from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';
import { GjkDistance } from '../narrowphase/gjk/gjkDistance.ts';
import { cachedPlaneSeparates } from '../narrowphase/separatingPlaneCache.ts';
import { type PairCache, Separation } from '../narrowphase/solver.ts';
import { boxDirection } from './boxDirection.ts';
import { type Interval, IntervalQueue } from './intervalQueue.ts';
import type { Motion } from './motion.ts';
import { MotionBounds } from './motionBounds.ts';
import { PairCaches } from './pairCaches.ts';
import { BOX_SIZE, type PosedParts } from './posedBodies.ts';
import { SphereClouds } from './sphereClouds.ts';

/** Proved collision-free, in collision at some instant, or neither. */
export type MotionVerdict = 'certified' | 'collision' | 'unresolved';

/** Default limits of the bisection. */
export const proverDefaults = {
  /**
   * Intervals shorter than this in joint space (L2; rad and m) are not bisected: a pair that is open there is
   * unresolved.
   */
  resolution: 0.002,
  /** Maximum number of intervals of one motion; a motion that needs more is unresolved. */
  intervals: 20_000,
};

/**
 * Relative gap between the bounds on a distance at which the solver stops: a proof needs a lower bound, not its last
 * digits.
 */
const LOOSE_GAP = 0.1;

/** Maximum number of pieces into which a motion is split before the bisection. */
const MAX_PIECES = 100;

/**
 * Suspended proof: the queue of intervals and the position in it. Can be restored only by the prover that created it.
 */
export interface SuspendedProof {
  readonly motion: Motion;
  readonly recorder: ProofRecorder | undefined;
  readonly queue: IntervalQueue;
  readonly head: number;
  readonly at: number;
  readonly leftStart: number;
  readonly rightCount: number;
  readonly right: Int32Array;
}

/** Returns the bytes of memory that a suspended proof holds. */
export const bytesOfProof = ({ queue, right }: SuspendedProof): number => queue.bytes + 4 * right.length;

/** Approximate cost of posing the robot for one interval, in pair checks. */
const POSE_CHECKS = 8;

/** Receives each time interval in which a fixed direction (unit, A to B, frame of B) is proved to separate a pair. */
export interface ProofRecorder {
  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void;
}

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
  /**
   * If the last motion was not certified: the pair and the time of the collision or of the unresolved interval.
   * `distanceLower` and `distanceUpper` are the bounds (metres) of the last distance query.
   */
  pair = -1;
  time = 0;
  distanceLower = 0;
  distanceUpper = 0;
  /** Number of intervals checked and distances computed since construction. */
  intervals = 0;
  distances = 0;
  private readonly padding: number;
  private readonly bounds: MotionBounds;
  private readonly solver = new GjkDistance({ relativeGap: LOOSE_GAP });
  private readonly exactSolver = new GjkDistance();
  private readonly sphereClouds = new SphereClouds(this.exactSolver);
  private readonly caches: PairCaches;
  /** Generation in which each cache was filled; older caches are cleared before use. */
  private readonly generations: Int32Array;
  private generation = 0;
  private readonly separation = new Separation();
  private readonly T_b_a: Transform = create();
  private readonly normal: Vec3 = createVec3();
  // The current interval; of the current pair, the distance that its parts can approach within half of it, and the gap
  // beyond padding and margin (metres). Fields, because floating-point arguments and results of calls that are not
  // inlined are allocated on the heap.
  private readonly interval: Interval = { start: 0, end: 0 };
  private approach = 0;
  private gap = 0;
  private queue = new IntervalQueue();
  /** True if the robot is already posed at the middle of the next interval. */
  private isPosed = false;
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
  private checksLeft = Number.POSITIVE_INFINITY;

  /**
   * @param pieceLength longer motions (L2 in joint space) are split into equal pieces of at most this length before the
   * bisection
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly options: Readonly<typeof proverDefaults> = proverDefaults,
    private readonly pieceLength = Number.POSITIVE_INFINITY,
  ) {
    this.bounds = new MotionBounds(posed);
    const { pairCount, scene } = posed.model;
    this.padding = scene.padding;
    this.caches = new PairCaches(pairCount, true);
    this.generations = new Int32Array(pairCount);
    this.right = new Int32Array(pairCount);
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
    this.generation++;
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
    const { bounds } = this;
    const { pairCount } = this.posed.model;
    // Reject reversed intervals (and NaN): a negative duration would make the bounds negative.
    if (!(motion.end >= motion.start)) return this.finish('unresolved', pairCount - 1, motion.start);
    this.motion = motion;
    this.recorder = recorder;
    this.head = 0;
    this.at = -1;
    this.queue.clear();
    this.interval.start = motion.start;
    this.interval.end = motion.end;
    this.evaluateInterval(motion);
    if (pairs) for (const pair of pairs) this.queue.addPair(pair);
    else if (recorder) for (let pair = 0; pair < pairCount; pair++) this.queue.addPair(pair);
    else this.openNearPairs();
    if (this.queue.openEnd === 0) return 'certified';
    const pieces =
      recorder || !(bounds.length > this.pieceLength)
        ? 1
        : Math.min(Math.ceil(bounds.length / this.pieceLength), MAX_PIECES);
    this.enqueuePieces(pieces);
    return undefined;
  }

  /**
   * Continues the proof for about `checks` pair checks. Returns undefined if they are used up before the motion is
   * decided. The verdict does not depend on where the proof was interrupted.
   */
  proceed(checks: number): MotionVerdict | undefined {
    const motion = this.motion!;
    const { queue } = this;
    this.checksLeft = checks;
    for (; this.head < queue.length; this.head++) {
      const { head } = this;
      if (head >= this.options.intervals)
        return this.finish('unresolved', queue.open[queue.first[head]], queue.from[head]);
      if (!(this.checksLeft > 0)) return undefined;
      const verdict = this.checkInterval(motion, head, this.recorder);
      if (verdict !== 'certified') return verdict;
    }
    return 'certified';
  }

  /** Moves the state of an undecided proof out of the prover, which may then prove other motions. */
  suspend(): SuspendedProof {
    const { recorder, queue, head, at, leftStart, rightCount } = this;
    this.queue = new IntervalQueue();
    const right = this.right.slice(0, rightCount);
    return { motion: this.motion!, recorder, queue, head, at, leftStart, rightCount, right };
  }

  /** Restores a proof that `suspend` of this prover returned; `proceed` continues it. */
  restore(proof: SuspendedProof): void {
    const { right, ...rest } = proof;
    Object.assign(this, rest);
    this.right.set(right);
    this.isPosed = false;
    this.clearCaches(); // the verdict must not depend on other motions
  }

  /** Enqueues the motion as `count` equal intervals, each with all open pairs. A single interval is already posed. */
  private enqueuePieces(count: number): void {
    const { interval, queue } = this;
    const { start, end } = interval;
    this.isPosed = count === 1;
    for (let i = 1; i <= count; i++) {
      interval.end = i === count ? end : start + (i / count) * (end - start);
      queue.add(interval, 0);
      interval.start = interval.end;
    }
  }

  /** Poses the robot at the middle of the current interval and evaluates the bounds over it. */
  private evaluateInterval(motion: Motion): void {
    const { bounds } = this;
    bounds.from = this.interval.start;
    bounds.to = this.interval.end;
    bounds.evaluateInterval(motion);
  }

  /**
   * Broad phase over the whole motion: opens all self-collision pairs, and those obstacles whose boxes a part may
   * reach.
   */
  private openNearPairs(): void {
    const { bounds, posed } = this;
    const { tree, model } = posed;
    const { groupPart, groupStart, selfStart, obstaclePair, obstacleParts } = model;
    const half = 0.5 * (this.interval.end - this.interval.start);
    for (let group = 0; group < groupPart.length; group++) {
      const part = groupPart[group];
      const first = groupStart[group];
      if (selfStart[group] > first) {
        const reach = bounds.speed(first) * half + this.padding + bounds.margin;
        if (tree) {
          tree.query(part, reach);
          for (let i = 0; i < tree.count; i++) {
            const pair = obstaclePair[part * obstacleParts.length + tree.found[i]];
            if (pair >= 0) this.queue.addPair(pair);
          }
        } else this.openWithin(part, first, selfStart[group], reach);
      }
      for (let pair = selfStart[group]; pair < groupStart[group + 1]; pair++) this.queue.addPair(pair);
    }
  }

  /**
   * Opens the pairs from `from` to `to` − 1 of a part whose boxes are not proved to be more than `reach` apart along an
   * axis.
   */
  private openWithin(part: number, from: number, to: number, reach: number): void {
    const { boxes, model } = this.posed;
    const { pairB } = model;
    const a = BOX_SIZE * part;
    const minX = boxes[a] - reach;
    const minY = boxes[a + 1] - reach;
    const minZ = boxes[a + 2] - reach;
    const maxX = boxes[a + 3] + reach;
    const maxY = boxes[a + 4] + reach;
    const maxZ = boxes[a + 5] + reach;
    for (let pair = from; pair < to; pair++) {
      const b = BOX_SIZE * pairB[pair];
      if (minX > boxes[b + 3] || maxX < boxes[b] || minY > boxes[b + 4]) continue;
      if (maxY < boxes[b + 1] || minZ > boxes[b + 5] || maxZ < boxes[b + 2]) continue;
      this.queue.addPair(pair);
    }
  }

  /**
   * Checks the open pairs of one interval and enqueues its halves with the pairs that stay open. Returns 'certified' if
   * no collision was found so far; undefined if the checks are used up, interrupted at the pair `at`.
   */
  private checkInterval(motion: Motion, index: number, recorder: ProofRecorder | undefined): MotionVerdict | undefined {
    const { bounds, right, options, posed, queue, interval } = this;
    const from = queue.from[index];
    const to = queue.to[index];
    const end = queue.first[index] + queue.count[index];
    const middle = 0.5 * (from + to);
    const half = 0.5 * (to - from);
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
    if (!this.isPosed) this.evaluateInterval(motion);
    this.isPosed = false;
    const isLast = !(bounds.length > options.resolution) || middle <= from || middle >= to;

    for (let i = at; i < until; i++) {
      const pair = queue.open[i];
      this.approach = bounds.speed(pair) * half;
      if (this.boxesSeparate(pair, recorder)) continue;
      posed.relativePose(this.T_b_a, pair);
      if (!recorder && this.knownPlaneSeparates(pair)) continue;
      this.computeGap(pair);
      if (this.distanceUpper <= this.padding && !this.onlyHullCollides(pair))
        return this.finish('collision', pair, middle);
      if (this.gap > this.approach) {
        recorder?.record(pair, from, to, ...this.currentNormal());
        continue;
      }
      bounds.separationTimeBefore = 0;
      bounds.separationTimeAfter = 0;
      if (this.gap > 0) this.fixNormal(pair, recorder);
      const openLeft = !(bounds.separationTimeBefore >= half);
      const openRight = !(bounds.separationTimeAfter >= half);
      if ((openLeft || openRight) && !recorder && this.spheresSeparate(pair)) continue;
      if (isLast && (openLeft || openRight)) return this.finish('unresolved', pair, middle);
      if (openLeft) queue.addPair(pair);
      if (openRight) right[rightCount++] = pair;
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

  /**
   * Returns true if the distance of the world boxes exceeds the approach within half the interval; records the plane.
   */
  private boxesSeparate(pair: number, recorder: ProofRecorder | undefined): boolean {
    const { posed } = this;
    const needed = this.approach + this.padding + this.bounds.margin;
    if (!(posed.boxDistanceSquared(pair) > needed * needed)) return false;
    if (recorder) {
      boxDirection(this.separation.normal, posed, pair);
      recorder.record(pair, this.interval.start, this.interval.end, ...this.currentNormal());
    }
    return true;
  }

  /**
   * Returns true if a known plane separates the pair over the interval: a face of an oriented bounding box, or the
   * cached separating plane.
   */
  private knownPlaneSeparates(pair: number): boolean {
    const { posed, separation, T_b_a, approach, bounds } = this;
    const { shapes, model } = posed;
    const minDistance = this.padding + bounds.margin;
    const gap = posed.orientedBoxGap(separation.normal, T_b_a, pair) - minDistance;
    if (gap > approach || (gap > 0 && bounds.staysSeparated(pair, separation.normal, gap))) return true;
    const cache = this.cacheOf(pair);
    if (!cache.hasAxis) return false;
    if (!cachedPlaneSeparates(shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], minDistance, cache))
      return false;
    return cache.gap - minDistance > approach || bounds.staysSeparated(pair, cache.axis, cache.gap - minDistance);
  }

  /**
   * Returns true if B is a sphere cloud that is not in collision with A, although its convex hull is. Updates the
   * distance bounds.
   */
  private onlyHullCollides(pair: number): boolean {
    if (!this.posed.model.hasSphereCloud(pair)) return false;
    this.computeSphereDistance(pair, Number.POSITIVE_INFINITY);
    return this.distanceLower > this.padding;
  }

  /**
   * Returns true if B is a sphere cloud whose distance to A exceeds the approach within half the interval, wherever its
   * convex hull is. Not for certificates: there need not be a single separating plane.
   */
  private spheresSeparate(pair: number): boolean {
    if (!this.posed.model.hasSphereCloud(pair)) return false;
    const needed = this.approach + this.padding + this.bounds.margin;
    this.computeSphereDistance(pair, needed * (1 + LOOSE_GAP));
    return this.distanceLower > needed;
  }

  private computeSphereDistance(pair: number, stopAt: number): void {
    const { posed, separation, T_b_a, sphereClouds } = this;
    const { shapes, model } = posed;
    posed.relativePose(T_b_a, pair);
    sphereClouds.distance(separation, shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], stopAt);
    this.distanceLower = separation.distance.lower;
    this.distanceUpper = separation.distance.upper;
  }

  /**
   * Computes `gap`, the lower bound on the distance of a pair less padding and margin (metres), and its normal; stops
   * once it exceeds `approach`.
   */
  private computeGap(pair: number): void {
    const { posed, separation, T_b_a, solver, bounds } = this;
    const { shapes, model } = posed;
    const a = shapes[model.pairA[pair]];
    const b = shapes[model.pairB[pair]];
    const minDistance = this.padding + bounds.margin;
    this.distances++;
    solver.stopAt = minDistance + this.approach;
    const cache = this.cacheOf(pair);
    solver.solve(separation, a, T_b_a, b, cache);
    const { distance } = separation;
    // The loose bounds do not decide whether the distance exceeds the padding: compute it exactly.
    if (distance.lower <= minDistance && distance.upper > this.padding)
      this.exactSolver.distance(separation, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    this.distanceLower = distance.lower;
    this.distanceUpper = distance.upper;
    this.gap = distance.lower - minDistance;
  }

  /** Returns the cache of a pair, cleared if it was filled before the last cold start. */
  private cacheOf(pair: number): PairCache {
    const cache = this.caches.of(pair);
    if (this.generations[pair] === this.generation) return cache;
    this.generations[pair] = this.generation;
    cache.clear();
    return cache;
  }

  /** Computes for how long the normal of the current distance separates the pair; records that interval. */
  private fixNormal(pair: number, recorder: ProofRecorder | undefined): void {
    const { posed, bounds, normal, separation } = this;
    const { start, end } = this.interval;
    rotate(normal, posed.T_world_part[posed.model.pairB[pair]], separation.normal);
    bounds.gap = this.gap;
    bounds.computeSeparationTimes(pair, normal);
    if (!recorder) return;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    // A proved half ends exactly at the interval end, from which `middle - half` may differ by rounding.
    const left = bounds.separationTimeBefore >= half ? start : middle - bounds.separationTimeBefore;
    const right = bounds.separationTimeAfter >= half ? end : middle + bounds.separationTimeAfter;
    recorder.record(pair, left, right, ...this.currentNormal());
  }

  /** Normal of the current separation. */
  private currentNormal(): [number, number, number] {
    const { normal } = this.separation;
    return [normal[0], normal[1], normal[2]];
  }

  /** Stores pair and time of a verdict, and returns it. */
  private finish(verdict: MotionVerdict, pair: number, time: number): MotionVerdict {
    this.pair = pair;
    this.time = time;
    return verdict;
  }
}
