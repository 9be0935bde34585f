import { copy, create, dot, norm, scale, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import { IterativeChecker } from './gjk.ts';
import { IterativeDistance } from './gjkDistance.ts';
import { Momentum, printedNesterov, printedPolyak } from './gjkIteration.ts';
import type { MinNormIteration, StoppingCriterion } from './iteration.ts';

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

  /** @param momentum of the search directions [Montaut24 alg. 5], until it makes no progress; undefined: none */
  constructor(private readonly momentum?: Momentum) {}

  run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void {
    const { nearest: x, a, normal } = this;
    const { w: s, pointA, margins } = difference;
    const floor = roundoff * difference.extent;
    this.lower = Number.NEGATIVE_INFINITY;
    this.upper = Number.POSITIVE_INFINITY;
    this.containsOrigin = false;
    const limit = Math.min(iterationLimit, criterion.maxIterations);
    const minTolerance = Math.max(floor, criterion.absoluteGap);
    let { momentum } = this;
    momentum?.begin(n, difference.areHulls);

    for (this.iterations = 1; this.iterations <= limit; this.iterations++) {
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
        const tolerance = Math.max(minTolerance, criterion.relativeGap * (this.upper - margins));
        const dualityGap = 2 * (dot(x, x) - dot(x, s));
        if (this.upper - this.lower <= tolerance) return;
        if (momentum !== undefined && dualityGap <= Math.max(criterion.dualityGap, 2 * tolerance * this.upper)) {
          momentum = undefined;
          scale(n, x, -1);
          continue;
        }
        if (dualityGap <= criterion.dualityGap || !this.advance(s, pointA)) return;
      }
      this.upper = norm(x);
      this.containsOrigin = this.upper <= floor;
      if (this.containsOrigin || this.upper <= criterion.sufficientUpper || this.lower >= criterion.sufficientLower)
        return;
      momentum?.next(n, x, s);
      if (momentum === undefined || !(norm(n) > 0)) scale(n, x, -1);
    }
    this.iterations = limit;
  }

  witnessA(out: Vec3): void {
    copy(out, this.a);
  }

  /** x ← x + γ (s − x) with the γ of minimum norm; returns false if that is x to rounding. */
  protected advance(s: Vec3, pointA: Vec3): boolean {
    const { nearest: x } = this;
    const xs = dot(x, s),
      xx = dot(x, x);
    const lengthSquared = xx - 2 * xs + dot(s, s);
    const gamma = Math.min(1, (xx - xs) / lengthSquared);
    if (!(gamma > 0)) return false;
    this.step(gamma, s, pointA);
    return true;
  }

  /** x ← x + γ (s − x), and the point of A likewise. */
  protected step(gamma: number, s: Vec3, pointA: Vec3): void {
    const { nearest: x, a } = this;
    for (let i = 0; i < 3; i++) {
      x[i] += gamma * (s[i] - x[i]);
      a[i] += gamma * (pointA[i] - a[i]);
    }
  }
}

/** Frank-Wolfe with the step 1 / (k + 2) of the original algorithm [Montaut24 eq. 12]: the norm may grow in between. */
class FixedStepFrankWolfe extends FrankWolfeIteration {
  protected override advance(s: Vec3, pointA: Vec3): boolean {
    this.step(1 / this.iterations, s, pointA); // x₀ is the first support point
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

function distanceBy(
  summary: string,
  source: string,
  createIteration: () => MinNormIteration,
): DistanceSolverDefinition {
  return { summary, source, create: (options) => new IterativeDistance(createIteration(), options) };
}

export const frankWolfeDistance = distanceBy(summary, source, () => new FrankWolfeIteration());

export const frankWolfeFixedStep = distanceBy(
  'Frank-Wolfe with the fixed step 1 / (k + 2), a baseline',
  source,
  () => new FixedStepFrankWolfe(),
);

export const frankWolfePolyak = distanceBy(
  'Frank-Wolfe with line search and Polyak momentum, weights as printed, a baseline',
  'Montaut24',
  () => new FrankWolfeIteration(new Momentum(printedPolyak)),
);

export const frankWolfeNesterov = distanceBy(
  'Frank-Wolfe with line search and Nesterov momentum, weights as printed, a baseline',
  'Montaut24',
  () => new FrankWolfeIteration(new Momentum(printedNesterov)),
);
