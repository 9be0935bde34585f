import { copy, create, norm, normalize, scale, type Vec3 } from '../../math/vec3.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';
import { CONTAINS_ORIGIN, REDUCED, Simplex } from './simplex.ts';

/**
 * Limit of iterations with momentum, so that the original iteration can still converge: at gaps near rounding, momentum
 * can orbit the solution. Pairs at the gap of the papers stay below it.
 */
const momentumLimit = (3 * iterationLimit) / 4;

/**
 * Iteration of Gilbert, Johnson and Keerthi [Montaut24 §II, alg. 4]: computes the support point against the nearest
 * point, adds it to the simplex, and finds the nearest point of the simplex. With momentum the search directions
 * differ, until a support point makes no progress beyond the tolerance (a fixed point); from then on the iteration is
 * the original one [Montaut24 §III-B, alg. 6]. It stops by its bounds, which hold for any search direction, or by the
 * duality gap of the paper.
 */
export class GjkIteration implements MinNormIteration {
  lower = 0;
  upper = 0;
  readonly normal: Vec3 = create();
  containsOrigin = false;
  iterations = 0;
  /**
   * Updates of the simplex, which the papers and the program released with them count as iterations: `iterations`
   * counts support points, which are one more for the last, and one more where momentum was dropped.
   */
  updates = 0;
  readonly simplex = new Simplex();
  readonly nearest = this.simplex.v;
  private readonly momentum: Momentum | undefined;

  constructor(momentum?: Momentum) {
    this.momentum = momentum;
  }

  run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void {
    const floor = roundoff * difference.extent;
    this.lower = Number.NEGATIVE_INFINITY;
    this.containsOrigin = false;
    this.iterations = 0;
    this.updates = 0;
    this.iterate(difference, n, criterion, this.momentum);
    if (this.containsOrigin || this.lower > floor || this.upper <= Math.max(criterion.sufficientUpper, floor)) return;
    if (this.iterations >= criterion.maxIterations) return;
    // Neither a separating plane nor a common point was found: momentum has collected vertices close together, whose
    // simplex is too thin to contain the origin; or, on a flat face, a known vertex was returned again. Restart from
    // the best plane without momentum.
    copy(n, this.normal);
    this.iterate(difference, n, criterion, undefined);
  }

  private iterate(
    difference: MinkowskiDifference,
    n: Vec3,
    criterion: StoppingCriterion,
    momentum: Momentum | undefined,
  ): void {
    const { simplex } = this;
    const { v } = simplex;
    const { w, pointA } = difference;
    const floor = roundoff * difference.extent;
    const minTolerance = Math.max(floor, criterion.absoluteGap);
    let isAccelerated = momentum !== undefined;
    simplex.slack = difference.rounding;
    simplex.clear();
    this.upper = Number.POSITIVE_INFINITY;
    momentum?.begin(n, difference.areHulls);

    for (let iteration = 1; iteration <= iterationLimit && this.iterations < criterion.maxIterations; iteration++) {
      this.iterations++;
      this.updateLowerBound(difference, n);
      if (simplex.count > 0) {
        const tolerance = Math.max(minTolerance, criterion.relativeGap * (this.upper - difference.margins));
        if (this.upper - this.lower <= tolerance || this.lower >= criterion.sufficientLower) return;
        const dualityGap = 2 * (simplex.normSquared - (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]));
        if (isAccelerated && dualityGap <= Math.max(2 * tolerance * this.upper, criterion.dualityGap)) {
          isAccelerated = false;
          simplex.searchDirection(n);
          continue;
        }
        if (dualityGap <= criterion.dualityGap) return;
      }
      const isKnown = simplex.has(w);
      this.updates++;
      if (!isKnown) simplex.add(w, pointA);
      const reduction = isKnown ? REDUCED : simplex.reduce(this.lower <= floor);
      this.upper = Math.sqrt(simplex.normSquared);
      this.containsOrigin = reduction === CONTAINS_ORIGIN || this.upper <= floor;
      if (this.containsOrigin || this.upper <= criterion.sufficientUpper || this.lower >= criterion.sufficientLower)
        return;

      const isProgress = !isKnown && reduction === REDUCED;
      if (!isProgress && !isAccelerated) return; // converged to rounding
      isAccelerated &&= isProgress && iteration < momentumLimit;
      if (momentum !== undefined && isAccelerated) momentum.next(n, simplex.v, w);
      if (!isAccelerated || !(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0)) simplex.searchDirection(n);
    }
  }

  witnessA(out: Vec3): void {
    this.simplex.witnessA(out);
  }

  /** Computes the support point against n; sets `lower` and `normal` if its plane is farther from the origin. */
  private updateLowerBound(difference: MinkowskiDifference, n: Vec3): void {
    const { normal } = this;
    difference.support(n);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const gap = difference.gap / length;
    if (!(gap > this.lower)) return;
    this.lower = gap;
    normal[0] = n[0] / length;
    normal[1] = n[1] / length;
    normal[2] = n[2] / length;
  }
}

/**
 * Updates the direction dₖ of an accelerated GJK in place, with a weight δₖ, from the iterate x and the last support
 * point s. k is an integer, since a fraction would be allocated on the heap at each call.
 */
export type MomentumUpdate = (d: Vec3, k: number, x: Vec3, s: Vec3) => void;

/**
 * Momentum of an accelerated GJK: computes search directions n = −dₖ, which point from A to B [Montaut24 §III-B, alg.
 * 6].
 */
export class Momentum {
  private readonly d: Vec3 = create();
  private readonly x0: Vec3 = create();
  private k = 0;
  private update: MomentumUpdate;

  /**
   * @param forHulls update for two convex hulls, whose support points are vertices
   * @param forOthers update for all other pairs
   */
  constructor(
    private readonly forHulls: MomentumUpdate,
    private readonly forOthers: MomentumUpdate = forHulls,
  ) {
    this.update = forHulls;
  }

  /** Restarts at x₀ = s₋₁ = −n and overwrites n by the first search direction. */
  begin(n: Vec3, areHulls: boolean): void {
    const { d, x0 } = this;
    this.update = areHulls ? this.forHulls : this.forOthers;
    this.k = 0;
    scale(x0, n, -1);
    copy(d, x0);
    this.next(n, x0, x0);
  }

  /** Writes the next search direction for the iterate x and the last support point s. */
  next(n: Vec3, x: Vec3, s: Vec3): void {
    const { d } = this;
    this.update(d, this.k++, x, s);
    scale(n, d, -1);
  }
}

/**
 * Polyak: dₖ = δₖ dₖ₋₁ + (1 − δₖ) xₖ, δₖ = 1 / (k + 1), the weight of the program released with [Montaut24]. It differs
 * from the weight printed there (`printedPolyak`), with which shapes in collision take more iterations than plain GJK.
 */
export const polyak: MomentumUpdate = (d, k, x) => {
  const delta = 1 / (k + 1);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * x[i];
};

/** Polyak as printed: dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(xₖ), ∇f(x) = 2x, δₖ = (k + 1) / (k + 3) [Montaut24 §III-B, eq. 28]. */
export const printedPolyak: MomentumUpdate = (d, k, x) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + 2 * (1 - delta) * x[i];
};

/**
 * Nesterov as in the program released with [Montaut24]: dₖ = δₖ dₖ₋₁ + (1 − δₖ) yₖ, yₖ = δₖ xₖ + (1 − δₖ) sₖ₋₁, δₖ = (k
 * + 1) / (k + 3): half the step that is printed (`printedNesterov`).
 */
export const nesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * (delta * x[i] + (1 - delta) * s[i]);
};

/** Nesterov as printed: the gradient ∇f(y) = 2y takes the place of y [Montaut22 alg. 2; Montaut24 §III-B, eq. 28]. */
export const printedNesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + 2 * (1 - delta) * (delta * x[i] + (1 - delta) * s[i]);
};

/** Polyak with normalized terms and the released weight, which the paper measures and leaves out [Montaut24 Fig. 8]. */
export const normalizedPolyak: MomentumUpdate = (d, k, x) => {
  const delta = 1 / (k + 1);
  const fromD = delta / norm(d),
    fromX = (1 - delta) / norm(x);
  for (let i = 0; i < 3; i++) d[i] = fromD * d[i] + fromX * x[i];
  if (!(norm(d) > 0)) copy(d, x); // the two terms cancelled
};

/** Scratch of `addNormalized`, which calls only vector functions. */
const y: Vec3 = create();

/**
 * Nesterov with normalized terms: dₖ = δₖ dₖ₋₁ / ‖dₖ₋₁‖ + (1 − δₖ) ∇f(yₖ) / ‖∇f(yₖ)‖, so that the larger term does not
 * dominate if many directions have one support point, as at edges and vertices [Montaut24 §III-B, eq. 33, alg. 7]. The
 * weight δₖ = (k + 2) / (k + 3) is that of the program released with the paper; see `printedNormalizedNesterov`.
 */
export const normalizedNesterov: MomentumUpdate = (d, k, x, s) => addNormalized(d, k + 2, k + 3, x, s);

/** Nesterov with normalized terms and the printed weight δₖ = (k + 1) / (k + 3) [Montaut24 §III-B, eq. 33, alg. 7]. */
export const printedNormalizedNesterov: MomentumUpdate = (d, k, x, s) => addNormalized(d, k + 1, k + 3, x, s);

/** Updates d with normalized terms and the weight numerator / denominator, integers for the reason given above. */
function addNormalized(d: Vec3, numerator: number, denominator: number, x: Vec3, s: Vec3): void {
  const delta = numerator / denominator;
  for (let i = 0; i < 3; i++) y[i] = delta * x[i] + (1 - delta) * s[i];
  normalize(d, d);
  normalize(y, y);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * y[i];
  if (!(norm(d) > 0)) copy(d, x); // the two terms cancelled
}
