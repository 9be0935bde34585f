import { copy, create, type Vec3 } from '../../math/vec3.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';
import type { Momentum } from './momentum.ts';
import { CONTAINS_ORIGIN, REDUCED, Simplex } from './simplex.ts';

/**
 * Fixed point of an accelerated iteration: ⟨x, x − s⟩ is at most this times ‖x‖². The support point then lies in the
 * plane through x and adding it makes no progress. Relative; a smaller value keeps a momentum that hardly advances, a
 * larger one drops it too early.
 */
const fixedPoint = 1e-6;
/** Limit of iterations with momentum: weights of Nesterov's scheme are then above 0.94, and d hardly changes. */
const momentumLimit = 32;

/**
 * Iteration of Gilbert, Johnson and Keerthi [Montaut24 §II, alg. 4]: computes the support point against the nearest
 * point, adds it to the simplex, and finds the nearest point of the simplex. With momentum the search directions
 * differ, until a support point makes no progress (a fixed point); from then on the iteration is the original one
 * [Montaut24 §III-B, alg. 6]. It stops by its bounds: they hold for any search direction, and for the original
 * iteration their difference is the duality gap of the paper.
 */
export class GjkIteration implements MinNormIteration {
  lower = 0;
  upper = 0;
  readonly normal: Vec3 = create();
  containsOrigin = false;
  iterations = 0;
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
        const progress = simplex.normSquared - (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]);
        if (isAccelerated && progress <= Math.max(tolerance * this.upper, fixedPoint * simplex.normSquared)) {
          isAccelerated = false;
          simplex.searchDirection(n);
          continue;
        }
      }
      const isKnown = simplex.has(w);
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
