import { copy, create, type Vec3 } from '../../math/vec3.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';
import { CONTAINS_ORIGIN, REDUCED, Simplex } from './simplex.ts';
import type { Momentum, MinNormIteration, StoppingCriterion } from './iteration.ts';

/**
 * Fixed point of an accelerated walk: ⟨x, x − s⟩ at most this times ‖x‖². The support point then lies in the plane through x, and adding
 * it brings nothing. Relative; smaller keeps a momentum that only crawls, larger gives it up where it still helps.
 */
const fixedPoint = 1e-6;
/** Looks with momentum before the walk goes on plain in any case: by then δ is 0.94, and the direction hardly turns any more. */
const momentumLimit = 32;

/**
 * The walk of Gilbert, Johnson and Keerthi: look along the nearest point, add the support point to the simplex, find the nearest point
 * again [Montaut24 §II, alg. 4]. With a momentum the looks go elsewhere, until a support point brings no progress: from that fixed
 * point on the walk is the plain one [Montaut24 §III-B, alg. 6]. It stops by the bounds, which hold along any direction, and which for
 * plain looks are the duality gap of the paper.
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

  run(difference: MinkowskiDifference, n: Vec3, goal: StoppingCriterion): void {
    const floor = roundoff * difference.extent;
    this.lower = Number.NEGATIVE_INFINITY;
    this.containsOrigin = false;
    this.iterations = 0;
    this.iterate(difference, n, goal, this.momentum);
    if (this.containsOrigin || this.lower > floor || this.upper <= Math.max(goal.sufficientUpper, floor)) return;
    // Neither a plane nor a common point: momentum has piled up corners side by side, and the sliver that they make is too thin to hold
    // the origin, or on a flat face a corner came again that brings nothing. From the best plane it goes on.
    copy(n, this.normal);
    this.iterate(difference, n, goal, undefined);
  }

  private iterate(difference: MinkowskiDifference, n: Vec3, goal: StoppingCriterion, momentum: Momentum | undefined): void {
    const { simplex } = this;
    const { v } = simplex;
    const { w, pointA } = difference;
    const floor = roundoff * difference.extent;
    let isAccelerated = momentum !== undefined;
    simplex.slack = difference.rounding;
    simplex.clear();
    this.upper = Number.POSITIVE_INFINITY;
    momentum?.begin(n);

    for (let updateLowerBound = 1; updateLowerBound <= iterationLimit; updateLowerBound++) {
      this.iterations++;
      this.look(difference, n);
      if (simplex.count > 0) {
        const tolerance = Math.max(floor, goal.relativeGap * (this.upper - difference.margins));
        if (this.upper - this.lower <= tolerance || this.lower >= goal.sufficientLower) return;
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
      if (this.containsOrigin || this.upper <= goal.sufficientUpper || this.lower >= goal.sufficientLower) return;

      const isProgress = !isKnown && reduction === REDUCED;
      if (!isProgress && !isAccelerated) return; // the last digit is reached
      isAccelerated &&= isProgress && updateLowerBound < momentumLimit;
      if (momentum !== undefined && isAccelerated) momentum.next(n, simplex.v, w);
      if (!isAccelerated || !(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0)) simplex.searchDirection(n);
    }
  }

  witnessA(out: Vec3): void {
    this.simplex.witnessA(out);
  }

  private look(difference: MinkowskiDifference, n: Vec3): void {
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
