import { rotate, type Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';

/** Derivatives of a number of two bodies: per body three by the velocity of its centre, then three by its angular velocity. */
export class BodyGradient {
  readonly a = new Float64Array(6);
  readonly b = new Float64Array(6);
  /** Whether the number has a derivative here; where it has not, `a` and `b` are finite and belong to one side of the kink. */
  differentiable = false;

  clear(): void {
    this.a.fill(0);
    this.b.fill(0);
    this.differentiable = false;
  }
}

/** Ways to move a rigid body a little: along three axes, then about them. */
export const NUDGES = 6;

const before: Vec3 = create();
const after: Vec3 = create();

/** Moves T along axis k (k < 3) by `step` metres, or turns it about axis k − 3 by `step` radians, small, the point `center` staying in place. */
export function nudge(T: Transform, k: number, step: number, center: Vec3): void {
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

/** ‖p − q‖ / ‖p‖ of two six-vectors, the velocities' part times `size` metres so that both parts are per radian. */
export function relativeChange(p: Float64Array, q: Float64Array, size: number): number {
  let change = 0;
  let whole = 0;
  for (let k = 0; k < NUDGES; k++) {
    const weight = k < 3 ? size * size : 1;
    change += weight * (p[k] - q[k]) * (p[k] - q[k]);
    whole += weight * p[k] * p[k];
  }
  return Math.sqrt(change / whole);
}
