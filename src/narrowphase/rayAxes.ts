import type { Transform } from '../math/transform.ts';

/** Writes an axis (x, y, z) of the frame of B at offset i of both lists: as B sees it, and turned into the frame of A. */
export function setAxis(
  axesA: Float64Array,
  axesB: Float64Array,
  i: number,
  T_b_a: Transform,
  x: number,
  y: number,
  z: number,
): void {
  axesB[i] = x;
  axesB[i + 1] = y;
  axesB[i + 2] = z;
  axesA[i] = T_b_a[0] * x + T_b_a[4] * y + T_b_a[8] * z;
  axesA[i + 1] = T_b_a[1] * x + T_b_a[5] * y + T_b_a[9] * z;
  axesA[i + 2] = T_b_a[2] * x + T_b_a[6] * y + T_b_a[10] * z;
}
