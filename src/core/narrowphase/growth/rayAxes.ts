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
  const vx = ty * uz - tz * uy,
    vy = tz * ux - tx * uz,
    vz = tx * uy - ty * ux;
  axesB[0] = ux;
  axesB[1] = uy;
  axesB[2] = uz;
  axesB[3] = vx;
  axesB[4] = vy;
  axesB[5] = vz;
  axesB[6] = tx;
  axesB[7] = ty;
  axesB[8] = tz;
  const r00 = T_b_a[0],
    r01 = T_b_a[1],
    r02 = T_b_a[2];
  const r10 = T_b_a[4],
    r11 = T_b_a[5],
    r12 = T_b_a[6];
  const r20 = T_b_a[8],
    r21 = T_b_a[9],
    r22 = T_b_a[10];
  axesA[0] = r00 * ux + r10 * uy + r20 * uz;
  axesA[1] = r01 * ux + r11 * uy + r21 * uz;
  axesA[2] = r02 * ux + r12 * uy + r22 * uz;
  axesA[3] = r00 * vx + r10 * vy + r20 * vz;
  axesA[4] = r01 * vx + r11 * vy + r21 * vz;
  axesA[5] = r02 * vx + r12 * vy + r22 * vz;
  axesA[6] = r00 * tx + r10 * ty + r20 * tz;
  axesA[7] = r01 * tx + r11 * ty + r21 * tz;
  axesA[8] = r02 * tx + r12 * ty + r22 * tz;
}

/** Converts a vector in the frame of B to u, v, t. `out` may be `d`. */
export function toRayAxes(out: Vec3, d: Vec3, axesB: Float64Array): void {
  const x = d[0],
    y = d[1],
    z = d[2];
  out[0] = axesB[0] * x + axesB[1] * y + axesB[2] * z;
  out[1] = axesB[3] * x + axesB[4] * y + axesB[5] * z;
  out[2] = axesB[6] * x + axesB[7] * y + axesB[8] * z;
}
