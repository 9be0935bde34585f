import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { add, combined, load, rotated, store, vec } from './notation.ts';

/** Scratch of the functions below, which call nothing but support functions. */
const local = new Float64Array(3);

/**
 * Computes the support point of the core of A along `d`, both in the frame of B, and returns the hint for the next
 * call. `T_b_a` is the pose of A in B; `d` has any length but 0. `out` may be `d`.
 */
export function posedSupport(out: Vec3, a: ConvexShape, T_b_a: Transform, d: Vec3, hint: number): number {
  const r0 = load(T_b_a, 0);
  const r1 = load(T_b_a, 4);
  const r2 = load(T_b_a, 8);
  const n = load(d);
  store(local, 0, combined(n, r0, r1, r2));
  const next = supportInPlace(local, a, hint);
  const p = load(local);
  store(out, 0, add(rotated(r0, r1, r2, p), vec(T_b_a[3], T_b_a[7], T_b_a[11])));
  return next;
}

/** Computes the support point of the whole shape A, margin included; otherwise as `posedSupport`. */
export function posedSupportWithMargin(out: Vec3, a: ConvexShape, T_b_a: Transform, d: Vec3, hint: number): number {
  const n = load(d);
  const next = posedSupport(out, a, T_b_a, d, hint);
  if (a.margin > 0) addMargin(out, a.margin, n[0], n[1], n[2]);
  return next;
}

/**
 * Computes the support point of a shape along `d`, margin included, both in the shape's frame. `out` must not be `d`.
 */
export function supportWithMargin(out: Vec3, shape: ConvexShape, d: Vec3, hint: number): number {
  const n = load(d);
  const next = shape.support(out, shape, d, hint);
  if (shape.margin > 0) addMargin(out, shape.margin, n[0], n[1], n[2]);
  return next;
}

/** out ← out + margin · (x, y, z) / ‖(x, y, z)‖ */
function addMargin(out: Vec3, margin: number, x: number, y: number, z: number): void {
  const factor = margin / Math.sqrt(x * x + y * y + z * z);
  out[0] += factor * x;
  out[1] += factor * y;
  out[2] += factor * z;
}
