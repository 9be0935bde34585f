// Expanded from kernels/separatingPlaneCache.ts by `node scripts/kernels.mjs`: edit it there.
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
  const nX = axis[0],
    nY = axis[1],
    nZ = axis[2];
  const isCached =
    cache.planeShapeB === b && planeSupportB[0] === nX && planeSupportB[1] === nY && planeSupportB[2] === nZ;
  if (!isCached) cacheSupportOfB(cache, b);

  const lX = nX * T_b_a[0] + nY * T_b_a[4] + nZ * T_b_a[8],
    lY = nX * T_b_a[1] + nY * T_b_a[5] + nZ * T_b_a[9],
    lZ = nX * T_b_a[2] + nY * T_b_a[6] + nZ * T_b_a[10];
  const { vertices } = a;
  let pX: number, pY: number, pZ: number;
  d[0] = lX;
  d[1] = lY;
  d[2] = lZ;
  if (vertices.length > 0) {
    const vertex = supportVertex(a, d);
    pX = vertices[vertex];
    pY = vertices[vertex + 1];
    pZ = vertices[vertex + 2];
  } else {
    a.support(d, a, d, cache.hintA);
    pX = d[0];
    pY = d[1];
    pZ = d[2];
  }
  const tX = T_b_a[3],
    tY = T_b_a[7],
    tZ = T_b_a[11];
  const extent = a.extent + b.extent + Math.abs(tX) + Math.abs(tY) + Math.abs(tZ);
  const gap = planeSupportB[3] - (lX * pX + lY * pY + lZ * pZ) - (nX * tX + nY * tY + nZ * tZ) - a.margin - b.margin;
  if (!(gap > minDistance + contactUncertainty * extent)) return false;
  cache.gap = gap;
  return true;
}

/** Computes `planeSupportB` for the cached axis. */
function cacheSupportOfB(cache: PairCache, b: ConvexShape): void {
  const { axis, planeSupportB } = cache;
  const nX = axis[0],
    nY = axis[1],
    nZ = axis[2];
  d[0] = -nX;
  d[1] = -nY;
  d[2] = -nZ;
  supportInPlace(d, b, cache.hintB);
  planeSupportB[0] = nX;
  planeSupportB[1] = nY;
  planeSupportB[2] = nZ;
  planeSupportB[3] = nX * d[0] + nY * d[1] + nZ * d[2];
  cache.planeShapeB = b;
}
