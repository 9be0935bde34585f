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
  const r00 = T_b_a[0],
    r01 = T_b_a[1],
    r02 = T_b_a[2];
  const r10 = T_b_a[4],
    r11 = T_b_a[5],
    r12 = T_b_a[6];
  const r20 = T_b_a[8],
    r21 = T_b_a[9],
    r22 = T_b_a[10];
  const x = d[0],
    y = d[1],
    z = d[2];
  local[0] = r00 * x + r10 * y + r20 * z;
  local[1] = r01 * x + r11 * y + r21 * z;
  local[2] = r02 * x + r12 * y + r22 * z;
  const next = supportInPlace(local, a, hint);
  const px = local[0],
    py = local[1],
    pz = local[2];
  out[0] = r00 * px + r01 * py + r02 * pz + T_b_a[3];
  out[1] = r10 * px + r11 * py + r12 * pz + T_b_a[7];
  out[2] = r20 * px + r21 * py + r22 * pz + T_b_a[11];
  return next;
}

/** Computes the support point of the whole shape A, margin included; otherwise as `posedSupport`. */
export function posedSupportWithMargin(out: Vec3, a: ConvexShape, T_b_a: Transform, d: Vec3, hint: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  const next = posedSupport(out, a, T_b_a, d, hint);
  if (a.margin > 0) addMargin(out, a.margin, x, y, z);
  return next;
}

/**
 * Computes the support point of a shape along `d`, margin included, both in the shape's frame. `out` must not be `d`.
 */
export function supportWithMargin(out: Vec3, shape: ConvexShape, d: Vec3, hint: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  const next = shape.support(out, shape, d, hint);
  if (shape.margin > 0) addMargin(out, shape.margin, x, y, z);
  return next;
}

/** out ← out + margin · (x, y, z) / ‖(x, y, z)‖ */
function addMargin(out: Vec3, margin: number, x: number, y: number, z: number): void {
  const factor = margin / Math.sqrt(x * x + y * y + z * z);
  out[0] += factor * x;
  out[1] += factor * y;
  out[2] += factor * z;
}
