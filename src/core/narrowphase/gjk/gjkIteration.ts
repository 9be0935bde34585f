import { copy, create, type Vec3 } from '../../math/vec3.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';
import type { Momentum } from './momentum.ts';
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
    let isAccelerated = momentum !== undefined;
    simplex.slack = difference.rounding;
    simplex.clear();
    this.upper = Number.POSITIVE_INFINITY;
    momentum?.begin(n, difference.areHulls);

    for (let iteration = 1; iteration <= iterationLimit; iteration++) {
      this.iterations++;
      this.updateLowerBound(difference, n);
      if (simplex.count > 0) {
        const tolerance = Math.max(floor, criterion.relativeGap * (this.upper - difference.margins));
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
