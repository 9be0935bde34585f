import { create, type Transform } from '../../math/transform.ts';
import { createDepthSolver, createDistanceSolver } from '../../narrowphase/index.ts';
import {
  type Checker,
  type DepthSolver,
  type DistanceSolver,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
} from '../../narrowphase/solver.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import { createBoxGap } from '../model/orientedBoxes.ts';
import { PosedParts, roundingOfPoses } from '../model/posedParts.ts';
import { SphereClouds } from '../model/sphereClouds.ts';
import { CollisionCounters } from './collisionCounters.ts';
import { PairCaches } from './pairCaches.ts';

/**
 * Queries of collision pairs at the poses of the state that was posed last: whether a pair collides, and its distance.
 * Holds the solvers, and the caches that warm-start them.
 */
export class PairQueries {
  /** Poses and bounding boxes of all parts in the state that was checked last. */
  readonly posed: PosedParts;
  /** Work counters since construction. */
  readonly counters = new CollisionCounters();
  private createdDistance: DistanceSolver | undefined;
  private createdDepth: DepthSolver | undefined;
  private createdClouds: SphereClouds | undefined;
  /** Cached separating planes of the pairs. @internal */
  readonly caches: PairCaches;
  /** Cleared before each query whose result must depend on the poses alone (cold start). */
  private readonly cold = new PairCache();
  /** Scratch. @internal */
  protected readonly separation = new Separation();
  private readonly T_b_a: Transform = create();
  private readonly boxGap = createBoxGap();
  /** Least distance of pairs, metres: padding of the scene plus a bound on the rounding of poses. @internal */
  padding: number;

  constructor(
    /** Convex parts and collision pairs. */
    readonly model: CollisionModel,
    private readonly checker: Checker,
  ) {
    this.posed = new PosedParts(this.model);
    this.caches = new PairCaches(this.model.pairCount, false); // few collisions persist from one state to the next
    this.padding = this.model.scene.padding + roundingOfPoses(this.model);
  }

  // Solvers are created on first use: a program has a manager per interval, and most of them compute no distance.
  private get distanceSolver(): DistanceSolver {
    this.createdDistance ??= createDistanceSolver();
    return this.createdDistance;
  }

  private get depthSolver(): DepthSolver {
    this.createdDepth ??= createDepthSolver();
    return this.createdDepth;
  }

  private get sphereClouds(): SphereClouds {
    this.createdClouds ??= new SphereClouds(this.distanceSolver, this.checker, this.depthSolver);
    return this.createdClouds;
  }

  /** Clears the counters and caches. @internal */
  reset(): void {
    this.counters.reset();
    this.caches.clear();
    this.createdClouds?.clear();
  }

  /**
   * Computes the distance of a pair at the current poses, or stops once it is proved to be at least `stopAt`; fills
   * `out`, vectors in the frame of B. Warm start: the last digits of the bounds depend on previous queries; for values
   * that are reported use `pairSeparation`.
   */
  pairDistance(out: Separation, pair: number, stopAt: number): void {
    this.posed.relativePose(this.T_b_a, pair);
    this.distance(out, pair, stopAt, this.caches.of(pair));
  }

  /**
   * Returns the distance of a pair at the current poses, or minus the penetration depth, from a cold start: depends on
   * the poses alone. Fills `out`: normal and witness points in the frame of B.
   */
  pairSeparation(out: Separation, pair: number): number {
    const { model, posed, T_b_a, cold } = this;
    posed.relativePose(T_b_a, pair);
    cold.clear();
    this.distance(out, pair, Number.POSITIVE_INFINITY, cold);
    if (out.distance.lower > 0) return out.distance.upper;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    if (model.hasSphereCloud(pair)) this.sphereClouds.depth(out, a, T_b_a, b);
    else this.depthSolver.depth(out, a, T_b_a, b);
    return 0 - out.depth.upper;
  }

  /** Computes the distance of a pair at the relative pose `T_b_a`; fills `out`. */
  private distance(out: Separation, pair: number, stopAt: number, cache: PairCache): void {
    const { model, posed, T_b_a } = this;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    this.counters.distances++;
    this.distanceSolver.distance(out, a, T_b_a, b, stopAt, cache);
    if (!(out.distance.lower >= stopAt) && model.hasSphereCloud(pair))
      this.sphereClouds.distance(out, a, T_b_a, b, stopAt);
  }

  /** Returns true unless the pair is proved to be farther apart than the padding at the current poses. @internal */
  collides(pair: number): boolean {
    const { model, posed, T_b_a, boxGap, padding, counters } = this;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    posed.relativePose(T_b_a, pair);
    boxGap.enough = padding;
    posed.orientedBoxes.computeGap(boxGap, T_b_a, model.pairA[pair], model.pairB[pair]);
    if (boxGap.gap > padding) return false;
    counters.pairChecks++;
    const verdict = this.checker.check(a, T_b_a, b, padding, this.caches.of(pair));
    if (verdict !== SEPARATED && model.hasSphereCloud(pair)) return this.sphereClouds.collides(a, T_b_a, b, padding);
    if (verdict !== UNDECIDED) return verdict !== SEPARATED;
    counters.undecided++;
    this.cold.clear();
    this.distance(this.separation, pair, Number.POSITIVE_INFINITY, this.cold);
    const { status, distance } = this.separation;
    return !(status === 'separated' && distance.lower > padding);
  }
}
