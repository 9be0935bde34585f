// Expanded from kernels/supportAlong.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import { supportInPlace } from '../shapes/polytope.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** Scratch of the functions below, which call nothing but support functions. */
const local = new Float64Array(3);

/**
 * Computes the support point of the core of A along `d`, both in the frame of B, and returns the hint for the next
 * call. `T_b_a` is the pose of A in B; `d` has any length but 0. `out` may be `d`.
 */
export function posedSupport(out: Vec3, a: ConvexShape, T_b_a: Transform, d: Vec3, hint: number): number {
  const r0X = T_b_a[0],
    r0Y = T_b_a[1],
    r0Z = T_b_a[2];
  const r1X = T_b_a[4],
    r1Y = T_b_a[5],
    r1Z = T_b_a[6];
  const r2X = T_b_a[8],
    r2Y = T_b_a[9],
    r2Z = T_b_a[10];
  const nX = d[0],
    nY = d[1],
    nZ = d[2];
  local[0] = nX * r0X + nY * r1X + nZ * r2X;
  local[1] = nX * r0Y + nY * r1Y + nZ * r2Y;
  local[2] = nX * r0Z + nY * r1Z + nZ * r2Z;
  const next = supportInPlace(local, a, hint);
  const pX = local[0],
    pY = local[1],
    pZ = local[2];
  out[0] = r0X * pX + r0Y * pY + r0Z * pZ + T_b_a[3];
  out[1] = r1X * pX + r1Y * pY + r1Z * pZ + T_b_a[7];
  out[2] = r2X * pX + r2Y * pY + r2Z * pZ + T_b_a[11];
  return next;
}

/** Computes the support point of the whole shape A, margin included; otherwise as `posedSupport`. */
export function posedSupportWithMargin(out: Vec3, a: ConvexShape, T_b_a: Transform, d: Vec3, hint: number): number {
  const nX = d[0],
    nY = d[1],
    nZ = d[2];
  const next = posedSupport(out, a, T_b_a, d, hint);
  if (a.margin > 0) addMargin(out, a.margin, nX, nY, nZ);
  return next;
}

/**
 * Computes the support point of a shape along `d`, margin included, both in the shape's frame. `out` must not be `d`.
 */
export function supportWithMargin(out: Vec3, shape: ConvexShape, d: Vec3, hint: number): number {
  const nX = d[0],
    nY = d[1],
    nZ = d[2];
  const next = shape.support(out, shape, d, hint);
  if (shape.margin > 0) addMargin(out, shape.margin, nX, nY, nZ);
  return next;
}

/** out ← out + margin · (x, y, z) / ‖(x, y, z)‖ */
function addMargin(out: Vec3, margin: number, x: number, y: number, z: number): void {
  const factor = margin / Math.sqrt(x * x + y * y + z * z);
  out[0] += factor * x;
  out[1] += factor * y;
  out[2] += factor * z;
}
