import { cos, sin } from '../math/trigonometry.ts';
import type { Vec3 } from '../math/vec3.ts';

/** rad: below this angle the coefficient is a series, whose first term left out is below 1e-14. */
const SMALL = 0.1;

/**
 * Computes the derivative of the rotation vector φ of R = exp(φ) for the angular velocity ω of R in the frame of its
 * base, ‖φ‖ <= π:
 *   φ̇ = ω − φ × ω / 2 + c φ × (φ × ω)      c = (1 − (θ/2) cot(θ/2)) / θ²      θ = ‖φ‖
 * the inverse of the left Jacobian of SO(3). `out` may be `omega`.
 */
export function rotationVectorRate(out: Vec3, phi: Vec3, omega: Vec3): void {
  const square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
  const c = coefficient(square);
  const x = phi[1] * omega[2] - phi[2] * omega[1];
  const y = phi[2] * omega[0] - phi[0] * omega[2];
  const z = phi[0] * omega[1] - phi[1] * omega[0];
  out[0] = omega[0] - 0.5 * x + c * (phi[1] * z - phi[2] * y);
  out[1] = omega[1] - 0.5 * y + c * (phi[2] * x - phi[0] * z);
  out[2] = omega[2] - 0.5 * z + c * (phi[0] * y - phi[1] * x);
}

/** Returns (1 − (θ/2) cot(θ/2)) / θ² for θ². */
function coefficient(square: number): number {
  if (square < SMALL * SMALL) return 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square / 1209600));
  const half = 0.5 * Math.sqrt(square);
  return (1 - (half * cos(half)) / sin(half)) / square;
}
