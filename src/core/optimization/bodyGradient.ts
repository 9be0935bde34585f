import { rotate, type Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';

/**
 * Derivatives of a scalar of a pair of rigid bodies: for each body three by the velocity of its center, then three by
 * its angular velocity.
 */
export class BodyGradient {
  readonly a = new Float64Array(6);
  readonly b = new Float64Array(6);
  /** True if the scalar is differentiable here; otherwise `a` and `b` are finite one-sided derivatives. */
  differentiable = false;

  clear(): void {
    this.a.fill(0);
    this.b.fill(0);
    this.differentiable = false;
  }
}

/** Number of rigid motions of a perturbation: translations along three axes, then rotations about them. */
export const MOTIONS = 6;

const before: Vec3 = create();
const after: Vec3 = create();

/**
 * Translates T along axis k (k < 3) by `step` metres, or rotates it about axis k − 3 by `step` radians (small) with the
 * point `center` fixed.
 */
export function perturb(T: Transform, k: number, step: number, center: Vec3): void {
  if (k < 3) {
    T[4 * k + 3] += step;
    return;
  }
  // R ← (1 + step [e]×) R
  rotate(before, T, center);
  const y = 4 * ((k - 2) % 3);
  const z = 4 * ((k - 1) % 3);
  for (let column = 0; column < 3; column++) {
    const up = T[y + column];
    const across = T[z + column];
    T[y + column] = up - step * across;
    T[z + column] = across + step * up;
  }
  rotate(after, T, center);
  for (let row = 0; row < 3; row++) T[4 * row + 3] += before[row] - after[row];
}

/**
 * Returns ‖p − q‖ / ‖p‖ of two six-vectors; the components by velocity are multiplied by `size` metres, so that both
 * parts are per radian.
 */
export function relativeChange(p: Float64Array, q: Float64Array, size: number): number {
  let change = 0;
  let whole = 0;
  for (let k = 0; k < MOTIONS; k++) {
    const weight = k < 3 ? size * size : 1;
    change += weight * (p[k] - q[k]) * (p[k] - q[k]);
    whole += weight * p[k] * p[k];
  }
  return Math.sqrt(change / whole);
}
