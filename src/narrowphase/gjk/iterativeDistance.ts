import type { Transform } from '../../math/transform.ts';
import { addScaled, copy, create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { solveHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { MinkowskiDifference } from '../minkowskiDifference.ts';
import { clearOutcome, SignedDistanceBounds, setFromSignedDistance } from '../outcome.ts';
import type { DistanceSolver, PairCache, Separation } from '../solver.ts';
import { fromCache, type InitialGuess } from './initialGuess.ts';
import { type MinNormIteration, StoppingCriterion } from './iteration.ts';

export const defaults = {
  /** Least width of the bounds, relative to the upper one, at which the walk may stop. */
  relativeGap: 1e-12,
  /** Where the walk starts. */
  guess: fromCache as InitialGuess,
};
export type IterativeDistanceOptions = typeof defaults;

/**
 * Least distance by a walk on the cores; margins come off at the end. Three ways out: a support plane proves `stopAt`, the bounds are
 * close enough, the cores meet.
 *
 * Bodies whose margins overlap while their cores are apart get their depth too: margins − distance of the cores. Where the cores
 * meet, the depth is only known to be at least the margins; a depth solver knows it.
 */
export class IterativeDistance<W extends MinNormIteration = MinNormIteration> implements DistanceSolver {
  readonly iteration: W;
  /** The pair of the last query. */
  readonly difference = new MinkowskiDifference();
  /** Lower bound, metres, at which the next `solve` may stop. */
  stopAt = Number.POSITIVE_INFINITY;
  private readonly options: IterativeDistanceOptions;
  private readonly criterion = new StoppingCriterion();
  private readonly signedDistance = new SignedDistanceBounds();
  private readonly n: Vec3 = create();

  constructor(walk: W, options: Partial<IterativeDistanceOptions> = {}) {
    this.iteration = walk;
    this.options = { ...defaults, ...options };
  }

  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number, cache: PairCache): void {
    this.stopAt = stopAt;
    this.solve(out, a, T_b_a, b, cache);
  }

  /** As `distance`, up to the `stopAt` of the solver: for loops, in which a number handed over would cost an allocation. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    if (isHalfspace(a) || isHalfspace(b)) {
      solveHalfspace(out, a, T_b_a, b);
      return;
    }
    const { difference, iteration: walk, criterion: goal, n } = this;
    difference.bind(a, T_b_a, b, cache);
    this.options.guess(n, difference, T_b_a, cache);
    const { margins, extent } = difference;
    goal.sufficientLower = margins + Math.max(this.stopAt, roundoff * extent);
    goal.relativeGap = this.options.relativeGap;
    walk.run(difference, n, goal);

    this.writeResult(out, a, b);
    difference.storeHints(cache);
    cache.hasAxis = out.status === 'separated';
    if (!cache.hasAxis) return;
    copy(cache.axis, out.normal);
    cache.gap = out.distance.lower;
    difference.storeWitnesses(cache, out.witnessA, out.witnessB);
  }

  private writeResult(out: Separation, a: ConvexShape, b: ConvexShape): void {
    const { difference, iteration: walk, n, signedDistance: gap } = this;
    const { lower, upper, containsOrigin: isEnclosed } = walk;
    const { margins, extent } = difference;
    clearOutcome(out);
    out.iterations = walk.iterations;
    gap.lower = lower - margins;
    gap.upper = upper - margins;
    gap.extent = extent;
    setFromSignedDistance(out, gap);
    if (isEnclosed) {
      out.depth.lower = margins;
      out.distance.lower = 0;
      out.distance.upper = 0;
    }
    out.hasNormal = !isEnclosed;
    copy(out.normal, walk.normal);

    out.hasWitnesses = true;
    this.writeWitnesses(out, a, b);
    if (upper > margins && !isEnclosed) return;
    // A point in common: the middle of what both cover of the line through the nearest points of the cores.
    const start = Math.max(-a.margin, upper - b.margin);
    const end = Math.min(a.margin, upper + b.margin);
    addScaled(out.witnessA, out.witnessA, n, (start + end) / 2 - a.margin);
    copy(out.witnessB, out.witnessA);
  }

  /**
   * The nearest points of the cores after a walk, moved out by the margins: the nearest points of bodies that are apart, the deepest
   * ones of bodies whose margins overlap.
   */
  writeWitnesses(out: Separation, a: ConvexShape, b: ConvexShape): void {
    const { iteration: walk, n } = this;
    copy(n, walk.normal);
    walk.witnessA(out.witnessA);
    for (let i = 0; i < 3; i++) {
      if (walk.upper > 0) n[i] = -walk.nearest[i] / walk.upper;
      out.witnessB[i] = out.witnessA[i] - walk.nearest[i] - b.margin * n[i];
      out.witnessA[i] += a.margin * n[i];
    }
  }
}
