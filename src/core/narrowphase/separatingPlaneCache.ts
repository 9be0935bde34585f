import type { Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { supportInPlace, supportVertex } from '../shapes/polytope.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { contactUncertainty } from './iterationLimits.ts';
import type { PairCache } from './solver.ts';

/** Scratch of the functions below, which call nothing but support functions. */
const d: Vec3 = create();

/**
 * Checks whether the cached separating axis still separates the pair, by more than `minDistance` metres and
 * `contactUncertainty`, so that a cold start finds it separated, too; if so, stores the gap in the cache. One support
 * call, on A only: the axis is fixed in the frame of B, so the support value of B does not change with the poses and is
 * computed once per axis.
 */
export function cachedPlaneSeparates(
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  minDistance: number,
  cache: PairCache,
): boolean {
  const { axis, planeSupportB } = cache;
  const nx = axis[0],
    ny = axis[1],
    nz = axis[2];
  const isCached =
    cache.planeShapeB === b && planeSupportB[0] === nx && planeSupportB[1] === ny && planeSupportB[2] === nz;
  if (!isCached) cacheSupportOfB(cache, b);

  const lx = T_b_a[0] * nx + T_b_a[4] * ny + T_b_a[8] * nz;
  const ly = T_b_a[1] * nx + T_b_a[5] * ny + T_b_a[9] * nz;
  const lz = T_b_a[2] * nx + T_b_a[6] * ny + T_b_a[10] * nz;
  const { vertices } = a;
  let ax: number, ay: number, az: number;
  d[0] = lx;
  d[1] = ly;
  d[2] = lz;
  if (vertices.length > 0) {
    const vertex = supportVertex(a, d);
    ax = vertices[vertex];
    ay = vertices[vertex + 1];
    az = vertices[vertex + 2];
  } else {
    a.support(d, a, d, cache.hintA);
    ax = d[0];
    ay = d[1];
    az = d[2];
  }
  const tx = T_b_a[3],
    ty = T_b_a[7],
    tz = T_b_a[11];
  const extent = a.extent + b.extent + Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  const supportA = lx * ax + ly * ay + lz * az;
  const gap = planeSupportB[3] - supportA - (nx * tx + ny * ty + nz * tz) - a.margin - b.margin;
  if (!(gap > minDistance + contactUncertainty * extent)) return false;
  cache.gap = gap;
  return true;
}

/** Computes `planeSupportB` for the cached axis. */
function cacheSupportOfB(cache: PairCache, b: ConvexShape): void {
  const { axis, planeSupportB } = cache;
  const nx = axis[0],
    ny = axis[1],
    nz = axis[2];
  d[0] = -nx;
  d[1] = -ny;
  d[2] = -nz;
  supportInPlace(d, b, cache.hintB);
  planeSupportB[0] = nx;
  planeSupportB[1] = ny;
  planeSupportB[2] = nz;
  planeSupportB[3] = nx * d[0] + ny * d[1] + nz * d[2];
  cache.planeShapeB = b;
}
