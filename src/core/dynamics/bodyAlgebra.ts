/**
 * Rotates a unit quaternion by the angular velocity ω over 2s seconds, to first order: q ← q + s (0, ω) q, normalized.
 */
export function turn(q: Float64Array, s: number, wx: number, wy: number, wz: number): void {
  const w = q[0];
  const x = q[1];
  const y = q[2];
  const z = q[3];
  const a = w - s * (wx * x + wy * y + wz * z);
  const b = x + s * (wx * w + wy * z - wz * y);
  const c = y + s * (wy * w + wz * x - wx * z);
  const d = z + s * (wz * w + wx * y - wy * x);
  const factor = 1 / Math.sqrt(a * a + b * b + c * c + d * d);
  q[0] = factor * a;
  q[1] = factor * b;
  q[2] = factor * c;
  q[3] = factor * d;
}

/** Inverse of a symmetric matrix in the order xx, yy, zz, xy, xz, yz. */
export function inverseOf([xx, yy, zz, xy, xz, yz]: readonly number[]): number[] {
  const a = yy * zz - yz * yz;
  const d = xz * yz - xy * zz;
  const e = xy * yz - xz * yy;
  const det = xx * a + xy * d + xz * e;
  return [a, xx * zz - xz * xz, xx * yy - xy * xy, d, e, xy * xz - xx * yz].map((one) => one / det);
}
