import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { combined, cross, dot, load, over, rotated, store, vec } from './notation.ts';

/**
 * Computes orthonormal axes u, v, t with t along `ray`, a vector in the frame of B of any length but 0. Writes them in
 * the frame of B to `axesB` and in the frame of A to `axesA`, nine numbers each.
 */
export function fillAxes(axesA: Float64Array, axesB: Float64Array, ray: Vec3, T_b_a: Transform): void {
  const given = load(ray);
  const length = Math.sqrt(dot(given, given));
  const t = over(given, length);
  const isSteep = Math.abs(t[0]) > 0.57;
  const s = 1 / Math.sqrt(isSteep ? t[0] * t[0] + t[1] * t[1] : t[1] * t[1] + t[2] * t[2]);
  const u = isSteep ? vec(t[1] * s, -t[0] * s, 0) : vec(0, t[2] * s, -t[1] * s);
  const v = cross(t, u);
  store(axesB, 0, u);
  store(axesB, 3, v);
  store(axesB, 6, t);
  const r0 = load(T_b_a, 0);
  const r1 = load(T_b_a, 4);
  const r2 = load(T_b_a, 8);
  store(axesA, 0, combined(u, r0, r1, r2));
  store(axesA, 3, combined(v, r0, r1, r2));
  store(axesA, 6, combined(t, r0, r1, r2));
}

/** Converts a vector in the frame of B to u, v, t. `out` may be `d`. */
export function toRayAxes(out: Vec3, d: Vec3, axesB: Float64Array): void {
  const v = load(d);
  store(out, 0, rotated(load(axesB, 0), load(axesB, 3), load(axesB, 6), v));
}
