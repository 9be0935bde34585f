import type { Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

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
  let uu = 0,
    uv = 0,
    ut = 0,
    vv = 0,
    vt = 0;
  for (let side = 0; side < 2; side++) {
    const axes = side === 0 ? axesA : axesB;
    const { bounds } = side === 0 ? a : b; // of ellipsoids: the radii, margin included
    const ux = axes[0],
      uy = axes[1],
      uz = axes[2];
    const vx = axes[3],
      vy = axes[4],
      vz = axes[5];
    const tx = axes[6],
      ty = axes[7],
      tz = axes[8];
    let x = bounds[3] * bounds[3],
      y = bounds[4] * bounds[4],
      z = bounds[5] * bounds[5];
    const scale = 1 / Math.sqrt(x * tx * tx + y * ty * ty + z * tz * tz);
    x *= scale;
    y *= scale;
    z *= scale;
    uu += x * ux * ux + y * uy * uy + z * uz * uz;
    uv += x * ux * vx + y * uy * vy + z * uz * vz;
    ut += x * ux * tx + y * uy * ty + z * uz * tz;
    vv += x * vx * vx + y * vy * vy + z * vz * vz;
    vt += x * vx * tx + y * vy * ty + z * vz * tz;
  }
  // In the ray axes u, v, t: the column of the adjugate that belongs to the ray.
  const nu = uv * vt - ut * vv;
  const nv = uv * ut - uu * vt;
  const nt = uu * vv - uv * uv;
  if (!(nt > 0 && nt * nt > MIN_SQUARED_COSINE * (nu * nu + nv * nv + nt * nt))) return false;
  out[0] = nu;
  out[1] = nv;
  out[2] = nt;
  return true;
}
