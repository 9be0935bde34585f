import { create, rotate, type Transform } from '../../math/transform.ts';
import { create as createVec3, type Vec3 } from '../../math/vec3.ts';
import { GjkDistance } from '../../narrowphase/gjk/gjkDistance.ts';
import { cachedPlaneSeparates } from '../../narrowphase/separatingPlaneCache.generated.ts';
import { type PairCache, Separation } from '../../narrowphase/solver.ts';
import type { SeparationTimes } from '../bounds/chainBounds.ts';
import type { MotionBounds } from '../bounds/motionBounds.ts';
import { createBoxGap } from '../model/orientedBoxes.ts';
import { boxDirection, type PosedParts } from '../model/posedParts.ts';
import { SphereClouds } from '../model/sphereClouds.ts';
import { SelfPairTables } from '../selfPairs/selfPairTables.ts';
import { PairCaches } from '../states/pairCaches.ts';
import type { Interval } from './intervalQueue.ts';
import { KEPT_SHARE, KeptPlanes, type PairLengths } from './keptPlanes.ts';
import type { StraightMotion } from './motion.ts';
import type { PairSlack } from './pairSlack.ts';

/** Receives each time interval in which a fixed direction (unit, A to B, frame of B) is proved to separate a pair. */
export interface ProofRecorder {
  /**
   * Receives one time interval. `pair`: index of the pair in the collision model; `from`, `to`: times of the motion;
   * the normal (nx, ny, nz).
   */
  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void;
  /**
   * True: planes that are known before a distance is computed (faces of bounding boxes, the cached plane) are recorded,
   * too, so that the verdicts are those without a recorder. Otherwise the pair is proved by its current distance.
   */
  readonly takesKnownPlanes?: boolean;
  /** True: it accepts no more intervals, and the prover stops before the next one; the motion is unresolved. */
  readonly isFull?: boolean;
}

/**
 * Relative gap between the bounds on a distance at which the solver stops: a proof needs a lower bound, not its last
 * digits.
 */
const LOOSE_GAP = 0.1;

/** Metres: with larger rounding margins, in worlds of kilometres, tables are not used. */
const MAX_TABLE_MARGIN = 5e-7;

/** Results of `PairProver.check`: proved over the whole interval; open in one half or in both; in collision. */
export const PROVED = 0;
export const OPEN_LEFT = 1;
export const OPEN_RIGHT = 2;
export const IN_COLLISION = 4;

/**
 * Checks one pair over the current interval of a motion, at whose middle the robot is posed: whether it is in collision
 * there, and for which halves of the interval it is proved to be separated.
 */
export class PairProver {
  /** The motion that is proved, if it is a straight line: tables then prove self-collision pairs. */
  line: StraightMotion | undefined;
  /** Distance beyond the padding that pairs must keep; undefined: none. */
  slack: PairSlack | undefined;
  private readonly padding: number;
  private readonly tables: SelfPairTables;
  private readonly solver: GjkDistance;
  private createdExact: GjkDistance | undefined;
  private createdClouds: SphereClouds | undefined;
  private readonly caches: PairCaches;
  /** Generation in which each cache was filled; older caches are cleared before use. */
  private readonly generations: Int32Array;
  private generation = 0;
  private readonly kept: KeptPlanes;
  // Scratch.
  /** `contact`: at this distance the pair is in collision at the middle: padding and slack. */
  private readonly lengths: PairLengths & { contact: number } = { approach: 0, required: 0, contact: 0 };
  private readonly times: SeparationTimes = { gap: 0, before: 0, after: 0 };
  private readonly boxGap = createBoxGap();
  private readonly separation = new Separation();
  private readonly T_b_a: Transform = create();
  private readonly normal: Vec3 = createVec3();

  /**
   * @param bounds evaluated for the interval that is checked
   * @param relativeGap of the bounds on a distance
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly bounds: MotionBounds,
    relativeGap = LOOSE_GAP,
  ) {
    this.solver = new GjkDistance({ relativeGap });
    const { pairCount, scene } = posed.model;
    this.padding = scene.padding;
    this.tables = SelfPairTables.of(posed.model);
    this.caches = new PairCaches(pairCount, true);
    this.generations = new Int32Array(pairCount);
    this.kept = new KeptPlanes(posed, bounds);
  }

  private get exactSolver(): GjkDistance {
    this.createdExact ??= new GjkDistance();
    return this.createdExact;
  }

  private get sphereClouds(): SphereClouds {
    this.createdClouds ??= new SphereClouds(this.exactSolver);
    return this.createdClouds;
  }

  /** Clears all caches: the next checks are cold starts, which depend on the motion alone and not on previous ones. */
  clearCaches(): void {
    this.generation++;
    this.kept.clear();
  }

  /**
   * Returns PROVED, OPEN_LEFT, OPEN_RIGHT or their sum, or IN_COLLISION. The last recorded plane or world boxes prove
   * most pairs.
   * @param boxesOnly a pair whose world boxes separate it at the middle of the interval, but not throughout, stays open
   */
  check(pair: number, interval: Interval, recorder: ProofRecorder | undefined, boxesOnly = false): number {
    const { posed, lengths } = this;
    this.boundLengths(pair, interval);
    if (recorder && this.recordKeptPlane(pair, interval, recorder)) return PROVED;
    const { approach, required } = lengths;
    const needed = approach + required;
    const distanceSquared = posed.boxDistanceSquared(pair);
    if (distanceSquared > needed * needed) {
      if (recorder) this.recordBoxPlane(pair, interval, Math.sqrt(distanceSquared) - required, recorder);
      return PROVED;
    }
    if (boxesOnly && distanceSquared > required * required) return OPEN_LEFT + OPEN_RIGHT;
    return this.checkNearPair(pair, interval, recorder);
  }

  /**
   * Returns true if the last recorded plane, or that between the world boxes, keeps its share of the gap throughout the
   * interval by the bound on the speed alone, and records it. Accelerations need not be bounded.
   */
  recordDistant(pair: number, interval: Interval, recorder: ProofRecorder): boolean {
    this.boundLengths(pair, interval);
    const { approach, required } = this.lengths;
    if (this.recordKeptPlane(pair, interval, recorder, true)) return true;
    const gap = Math.sqrt(this.posed.boxDistanceSquared(pair)) - required;
    if (!((1 - KEPT_SHARE) * gap > approach)) return false;
    this.recordBoxPlane(pair, interval, gap, recorder);
    return true;
  }

  /** Computes the lengths of a pair for the current interval. */
  private boundLengths(pair: number, { start, end }: Interval): void {
    const { bounds, lengths, slack } = this;
    lengths.approach = bounds.speed(pair) * (0.5 * (end - start));
    lengths.required = this.padding + bounds.margin;
    lengths.contact = this.padding;
    if (slack === undefined) return;
    lengths.required += slack.at(pair, end); // it does not decrease: that of the end holds over the whole interval
    lengths.contact += slack.at(pair, 0.5 * (start + end));
  }

  /** Checks a pair whose world boxes do not separate it. */
  private checkNearPair(pair: number, interval: Interval, recorder: ProofRecorder | undefined): number {
    const { lengths, times } = this;
    const { distance } = this.separation;
    if (!recorder && this.tableSeparates(pair, interval)) return PROVED;
    this.posed.relativePose(this.T_b_a, pair);
    if ((!recorder || recorder.takesKnownPlanes) && this.knownPlaneSeparates(pair, interval, recorder)) return PROVED;
    this.computeDistance(pair);
    times.gap = distance.lower - lengths.required;
    if (distance.upper <= lengths.contact && !this.onlyHullCollides(pair)) return IN_COLLISION;
    if (times.gap > lengths.approach) {
      if (recorder) this.recordPlane(pair, interval.start, interval.end, times.gap, recorder);
      return PROVED;
    }
    const half = 0.5 * (interval.end - interval.start);
    times.before = 0;
    times.after = 0;
    if (times.gap > 0) this.fixNormal(pair, interval, recorder);
    const open = (times.before >= half ? 0 : OPEN_LEFT) + (times.after >= half ? 0 : OPEN_RIGHT);
    return open !== PROVED && !recorder && this.spheresSeparate(pair) ? PROVED : open;
  }

  /** Returns true if a table proves that the pair is separated over an interval of the current line. */
  private tableSeparates(pair: number, { start, end }: Interval): boolean {
    const { line, tables, bounds, padding, slack } = this;
    if (line === undefined || slack !== undefined || !(bounds.margin <= MAX_TABLE_MARGIN)) return false;
    return tables.separatesLine(pair, line, start, end, padding);
  }

  /** Records the last recorded plane of a pair for one more interval; returns true if it separates the pair there. */
  private recordKeptPlane(pair: number, interval: Interval, recorder: ProofRecorder, onlySpeeds = false): boolean {
    const n = this.kept.extend(pair, interval, this.lengths, onlySpeeds);
    if (n === undefined) return false;
    recorder.record(pair, interval.start, interval.end, n[0], n[1], n[2]);
    return true;
  }

  /** Records the plane that separates the world boxes of a pair over an interval. */
  private recordBoxPlane(pair: number, { start, end }: Interval, gap: number, recorder: ProofRecorder): void {
    boxDirection(this.separation.normal, this.posed, pair);
    this.recordPlane(pair, start, end, gap, recorder);
  }

  /** Records the normal of the current separation, which is found at a gap beyond the required distance. */
  private recordPlane(pair: number, from: number, to: number, gap: number, recorder: ProofRecorder): void {
    const { normal } = this.separation;
    this.kept.store(pair, to, gap, normal);
    recorder.record(pair, from, to, normal[0], normal[1], normal[2]);
  }

  /**
   * Returns true if a known plane separates the pair over the interval: a face of an oriented bounding box, or the
   * cached separating plane.
   */
  private knownPlaneSeparates(pair: number, { start, end }: Interval, recorder: ProofRecorder | undefined): boolean {
    const { posed, boxGap, T_b_a, bounds } = this;
    const { approach, required } = this.lengths;
    const { shapes, model } = posed;
    boxGap.enough = approach + required;
    posed.orientedBoxes.computeGap(boxGap, T_b_a, model.pairA[pair], model.pairB[pair]);
    const gap = boxGap.gap - required;
    if (gap > approach || (gap > 0 && bounds.staysSeparated(pair, boxGap.normal, gap))) {
      if (recorder) {
        boxGap.enough = Number.POSITIVE_INFINITY; // the first normal of enough gap is not kept
        posed.orientedBoxes.computeGap(boxGap, T_b_a, model.pairA[pair], model.pairB[pair]);
        recorder.record(pair, start, end, boxGap.normal[0], boxGap.normal[1], boxGap.normal[2]);
      }
      return true;
    }
    const cache = this.cacheOf(pair);
    if (!cache.hasAxis) return false;
    if (!cachedPlaneSeparates(shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], required, cache))
      return false;
    const { axis } = cache;
    if (!(cache.gap - required > approach || bounds.staysSeparated(pair, axis, cache.gap - required))) return false;
    recorder?.record(pair, start, end, axis[0], axis[1], axis[2]);
    return true;
  }

  /** Returns true if B is a sphere cloud that is not in collision with A, although its convex hull is. */
  private onlyHullCollides(pair: number): boolean {
    if (!this.posed.model.hasSphereCloud(pair)) return false;
    this.computeSphereDistance(pair, Number.POSITIVE_INFINITY);
    return this.separation.distance.lower > this.lengths.contact;
  }

  /**
   * Returns true if B is a sphere cloud whose distance to A exceeds the approach within half the interval, wherever its
   * convex hull is. Not for certificates: there need not be a single separating plane.
   */
  private spheresSeparate(pair: number): boolean {
    if (!this.posed.model.hasSphereCloud(pair)) return false;
    const needed = this.lengths.approach + this.lengths.required;
    this.computeSphereDistance(pair, needed * (1 + LOOSE_GAP));
    return this.separation.distance.lower > needed;
  }

  private computeSphereDistance(pair: number, stopAt: number): void {
    const { posed, separation, T_b_a, sphereClouds } = this;
    const { shapes, model } = posed;
    posed.relativePose(T_b_a, pair);
    sphereClouds.distance(separation, shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], stopAt);
  }

  /**
   * Computes loose bounds on the distance of a pair, and its normal; stops once the distance exceeds the required one
   * by more than the approach.
   */
  private computeDistance(pair: number): void {
    const { posed, separation, T_b_a, solver, lengths } = this;
    const { shapes, model } = posed;
    const a = shapes[model.pairA[pair]];
    const b = shapes[model.pairB[pair]];
    solver.stopAt = lengths.required + lengths.approach;
    const cache = this.cacheOf(pair);
    solver.solve(separation, a, T_b_a, b, cache);
    const { distance } = separation;
    // The loose bounds do not decide whether the pair is in collision: compute it exactly.
    if (distance.lower <= lengths.required && distance.upper > lengths.contact)
      this.exactSolver.distance(separation, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
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
  private fixNormal(pair: number, { start, end }: Interval, recorder: ProofRecorder | undefined): void {
    const { posed, bounds, normal, separation, times } = this;
    rotate(normal, posed.T_world_part[posed.model.pairB[pair]], separation.normal);
    bounds.computeSeparationTimes(times, pair, normal);
    if (!recorder) return;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    // A proved half ends exactly at the interval end, from which `middle - half` may differ by rounding.
    const left = times.before >= half ? start : middle - times.before;
    const right = times.after >= half ? end : middle + times.after;
    this.recordPlane(pair, left, right, times.gap, recorder);
  }
}
