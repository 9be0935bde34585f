import { copy, create, norm, normalize, scale, type Vec3 } from '../../math/vec3.ts';

/**
 * Updates the direction dₖ of an accelerated GJK in place, with a weight δₖ, from the iterate x and the last support
 * point s. k is an integer, since a fraction would be allocated on the heap at each call.
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
  private update: MomentumUpdate;

  /**
   * @param forHulls update for two convex hulls, whose support points are vertices
   * @param forOthers update for all other pairs
   */
  constructor(
    private readonly forHulls: MomentumUpdate,
    private readonly forOthers: MomentumUpdate = forHulls,
  ) {
    this.update = forHulls;
  }

  /** Restarts at x₀ = s₋₁ = −n and overwrites n by the first search direction. */
  begin(n: Vec3, areHulls: boolean): void {
    const { d, x0 } = this;
    this.update = areHulls ? this.forHulls : this.forOthers;
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

/**
 * Polyak: dₖ = δₖ dₖ₋₁ + (1 − δₖ) xₖ, δₖ = 1 / (k + 1), the weight of the program released with [Montaut24]. It differs
 * from the weight printed there (`printedPolyak`), with which shapes in collision take more iterations than plain GJK.
 */
export const polyak: MomentumUpdate = (d, k, x) => {
  const delta = 1 / (k + 1);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * x[i];
};

/** Polyak as printed: dₖ = δₖ dₖ₋₁ + (1 − δₖ) ∇f(xₖ), ∇f(x) = 2x, δₖ = (k + 1) / (k + 3) [Montaut24 §III-B, eq. 28]. */
export const printedPolyak: MomentumUpdate = (d, k, x) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + 2 * (1 - delta) * x[i];
};

/**
 * Nesterov as in the program released with [Montaut24]: dₖ = δₖ dₖ₋₁ + (1 − δₖ) yₖ, yₖ = δₖ xₖ + (1 − δₖ) sₖ₋₁, δₖ = (k
 * + 1) / (k + 3): half the step that is printed (`printedNesterov`).
 */
export const nesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * (delta * x[i] + (1 - delta) * s[i]);
};

/** Nesterov as printed: the gradient ∇f(y) = 2y takes the place of y [Montaut22 alg. 2; Montaut24 §III-B, eq. 28]. */
export const printedNesterov: MomentumUpdate = (d, k, x, s) => {
  const delta = (k + 1) / (k + 3);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + 2 * (1 - delta) * (delta * x[i] + (1 - delta) * s[i]);
};

/** Polyak with normalized terms and the released weight, which the paper measures and leaves out [Montaut24 Fig. 8]. */
export const normalizedPolyak: MomentumUpdate = (d, k, x) => {
  const delta = 1 / (k + 1);
  const fromD = delta / norm(d),
    fromX = (1 - delta) / norm(x);
  for (let i = 0; i < 3; i++) d[i] = fromD * d[i] + fromX * x[i];
  if (!(norm(d) > 0)) copy(d, x); // the two terms cancelled
};

/** Scratch of `addNormalized`, which calls only vector functions. */
const y: Vec3 = create();

/**
 * Nesterov with normalized terms: dₖ = δₖ dₖ₋₁ / ‖dₖ₋₁‖ + (1 − δₖ) ∇f(yₖ) / ‖∇f(yₖ)‖, so that the larger term does not
 * dominate if many directions have one support point, as at edges and vertices [Montaut24 §III-B, eq. 33, alg. 7]. The
 * weight δₖ = (k + 2) / (k + 3) is that of the program released with the paper; see `printedNormalizedNesterov`.
 */
export const normalizedNesterov: MomentumUpdate = (d, k, x, s) => addNormalized(d, k + 2, k + 3, x, s);

/** Nesterov with normalized terms and the printed weight δₖ = (k + 1) / (k + 3) [Montaut24 §III-B, eq. 33, alg. 7]. */
export const printedNormalizedNesterov: MomentumUpdate = (d, k, x, s) => addNormalized(d, k + 1, k + 3, x, s);

/** Updates d with normalized terms and the weight numerator / denominator, integers for the reason given above. */
function addNormalized(d: Vec3, numerator: number, denominator: number, x: Vec3, s: Vec3): void {
  const delta = numerator / denominator;
  for (let i = 0; i < 3; i++) y[i] = delta * x[i] + (1 - delta) * s[i];
  normalize(d, d);
  normalize(y, y);
  for (let i = 0; i < 3; i++) d[i] = delta * d[i] + (1 - delta) * y[i];
  if (!(norm(d) > 0)) copy(d, x); // the two terms cancelled
}
