// Expanded from ../kernels/rayAxes.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';

/**
 * Computes orthonormal axes u, v, t with t along `ray`, a vector in the frame of B of any length but 0. Writes them in
 * the frame of B to `axesB` and in the frame of A to `axesA`, nine numbers each.
 */
export function fillAxes(axesA: Float64Array, axesB: Float64Array, ray: Vec3, T_b_a: Transform): void {
  const givenX = ray[0],
    givenY = ray[1],
    givenZ = ray[2];
  const length = Math.sqrt(givenX * givenX + givenY * givenY + givenZ * givenZ);
  const tX = givenX / length,
    tY = givenY / length,
    tZ = givenZ / length;
  const isSteep = Math.abs(tX) > 0.57;
  const s = 1 / Math.sqrt(isSteep ? tX * tX + tY * tY : tY * tY + tZ * tZ);
  const uX = isSteep ? tY * s : 0,
    uY = isSteep ? -tX * s : tZ * s,
    uZ = isSteep ? 0 : -tY * s;
  const vX = tY * uZ - tZ * uY,
    vY = tZ * uX - tX * uZ,
    vZ = tX * uY - tY * uX;
  axesB[0] = uX;
  axesB[1] = uY;
  axesB[2] = uZ;
  axesB[3] = vX;
  axesB[4] = vY;
  axesB[5] = vZ;
  axesB[6] = tX;
  axesB[7] = tY;
  axesB[8] = tZ;
  const r0X = T_b_a[0],
    r0Y = T_b_a[1],
    r0Z = T_b_a[2];
  const r1X = T_b_a[4],
    r1Y = T_b_a[5],
    r1Z = T_b_a[6];
  const r2X = T_b_a[8],
    r2Y = T_b_a[9],
    r2Z = T_b_a[10];
  axesA[0] = uX * r0X + uY * r1X + uZ * r2X;
  axesA[1] = uX * r0Y + uY * r1Y + uZ * r2Y;
  axesA[2] = uX * r0Z + uY * r1Z + uZ * r2Z;
  axesA[3] = vX * r0X + vY * r1X + vZ * r2X;
  axesA[4] = vX * r0Y + vY * r1Y + vZ * r2Y;
  axesA[5] = vX * r0Z + vY * r1Z + vZ * r2Z;
  axesA[6] = tX * r0X + tY * r1X + tZ * r2X;
  axesA[7] = tX * r0Y + tY * r1Y + tZ * r2Y;
  axesA[8] = tX * r0Z + tY * r1Z + tZ * r2Z;
}

/** Converts a vector in the frame of B to u, v, t. `out` may be `d`. */
export function toRayAxes(out: Vec3, d: Vec3, axesB: Float64Array): void {
  const vX = d[0],
    vY = d[1],
    vZ = d[2];
  out[0] = axesB[0] * vX + axesB[1] * vY + axesB[2] * vZ;
  out[1] = axesB[3] * vX + axesB[4] * vY + axesB[5] * vZ;
  out[2] = axesB[6] * vX + axesB[7] * vY + axesB[8] * vZ;
}
