import type { Transform } from '../math/transform.ts';
import { addScaled, copy, create, norm, scale, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { solveHalfspace } from './halfspace.ts';
import { iterationLimit, roundoff } from './limits.ts';
import { MinkowskiDifference } from './minkowskiDifference.ts';
import { clearOutcome, concludeFromGap } from './outcome.ts';
import { ENCLOSED, REDUCED, Simplex } from './simplex.ts';
import type { DistanceSolver, PairCache, Separation } from './solver.ts';

export const defaults = {
  /** Least width of the bounds, relative to the upper one, at which the walk may stop. */
  relativeGap: 1e-12,
};

/**
 * Least distance by the method of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] with signed volumes [Montanari17], on the
 * cores; margins come off at the end. Three ways out: a support plane proves `stopAt`, the bounds are close enough, the cores meet.
 *
 * Bodies whose margins overlap while their cores are apart get their depth too: margins − distance of the cores. Where the cores
 * meet, the depth is only known to be at least the margins; a depth solver knows it.
 */
export class GjkDistance implements DistanceSolver {
  /** Bounds of the distance of the cores after the walk, and the unit normal from A to B that proves the lower one. */
  lower = 0;
  upper = 0;
  readonly normal: Vec3 = create();
  /** Whether the walk ended because the cores have a point in common. */
  isEnclosed = false;
  iterations = 0;
  /** The pair, and the corners of A ⊖ B that carry the answer: a depth solver goes on from them. */
  readonly difference = new MinkowskiDifference();
  readonly simplex = new Simplex();
  private readonly relativeGap: number;
  private readonly n: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number, cache: PairCache): void {
    if (isHalfspace(a) || isHalfspace(b)) {
      solveHalfspace(out, a, T_b_a, b);
      return;
    }
    this.difference.bind(a, T_b_a, b, cache);
    if (cache.hasAxis) copy(this.n, cache.axis);
    else this.difference.centreDirection(this.n);
    this.walk(stopAt);
    this.conclude(out, a.margin, b.margin);
    this.difference.remember(cache);
    cache.hasAxis = out.status === 'separated';
    if (!cache.hasAxis) return;
    copy(cache.axis, out.normal);
    cache.gap = out.distance.lower;
  }

  /** Walks on the cores of the pair that `difference` is bound to, from the centres' direction, to the last digit. */
  walkFromCentres(): void {
    this.difference.centreDirection(this.n);
    this.walk(Number.POSITIVE_INFINITY);
  }

  private walk(stopAt: number): void {
    const { difference, simplex, n, normal, relativeGap } = this;
    const { margins, extent } = difference;
    const floor = roundoff * extent;
    simplex.clear(difference.rounding);
    this.lower = Number.NEGATIVE_INFINITY;
    this.upper = Number.POSITIVE_INFINITY;
    this.isEnclosed = false;

    for (this.iterations = 1; this.iterations <= iterationLimit; this.iterations++) {
      const length = norm(n);
      const gap = difference.gapAlong(n) / length;
      if (gap > this.lower) {
        this.lower = gap;
        scale(normal, n, 1 / length);
      }
      if (simplex.count > 0 && this.upper - this.lower <= Math.max(floor, relativeGap * (this.upper - margins))) return;

      const isKnown = simplex.has(difference.w);
      if (!isKnown) simplex.add(difference.w, difference.pointA);
      const reduction = isKnown ? REDUCED : simplex.reduce(this.lower <= floor);
      this.upper = Math.sqrt(simplex.squared);
      if (reduction === ENCLOSED || this.upper <= floor) {
        this.isEnclosed = true;
        return;
      }
      if (this.lower - margins >= stopAt && this.lower - margins > floor) return;
      if (isKnown || reduction !== REDUCED) return; // the last digit is reached
      simplex.direction(n);
    }
  }

  private conclude(out: Separation, marginA: number, marginB: number): void {
    const { difference, normal, n, lower, upper } = this;
    const { margins, extent } = difference;
    clearOutcome(out);
    out.iterations = this.iterations;
    concludeFromGap(out, lower - margins, upper - margins, extent);
    if (this.isEnclosed) {
      out.depth.lower = margins;
      out.distance.upper = 0;
    }
    out.hasNormal = !this.isEnclosed;
    copy(out.normal, normal);

    out.hasWitnesses = true;
    this.surfacePoints(out, marginA, marginB);
    if (upper > margins && !this.isEnclosed) return;
    // A point in common: the middle of what both cover of the line through the nearest points of the cores.
    const start = Math.max(-marginA, upper - marginB);
    const end = Math.min(marginA, upper + marginB);
    addScaled(out.witnessA, out.witnessA, n, (start + end) / 2 - marginA);
    copy(out.witnessB, out.witnessA);
  }

  /**
   * The nearest points of the cores after a walk, moved out by the margins: the nearest points of bodies that are apart, the deepest
   * ones of bodies whose margins overlap.
   */
  surfacePoints(out: Separation, marginA: number, marginB: number): void {
    const { simplex, n, upper } = this;
    copy(n, this.normal);
    if (upper > 0) scale(n, simplex.v, -1 / upper);
    simplex.witnessA(out.witnessA);
    addScaled(out.witnessB, out.witnessA, n, upper - marginB);
    addScaled(out.witnessA, out.witnessA, n, marginA);
  }
}
