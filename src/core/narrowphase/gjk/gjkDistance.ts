import type { Transform } from '../../math/transform.ts';
import { addScaled, copy, create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { solveHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import { clearSeparation, SignedDistanceBounds, setFromSignedDistance } from '../outcome.ts';
import type { DistanceSolver, DistanceSolverDefinition, PairCache, Separation } from '../solver.ts';
import { DistanceIteration } from './distanceIteration.ts';
import { gjk } from './gjk.ts';
import { fromAxes, fromCache, type InitialGuess, type MinNormIteration, StoppingCriterion } from './iteration.ts';

export const defaults = {
  /** Difference of the bounds, relative to the upper bound, at which the iteration may stop. */
  relativeGap: 1e-12,
  /** Difference of the bounds, metres, at which the iteration may stop. */
  absoluteGap: 0,
  /** Maximum number of support points; without effect on `gjk`. */
  maxIterations: Number.POSITIVE_INFINITY,
  /** Duality gap 2⟨x, x − s⟩ at which `gjk-plain` and accelerated GJK may stop, m² [Montaut24 eq. 16]. */
  dualityGap: Number.NEGATIVE_INFINITY,
  /** First search direction. */
  guess: fromCache as InitialGuess,
};
type IterativeDistanceOptions = typeof defaults;

/**
 * Minimum distance by an iteration on the cores; the margins are subtracted at the end. Stops when a support plane
 * proves `stopAt`, when the bounds are close enough, or when the cores intersect.
 *
 * If the margins overlap and the cores are disjoint, the penetration depth is computed as well: margins − distance of
 * the cores. If the cores intersect, the depth is only bounded from below by the margins; a depth solver computes it.
 */
export class IterativeDistance<I extends MinNormIteration = MinNormIteration> implements DistanceSolver {
  readonly iteration: I;
  /** Minkowski difference of the last query. */
  readonly difference = new MinkowskiDifference();
  /** Input of `solve`: lower bound, metres, at which it may stop. */
  stopAt = Number.POSITIVE_INFINITY;
  /** First search direction. */
  guess: InitialGuess;
  private readonly options: IterativeDistanceOptions;
  private readonly criterion = new StoppingCriterion();
  private readonly signedDistance = new SignedDistanceBounds();
  private readonly n: Vec3 = create();

  constructor(iteration: I, options: Partial<IterativeDistanceOptions> = {}) {
    this.iteration = iteration;
    this.options = { ...defaults, ...options };
    this.guess = this.options.guess;
  }

  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number, cache: PairCache): void {
    this.stopAt = stopAt;
    this.solve(out, a, T_b_a, b, cache);
  }

  /** As `distance`, with the field `stopAt`: for hot loops, since a number argument would be allocated on the heap. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    if (isHalfspace(a) || isHalfspace(b)) {
      solveHalfspace(out, a, T_b_a, b);
      return;
    }
    const { difference, iteration, criterion, n } = this;
    difference.bind(a, T_b_a, b, cache);
    const { margins, extent } = difference;
    criterion.sufficientLower = margins + Math.max(this.stopAt, roundoff * extent);
    criterion.relativeGap = this.options.relativeGap;
    criterion.absoluteGap = this.options.absoluteGap;
    criterion.maxIterations = this.options.maxIterations;
    criterion.dualityGap = this.options.dualityGap;
    if (iteration.solveDirectly?.(difference, criterion) !== true) {
      this.guess(n, difference, T_b_a, cache);
      iteration.run(difference, n, criterion);
    }

    this.writeResult(out, a, b);
    difference.storeHints(cache);
    cache.hasAxis = out.status === 'separated';
    if (!cache.hasAxis) return;
    copy(cache.axis, out.normal);
    cache.gap = out.distance.lower;
    difference.storeWitnesses(cache, out.witnessA, out.witnessB);
  }

  private writeResult(out: Separation, a: ConvexShape, b: ConvexShape): void {
    const { difference, iteration, n, signedDistance } = this;
    const { lower, upper, containsOrigin } = iteration;
    const { margins, extent } = difference;
    clearSeparation(out);
    out.iterations = iteration.iterations;
    signedDistance.lower = lower - margins;
    signedDistance.upper = upper - margins;
    signedDistance.extent = extent;
    setFromSignedDistance(out, signedDistance);
    if (containsOrigin) {
      out.depth.lower = margins;
      out.distance.lower = 0;
      out.distance.upper = 0;
    }
    out.hasNormal = !containsOrigin;
    copy(out.normal, iteration.normal);

    out.hasWitnesses = true;
    this.writeWitnesses(out, a, b);
    if (upper > margins && !containsOrigin) return;
    // A common point: the middle of the overlap of both shapes on the line through the witness points of the cores.
    const start = Math.max(-a.margin, upper - b.margin);
    const end = Math.min(a.margin, upper + b.margin);
    addScaled(out.witnessA, out.witnessA, n, (start + end) / 2 - a.margin);
    copy(out.witnessB, out.witnessA);
  }

  /**
   * Writes the witness points of the cores after an iteration, moved outwards by the margins: the closest points of
   * disjoint shapes, the deepest points if only the margins overlap. Also leaves the unit vector between them in `n`.
   */
  writeWitnesses(out: Separation, a: ConvexShape, b: ConvexShape): void {
    const { iteration, n } = this;
    const { normal, nearest, upper } = iteration;
    const { witnessA, witnessB } = out;
    iteration.witnessA(witnessA);
    const x = nearest[0],
      y = nearest[1],
      z = nearest[2];
    const isDirected = upper > 0;
    const nx = isDirected ? -x / upper : normal[0],
      ny = isDirected ? -y / upper : normal[1],
      nz = isDirected ? -z / upper : normal[2];
    const px = witnessA[0],
      py = witnessA[1],
      pz = witnessA[2];
    n[0] = nx;
    n[1] = ny;
    n[2] = nz;
    witnessA[0] = px + a.margin * nx;
    witnessA[1] = py + a.margin * ny;
    witnessA[2] = pz + a.margin * nz;
    witnessB[0] = px - x - b.margin * nx;
    witnessB[1] = py - y - b.margin * ny;
    witnessB[2] = pz - z - b.margin * nz;
  }
}

/**
 * Minimum distance with bounds, normal and witness points, to rounding, by the Gilbert-Johnson-Keerthi algorithm
 * [GilbertJohnsonKeerthi88] with signed volumes [Montanari17]; for spheres, capsules, and either of them and a box in
 * closed form; with Newton steps for curved shapes. `gjk-plain` is the algorithm of the papers alone.
 */
export class GjkDistance extends IterativeDistance<DistanceIteration> {
  constructor(options: Partial<IterativeDistanceOptions> = {}) {
    super(new DistanceIteration(), { guess: fromAxes, ...options });
  }
}

export const gjkDistance: DistanceSolverDefinition = {
  summary: gjk.summary,
  source: gjk.source,
  create: (options) => new GjkDistance(options),
};
