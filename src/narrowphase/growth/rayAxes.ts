import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';

/**
 * Computes orthonormal axes u, v, t with t along `ray`, a vector in the frame of B of any length but 0. Writes them in
 * the frame of B to `axesB` and in the frame of A to `axesA`, nine numbers each.
 */
export function fillAxes(axesA: Float64Array, axesB: Float64Array, ray: Vec3, T_b_a: Transform): void {
  const x = ray[0],
    y = ray[1],
    z = ray[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const tx = x / length,
    ty = y / length,
    tz = z / length;
  const isSteep = Math.abs(tx) > 0.57;
  const s = 1 / Math.sqrt(isSteep ? tx * tx + ty * ty : ty * ty + tz * tz);
  const ux = isSteep ? ty * s : 0,
    uy = isSteep ? -tx * s : tz * s,
    uz = isSteep ? 0 : -ty * s;
  axesB[0] = ux;
  axesB[1] = uy;
  axesB[2] = uz;
  axesB[3] = ty * uz - tz * uy;
  axesB[4] = tz * ux - tx * uz;
  axesB[5] = tx * uy - ty * ux;
  axesB[6] = tx;
  axesB[7] = ty;
  axesB[8] = tz;
  for (let i = 0; i < 9; i += 3) {
    for (let k = 0; k < 3; k++) {
      axesA[i + k] = T_b_a[k] * axesB[i] + T_b_a[4 + k] * axesB[i + 1] + T_b_a[8 + k] * axesB[i + 2];
    }
  }
}
