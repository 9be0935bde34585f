import { copy, create, dot, norm, scale, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/**
 * The iteration zigzags and its gap shrinks like 1 / iterations: a high limit, which shapes in collision often reach.
 */
const iterationLimit = 4096;

/**
 * Frank-Wolfe algorithm with line search [Montaut24 §II, alg. 1]: the next iterate is the nearest point of the segment
 * between the last iterate and the support point. A baseline: GJK converges faster because its simplex keeps the other
 * vertices.
 */
export class FrankWolfeIteration implements MinNormIteration {
  lower = 0;
  upper = 0;
  readonly normal: Vec3 = create();
  containsOrigin = false;
  iterations = 0;
  readonly nearest: Vec3 = create();
  private readonly a: Vec3 = create();

  run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void {
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
        const tolerance = Math.max(floor, criterion.relativeGap * (this.upper - margins));
        if (this.upper - this.lower <= tolerance || 2 * (dot(x, x) - dot(x, s)) <= criterion.dualityGap) return;
        if (!this.lineSearch(s, pointA)) return;
      }
      this.upper = norm(x);
      this.containsOrigin = this.upper <= floor;
      if (this.containsOrigin || this.upper <= criterion.sufficientUpper || this.lower >= criterion.sufficientLower)
        return;
      scale(n, x, -1);
    }
    this.iterations = iterationLimit;
  }

  witnessA(out: Vec3): void {
    copy(out, this.a);
  }

  /** x ← x + γ (s − x) with the γ of minimum norm; returns false if that is x to rounding. */
  private lineSearch(s: Vec3, pointA: Vec3): boolean {
    const { nearest: x, a } = this;
    const xs = dot(x, s),
      xx = dot(x, x);
    const lengthSquared = xx - 2 * xs + dot(s, s);
    const gamma = Math.min(1, (xx - xs) / lengthSquared);
    if (!(gamma > 0)) return false;
    for (let i = 0; i < 3; i++) {
      x[i] += gamma * (s[i] - x[i]);
      a[i] += gamma * (pointA[i] - a[i]);
    }
    return true;
  }
}

const summary = 'Frank-Wolfe with line search: GJK without a simplex, a baseline';
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
