import { create, rotate, type Transform } from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';
import { GjkDistance } from '../narrowphase/gjk/gjkDistance.ts';
import { stillParts } from '../narrowphase/separatingPlaneCache.ts';
import { type PairCache, Separation } from '../narrowphase/solver.ts';
import { doubled } from '../planning/growArrays.ts';
import { boxDirection } from './boxDirection.ts';
import type { Motion } from './motion.ts';
import { MotionBounds } from './motionBounds.ts';
import { PairCaches } from './pairCaches.ts';
import { BOX_SIZE, type PosedBodies } from './posedBodies.ts';
import { BallGroups } from './sphereClouds.ts';

export type MotionVerdict = 'certified' | 'collision' | 'unresolved';

export const proverDefaults = {
  /** Intervals shorter than this in joint space (L2; rad and m) are not cut again: what is open there is unresolved. */
  resolution: 0.002,
  /** Intervals looked at for one motion before it is unresolved. */
  intervals: 20_000,
};

/** Relative gap of the distance: a lower bound is what a proof needs, its last digits are not. */
const LOOSE_GAP = 0.1;

/** A motion is cut into so many pieces at most before it is looked at. */
const MOST_PIECES = 100;

/** A motion whose proof was interrupted: its intervals, and how far they have been checked. Belongs to the prover that made it. */
export interface SuspendedProof {
  readonly motion: Motion;
  readonly recorder: ProofRecorder | undefined;
  readonly head: number;
  readonly at: number;
  readonly leftStart: number;
  readonly rightCount: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly open: Int32Array;
  readonly openEnd: number;
  readonly queueEnd: number;
  readonly right: Int32Array;
}

/** Bytes of memory that an interrupted proof holds. */
export const bytesOfProof = ({ from, open, right }: SuspendedProof): number =>
  24 * from.length + 4 * (open.length + right.length);

/** Pair checks that posing the bodies for one interval costs about as much as. */
const POSE_CHECKS = 8;

/** Hears of each stretch of time over which one direction (unit, A to B, frame of B) is proved to part a pair. */
export interface ProofRecorder {
  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void;
}

/**
 * Proves a motion free over continuous time, or finds out that it is not (DESIGN: motions that are proved free).
 *
 * Bisection with a list of open pairs: at the middle of an interval of half width h a pair is done if its gap exceeds what it can lose within h.
 * What cannot be shown for any direction is tried along the one that parts the pair now: how long it keeps parting them to the left and
 * to the right is bounded by the speed of approach and an acceleration. Only the half that stays open is cut further, always in
 * its middle: where a motion is looked at does not depend on what was asked before. Breadth first:
 * hits in the middle are found before anything is proved in detail.
 */
export class MotionProver {
  /** What the last motion came to, and where: the pair, the moment, and the least distance there. */
  pair = -1;
  time = 0;
  distanceLower = 0;
  distanceUpper = 0;
  /** Intervals looked at and distances computed since the prover was made. */
  intervals = 0;
  distances = 0;
  private readonly padding: number;
  private readonly bounds: MotionBounds;
  private readonly solver = new GjkDistance({ relativeGap: LOOSE_GAP });
  private readonly exactSolver = new GjkDistance();
  private readonly balls = new BallGroups(this.exactSolver);
  private readonly caches: PairCaches;
  /** Of each cache, the generation that filled it; others are cleared before use. */
  private readonly generations: Int32Array;
  private generation = 0;
  private readonly separation = new Separation();
  private readonly T_b_a: Transform = create();
  private readonly normal: Vec3 = createVec3();
  // The interval at hand, how far the pair at hand can travel within half of it, and its gap; fields, for numbers handed from method to
  // method, or back, may cost an allocation each.
  private start = 0;
  private end = 0;
  private travel = 0;
  private gap = 0;
  // Intervals in the order they are looked at, each with the stretch of `open` that holds its pairs.
  private from = new Float64Array(256);
  private to = new Float64Array(256);
  private first = new Int32Array(256);
  private count = new Int32Array(256);
  private open = new Int32Array(4096);
  private openEnd = 0;
  private queueEnd = 0;
  /** The bodies stand where the next interval asks for. */
  private isPosed = false;
  private right: Int32Array;
  // The motion that is being proved: the interval that comes next, and, where it was interrupted within one, the pair of it that does.
  private motion: Motion | undefined;
  private recorder: ProofRecorder | undefined;
  private head = 0;
  private at = -1;
  private leftStart = 0;
  private rightCount = 0;
  private checksLeft = Number.POSITIVE_INFINITY;

  /** @param piece longer motions (L2 in joint space) are cut into equal pieces no longer than that before anything is looked at */
  constructor(
    private readonly posed: PosedBodies,
    private readonly options: Readonly<typeof proverDefaults> = proverDefaults,
    private readonly piece = Number.POSITIVE_INFINITY,
  ) {
    this.bounds = new MotionBounds(posed);
    const { pairCount, scene } = posed.model;
    this.padding = scene.padding;
    this.caches = new PairCaches(pairCount, true);
    this.generations = new Int32Array(pairCount);
    this.right = new Int32Array(pairCount);
  }

  /**
   * Takes off for rounding what the checker of certificates takes off for these joint values (rad, m; of a whole motion), so that it confirms
   * the planes recorded. Undefined: for the values of each interval.
   */
  reckonWith(reached: ArrayLike<number> | undefined): void {
    this.bounds.reached = reached;
  }

  /** Makes the next motion a cold start, so that its result depends on the motion alone and not on those proved before. */
  forget(): void {
    this.generation++;
  }

  /**
   * @param recorder hears of every proof, when given; certificates are made of that
   * @param pairs the only ones to look at; all of them without
   */
  prove(motion: Motion, recorder?: ProofRecorder, pairs?: readonly number[]): MotionVerdict {
    return this.begin(motion, recorder, pairs) ?? this.proceed(Number.POSITIVE_INFINITY)!;
  }

  /** As `prove`, up to the first interval; undefined: call `proceed` until it returns the verdict. */
  begin(motion: Motion, recorder?: ProofRecorder, pairs?: readonly number[]): MotionVerdict | undefined {
    const { bounds } = this;
    const { pairCount } = this.posed.model;
    // In less than no time bodies would get farther apart than they can.
    if (!(motion.end >= motion.start)) return this.give('unresolved', pairCount - 1, motion.start);
    this.motion = motion;
    this.recorder = recorder;
    this.head = 0;
    this.at = -1;
    this.queueEnd = 0;
    this.openEnd = 0;
    this.start = motion.start;
    this.end = motion.end;
    this.focus(motion);
    if (pairs) for (const pair of pairs) this.leaveOpen(pair);
    else if (recorder) for (let pair = 0; pair < pairCount; pair++) this.leaveOpen(pair);
    else this.openNearPairs();
    if (this.openEnd === 0) return 'certified';
    const pieces =
      recorder || !(bounds.length > this.piece) ? 1 : Math.min(Math.ceil(bounds.length / this.piece), MOST_PIECES);
    this.enqueuePieces(pieces);
    return undefined;
  }

  /**
   * Continues the motion with about as many pair checks; undefined: they are spent, and the motion is not decided. The verdict does not
   * depend on where it was interrupted.
   */
  proceed(checks: number): MotionVerdict | undefined {
    const motion = this.motion!;
    this.checksLeft = checks;
    for (; this.head < this.queueEnd; this.head++) {
      const { head } = this;
      if (head >= this.options.intervals) return this.give('unresolved', this.open[this.first[head]], this.from[head]);
      if (!(this.checksLeft > 0)) return undefined;
      const verdict = this.lookAt(motion, head, this.recorder);
      if (verdict !== 'certified') return verdict;
    }
    return 'certified';
  }

  /** Takes the motion that is not decided yet out of the prover, which may prove others then, until `restore`. */
  suspend(): SuspendedProof {
    const { recorder, head, at, leftStart, rightCount, from, to, first, count, open, openEnd, queueEnd, right } = this;
    this.from = new Float64Array(256);
    this.to = new Float64Array(256);
    this.first = new Int32Array(256);
    this.count = new Int32Array(256);
    this.open = new Int32Array(4096);
    this.right = new Int32Array(right.length);
    const next = { motion: this.motion!, recorder, head, at, leftStart, rightCount };
    return { ...next, from, to, first, count, open, openEnd, queueEnd, right };
  }

  /** Puts a motion back that `suspend` of this prover took out; `proceed` continues it. Where the bodies are posed does not matter. */
  restore(proof: SuspendedProof): void {
    Object.assign(this, proof);
    this.isPosed = false;
    this.forget(); // of what other motions left in the caches nothing may matter
  }

  /** The motion as a row of equal intervals, all with the pairs that are open. One of them is posed already. */
  private enqueuePieces(count: number): void {
    const { start, end } = this;
    this.isPosed = count === 1;
    for (let i = 1; i <= count; i++) {
      this.end = i === count ? end : start + (i / count) * (end - start);
      this.enqueue(0);
      this.start = this.end;
    }
  }

  private focus(motion: Motion): void {
    const { bounds } = this;
    bounds.from = this.start;
    bounds.to = this.end;
    bounds.focus(motion);
  }

  /** Leaves out obstacles whose boxes are too far from a part for all that it can travel over the whole motion: a few of them remain. */
  private openNearPairs(): void {
    const { bounds, posed } = this;
    const { tree, model } = posed;
    const { groupPart, groupStart, selfStart, pairWith, standing } = model;
    const half = 0.5 * (this.end - this.start);
    for (let group = 0; group < groupPart.length; group++) {
      const part = groupPart[group];
      const first = groupStart[group];
      if (selfStart[group] > first) {
        const reach = bounds.speed(first) * half + this.padding + bounds.margin;
        if (tree) {
          tree.query(part, reach);
          for (let i = 0; i < tree.count; i++) {
            const pair = pairWith[part * standing.length + tree.found[i]];
            if (pair >= 0) this.leaveOpen(pair);
          }
        } else this.openWithin(part, first, selfStart[group], reach);
      }
      for (let pair = selfStart[group]; pair < groupStart[group + 1]; pair++) this.leaveOpen(pair);
    }
  }

  /** Of a run of pairs of a part, those whose boxes are not proved to be farther than `reach` apart along an axis. */
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
      this.leaveOpen(pair);
    }
  }

  /**
   * One interval: settles what it can and leaves the rest to its halves. 'certified' means: nothing against it yet; undefined: interrupted
   * at the pair `at`, for the checks are spent.
   */
  private lookAt(motion: Motion, index: number, recorder: ProofRecorder | undefined): MotionVerdict | undefined {
    const { bounds, right, options, posed } = this;
    const from = this.from[index];
    const to = this.to[index];
    const end = this.first[index] + this.count[index];
    const middle = 0.5 * (from + to);
    const half = 0.5 * (to - from);
    if (this.at < 0) {
      this.at = this.first[index];
      this.leftStart = this.openEnd;
      this.rightCount = 0;
      this.intervals++;
    }
    const { leftStart, at } = this;
    let { rightCount } = this;
    const until = Math.min(end, at + Math.max(1, this.checksLeft));
    this.checksLeft -= until - at + POSE_CHECKS;
    this.start = from;
    this.end = to;
    if (!this.isPosed) this.focus(motion);
    this.isPosed = false;
    const isLast = !(bounds.length > options.resolution) || middle <= from || middle >= to;

    for (let i = at; i < until; i++) {
      const pair = this.open[i];
      this.travel = bounds.speed(pair) * half;
      if (this.boxesProve(pair, recorder)) continue;
      posed.relativePose(this.T_b_a, pair);
      if (!recorder && this.knownPlaneProves(pair)) continue;
      this.findGap(pair);
      if (this.distanceUpper <= this.padding && !this.onlyHullMeets(pair)) return this.give('collision', pair, middle);
      if (this.gap > this.travel) {
        recorder?.record(pair, from, to, ...this.parting());
        continue;
      }
      bounds.reachLeft = 0;
      bounds.reachRight = 0;
      if (this.gap > 0) this.reachAlongNormal(pair, recorder);
      const openLeft = !(bounds.reachLeft >= half);
      const openRight = !(bounds.reachRight >= half);
      if ((openLeft || openRight) && !recorder && this.ballsProve(pair)) continue;
      if (isLast && (openLeft || openRight)) return this.give('unresolved', pair, middle);
      if (openLeft) this.leaveOpen(pair);
      if (openRight) right[rightCount++] = pair;
    }
    if (until < end) {
      this.at = until;
      this.rightCount = rightCount;
      return undefined;
    }
    this.at = -1;
    this.end = middle;
    if (this.openEnd > leftStart) this.enqueue(leftStart);
    const rightStart = this.openEnd;
    for (let i = 0; i < rightCount; i++) this.leaveOpen(right[i]);
    this.start = middle;
    this.end = to;
    if (rightCount > 0) this.enqueue(rightStart);
    return 'certified';
  }

  /** Boxes farther apart than the pair can travel need no closer look. */
  private boxesProve(pair: number, recorder: ProofRecorder | undefined): boolean {
    const { posed } = this;
    const needed = this.travel + this.padding + this.bounds.margin;
    if (!(posed.boxDistanceSquared(pair) > needed * needed)) return false;
    if (recorder) {
      boxDirection(this.separation.normal, posed, pair);
      recorder.record(pair, this.start, this.end, ...this.parting());
    }
    return true;
  }

  /** By planes that cost no search: those of the boxes in the bodies' own frames, and the one that parted the pair last. */
  private knownPlaneProves(pair: number): boolean {
    const { posed, separation, T_b_a, travel, bounds } = this;
    const { shapes, model } = posed;
    const least = this.padding + bounds.margin;
    const gap = posed.turnedBoxGap(separation.normal, T_b_a, pair) - least;
    if (gap > travel || (gap > 0 && bounds.keepsApart(pair, separation.normal, gap))) return true;
    const cache = this.cacheOf(pair);
    if (!cache.hasAxis) return false;
    if (!stillParts(shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], least, cache)) return false;
    return cache.gap - least > travel || bounds.keepsApart(pair, cache.axis, cache.gap - least);
  }

  /** True if the balls of a part are apart from A where the hull around them is not. */
  private onlyHullMeets(pair: number): boolean {
    if (!this.posed.model.hasBalls(pair)) return false;
    this.findBallDistance(pair, Number.POSITIVE_INFINITY);
    return this.distanceLower > this.padding;
  }

  /** Balls farther apart from A than the pair can travel need no closer look, wherever the hull around them is. No one plane shows that. */
  private ballsProve(pair: number): boolean {
    if (!this.posed.model.hasBalls(pair)) return false;
    const needed = this.travel + this.padding + this.bounds.margin;
    this.findBallDistance(pair, needed * (1 + LOOSE_GAP));
    return this.distanceLower > needed;
  }

  private findBallDistance(pair: number, stopAt: number): void {
    const { posed, separation, T_b_a, balls } = this;
    const { shapes, model } = posed;
    posed.relativePose(T_b_a, pair);
    balls.distance(separation, shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], stopAt);
    this.distanceLower = separation.distance.lower;
    this.distanceUpper = separation.distance.upper;
  }

  /** Finds `gap`, that of a pair beyond padding and margin, with its normal; looked at as closely as `travel` asks for. Metres. */
  private findGap(pair: number): void {
    const { posed, separation, T_b_a, solver, bounds } = this;
    const { shapes, model } = posed;
    const a = shapes[model.pairA[pair]];
    const b = shapes[model.pairB[pair]];
    const least = this.padding + bounds.margin;
    this.distances++;
    solver.stopAt = least + this.travel;
    const cache = this.cacheOf(pair);
    solver.solve(separation, a, T_b_a, b, cache);
    const { distance } = separation;
    // The loose bounds do not tell on which side of the padding the pair is: look closely.
    if (distance.lower <= least && distance.upper > this.padding)
      this.exactSolver.distance(separation, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    this.distanceLower = distance.lower;
    this.distanceUpper = distance.upper;
    this.gap = distance.lower - least;
  }

  /** What is known of a pair since the last `forget`. */
  private cacheOf(pair: number): PairCache {
    const cache = this.caches.of(pair);
    if (this.generations[pair] === this.generation) return cache;
    this.generations[pair] = this.generation;
    cache.clear();
    return cache;
  }

  private reachAlongNormal(pair: number, recorder: ProofRecorder | undefined): void {
    const { posed, bounds, normal, separation, start, end } = this;
    rotate(normal, posed.T_world_part[posed.model.pairB[pair]], separation.normal);
    bounds.gap = this.gap;
    bounds.reaches(pair, normal);
    if (!recorder) return;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    // What is not left open reaches the end to the last digit: `middle - half` may be rounded away from it.
    const left = bounds.reachLeft >= half ? start : middle - bounds.reachLeft;
    const right = bounds.reachRight >= half ? end : middle + bounds.reachRight;
    recorder.record(pair, left, right, ...this.parting());
  }

  private parting(): [number, number, number] {
    const { normal } = this.separation;
    return [normal[0], normal[1], normal[2]];
  }

  private give(verdict: MotionVerdict, pair: number, time: number): MotionVerdict {
    this.pair = pair;
    this.time = time;
    return verdict;
  }

  private leaveOpen(pair: number): void {
    if (this.openEnd === this.open.length) this.open = doubled(this.open);
    this.open[this.openEnd++] = pair;
  }

  /** Puts the interval from `start` to `end` last in the queue; its pairs stand in `open` from `first` on. */
  private enqueue(first: number): void {
    if (this.queueEnd === this.from.length) {
      this.from = doubled(this.from);
      this.to = doubled(this.to);
      this.first = doubled(this.first);
      this.count = doubled(this.count);
    }
    this.from[this.queueEnd] = this.start;
    this.to[this.queueEnd] = this.end;
    this.first[this.queueEnd] = first;
    this.count[this.queueEnd++] = this.openEnd - first;
  }
}
