import { copy, create, norm, normalize, scale, type Vec3 } from '../../math/vec3.ts';

/**
 * Updates the direction dₖ of an accelerated GJK in place, with weight δₖ = (k + 1) / (k + 3), from the iterate x and
 * the last support point s. k is an integer, since a fraction would be allocated on the heap at each call.
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

  constructor(private readonly update: MomentumUpdate) {}

  /** Restarts at x₀ = s₋₁ = −n and overwrites n by the first search direction. */
  begin(n: Vec3): void {
    const { d, x0 } = this;
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

/** Polyak: dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(xₖ), ∇f(x) = 2x [Montaut24 §III-B, eq. 28]. */
export const polyak: MomentumUpdate = (d, k, x) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + 2 * (1 - delta) * x[i];
};

/** Nesterov: dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(yₖ), yₖ = δₖ xₖ + (1 − δₖ) sₖ₋₁, ∇f(y) = 2y [Montaut24 §III-B, eq. 28]. */
export const nesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) {
    const y = delta * x[i] + (1 - delta) * s[i];
    d[i] = delta * d[i] + 2 * (1 - delta) * y;
  }
};

/** Scratch of `normalizedNesterov`, which calls only vector functions. */
const y: Vec3 = create();

/**
 * Nesterov with normalized terms: dₖ = δₖ dₖ₋₁ / ‖dₖ₋₁‖ + (1 − δₖ) ∇f(yₖ) / ‖∇f(yₖ)‖, so that the larger term does not
 * dominate if many directions have one support point, as at edges and vertices [Montaut24 §III-B, eq. 33, alg. 7].
 */
export const normalizedNesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) y[i] = delta * x[i] + (1 - delta) * s[i];
  normalize(d, d);
  normalize(y, y);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * y[i];
  if (!(norm(d) > 0)) copy(d, x); // the two terms cancelled
};
