import { copy, create, scale, type Vec3 } from '../../math/vec3.ts';
import { GjkIteration } from './gjkIteration.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import type { Momentum } from './iteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/** The gradient is taken at a point between the nearest and the last support point [Montaut24 §III-B, eq. 28]. */
export class NesterovMomentum implements Momentum {
  private readonly d: Vec3 = create();
  private readonly x0: Vec3 = create();
  private k = 0;

  begin(n: Vec3): void {
    const { d, x0 } = this;
    this.k = 0;
    scale(x0, n, -1);
    copy(d, x0);
    this.next(n, x0, x0);
  }

  next(n: Vec3, x: Vec3, s: Vec3): void {
    const { d, k } = this;
    const delta = (k + 1) / (k + 3);
    for (let i = 0; i < 3; i++) {
      // yₖ = δₖ xₖ + (1 − δₖ) sₖ₋₁, dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(yₖ), ∇f(y) = 2y
      const y = delta * x[i] + (1 - delta) * s[i];
      d[i] = delta * d[i] + 2 * (1 - delta) * y;
      n[i] = -d[i];
    }
    this.k++;
  }
}

const summary = 'GJK with the momentum of Nesterov as it is, directions of any length';
const source = 'Montaut22';

export const gjkNesterovUnnormalized: CheckerDefinition = {
  summary,
  source,
  create: () => new IterativeChecker(new GjkIteration(new NesterovMomentum())),
};

export const gjkNesterovUnnormalizedDistance: DistanceSolverDefinition = {
  summary,
  source,
  create: (options) => new IterativeDistance(new GjkIteration(new NesterovMomentum()), options),
};
