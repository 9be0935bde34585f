import { create, scale, type Vec3 } from '../../math/vec3.ts';
import { GjkIteration } from './gjkIteration.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import type { Momentum } from './iteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/** The heavy ball: the direction itself carries over from look to look [Montaut24 §III-B, eq. 28]. */
export class PolyakMomentum implements Momentum {
  private readonly d: Vec3 = create();
  private k = 0;

  begin(n: Vec3): void {
    const { d } = this;
    this.k = 0;
    scale(d, n, -1);
    this.next(n, d);
  }

  next(n: Vec3, x: Vec3): void {
    const { d, k } = this;
    const delta = (k + 1) / (k + 3);
    // dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(xₖ), ∇f(x) = 2x
    for (let i = 0; i < 3; i++) {
      d[i] = delta * d[i] + 2 * (1 - delta) * x[i];
      n[i] = -d[i];
    }
    this.k++;
  }
}

const summary = 'GJK with the momentum of Polyak, until a look brings no progress';
const source = 'Montaut24';

export const gjkPolyak: CheckerDefinition = {
  summary,
  source,
  create: () => new IterativeChecker(new GjkIteration(new PolyakMomentum())),
};

export const gjkPolyakDistance: DistanceSolverDefinition = {
  summary,
  source,
  create: (options) => new IterativeDistance(new GjkIteration(new PolyakMomentum()), options),
};
