import type { Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { dot, load, scaled, store, vec } from './notation.ts';

/** Smallest squared cosine between the ray and the normal: the planes of others intersect the ray too far. */
const MIN_SQUARED_COSINE = 1e-4;

/**
 * Computes a first normal for the growth distance of two ellipsoids in the ray axes u, v, t, of any length; returns
 * false if it is too steep. With Q = R diag(radii²) Rᵀ the support function is √(nᵀQn), at most (nᵀQn / h + h) / 2 with
 * equality where h is its value. With the values along the ray, the height of the support plane on the ray is least for
 * these bounds where (Q_A / h_A + Q_B / h_B) n is parallel to the ray. Saves a third of the iterations from the ray
 * itself.
 */
export function ellipsoidNormal(
  out: Vec3,
  a: ConvexShape,
  b: ConvexShape,
  axesA: Float64Array,
  axesB: Float64Array,
): boolean {
  let uu = 0;
  let uv = 0;
  let ut = 0;
  let vv = 0;
  let vt = 0;
  for (let side = 0; side < 2; side++) {
    const axes = side === 0 ? axesA : axesB;
    const { bounds } = side === 0 ? a : b; // of ellipsoids: the radii, margin included
    const u = load(axes, 0);
    const v = load(axes, 3);
    const t = load(axes, 6);
    let q = vec(bounds[3] * bounds[3], bounds[4] * bounds[4], bounds[5] * bounds[5]);
    const scale = 1 / Math.sqrt(q[0] * t[0] * t[0] + q[1] * t[1] * t[1] + q[2] * t[2] * t[2]);
    q = scaled(scale, q);
    uu += q[0] * u[0] * u[0] + q[1] * u[1] * u[1] + q[2] * u[2] * u[2];
    uv += q[0] * u[0] * v[0] + q[1] * u[1] * v[1] + q[2] * u[2] * v[2];
    ut += q[0] * u[0] * t[0] + q[1] * u[1] * t[1] + q[2] * u[2] * t[2];
    vv += q[0] * v[0] * v[0] + q[1] * v[1] * v[1] + q[2] * v[2] * v[2];
    vt += q[0] * v[0] * t[0] + q[1] * v[1] * t[1] + q[2] * v[2] * t[2];
  }
  // In the ray axes u, v, t: the column of the adjugate that belongs to the ray.
  const n = vec(uv * vt - ut * vv, uv * ut - uu * vt, uu * vv - uv * uv);
  if (!(n[2] > 0 && n[2] * n[2] > MIN_SQUARED_COSINE * dot(n, n))) return false;
  store(out, 0, n);
  return true;
}
