import { copy, create, dot, norm, scale, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/** It zigzags: its gap shrinks like one over the steps, so the limit is wide, and met often where bodies meet. */
const iterationLimit = 4096;

/**
 * The method of Frank and Wolfe with line search [Montaut24 §II, alg. 1]: the next point is the nearest of the segment between the last
 * one and the support point. It forgets all other corners, which is what the simplex of GJK mends: a baseline.
 */
export class FrankWolfeIteration implements MinNormIteration {
  lower = 0;
  upper = 0;
  readonly normal: Vec3 = create();
  containsOrigin = false;
  iterations = 0;
  readonly nearest: Vec3 = create();
  private readonly a: Vec3 = create();

  run(difference: MinkowskiDifference, n: Vec3, goal: StoppingCriterion): void {
    const { nearest: x, a, normal } = this;
    const { w: s, pointA, margins } = difference;
    const floor = roundoff * difference.extent;
    this.lower = Number.NEGATIVE_INFINITY;
    this.upper = Number.POSITIVE_INFINITY;
    this.containsOrigin = false;

    for (this.iterations = 1; this.iterations <= iterationLimit; this.iterations++) {
      const length = norm(n);
      difference.support(n);
      const gap = difference.gap / length;
      if (gap > this.lower) {
        this.lower = gap;
        scale(normal, n, 1 / length);
      }
      if (this.iterations === 1) {
        copy(x, s);
        copy(a, pointA);
      } else {
        const tolerance = Math.max(floor, goal.relativeGap * (this.upper - margins));
        if (this.upper - this.lower <= tolerance) return;
        if (!this.lineSearch(s, pointA)) return;
      }
      this.upper = norm(x);
      this.containsOrigin = this.upper <= floor;
      if (this.containsOrigin || this.upper <= goal.sufficientUpper || this.lower >= goal.sufficientLower) return;
      scale(n, x, -1);
    }
    this.iterations = iterationLimit;
  }

  witnessA(out: Vec3): void {
    copy(out, this.a);
  }

  /** x + γ (s − x) nearest to the origin; false when that is x to rounding. */
  private lineSearch(s: Vec3, pointA: Vec3): boolean {
    const { nearest: x, a } = this;
    const xs = dot(x, s),
      xx = dot(x, x);
    const squared = xx - 2 * xs + dot(s, s);
    const gamma = Math.min(1, (xx - xs) / squared);
    if (!(gamma > 0)) return false;
    for (let i = 0; i < 3; i++) {
      x[i] += gamma * (s[i] - x[i]);
      a[i] += gamma * (pointA[i] - a[i]);
    }
    return true;
  }
}

const summary = 'Frank and Wolfe with line search: GJK without its simplex, a baseline';
const source = 'FrankWolfe56';

export const frankWolfe: CheckerDefinition = {
  summary,
  source,
  create: () => new IterativeChecker(new FrankWolfeIteration()),
};

export const frankWolfeDistance: DistanceSolverDefinition = {
  summary,
  source,
  create: (options) => new IterativeDistance(new FrankWolfeIteration(), options),
};
