import { copy, create, norm, normalize, scale, type Vec3 } from '../../math/vec3.ts';
import { GjkIteration } from './gjkIteration.ts';
import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import type { Momentum } from './iteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/**
 * Nesterov's momentum with direction and gradient made unit before they are mixed, so that the larger does not drown the other where
 * faces and edges let many directions lead to one point [Montaut24 §III-B, eq. 33, alg. 7].
 */
export class NormalizedNesterovMomentum implements Momentum {
  private readonly d: Vec3 = create();
  private readonly x0: Vec3 = create();
  private readonly y: Vec3 = create();
  private k = 0;

  begin(n: Vec3): void {
    const { d, x0 } = this;
    this.k = 0;
    scale(x0, n, -1);
    copy(d, x0);
    this.next(n, x0, x0);
  }

  next(n: Vec3, x: Vec3, s: Vec3): void {
    const { d, y, k } = this;
    const delta = (k + 1) / (k + 3);
    // yₖ = δₖ xₖ + (1 − δₖ) sₖ₋₁
    for (let i = 0; i < 3; i++) y[i] = delta * x[i] + (1 - delta) * s[i];
    // dₖ = δₖ dₖ₋₁ / ‖dₖ₋₁‖ + (1 − δₖ) ∇f(yₖ) / ‖∇f(yₖ)‖
    normalize(d, d);
    normalize(y, y);
    for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * y[i];
    if (!(norm(d) > 0)) copy(d, x); // the two cancelled
    scale(n, d, -1);
    this.k++;
  }
}

const summary = 'GJK with the momentum of Nesterov, directions made unit first';
const source = 'Montaut24';

export const gjkNesterov: CheckerDefinition = {
  summary,
  source,
  create: () => new IterativeChecker(new GjkIteration(new NormalizedNesterovMomentum())),
};

export const gjkNesterovDistance: DistanceSolverDefinition = {
  summary,
  source,
  create: (options) => new IterativeDistance(new GjkIteration(new NormalizedNesterovMomentum()), options),
};
