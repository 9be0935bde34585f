import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace, supportVertex } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { contactUncertainty } from '../iterationLimits.ts';
import type { PairCache } from '../solver.ts';
import { areEqual, combined, dot, load, neg, store, type V, vec } from './notation.ts';

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
  const n = load(axis);
  const isCached = cache.planeShapeB === b && areEqual(load(planeSupportB), n);
  if (!isCached) cacheSupportOfB(cache, b);

  const l = combined(n, load(T_b_a, 0), load(T_b_a, 4), load(T_b_a, 8));
  const { vertices } = a;
  let p: V;
  store(d, 0, l);
  if (vertices.length > 0) {
    const vertex = supportVertex(a, d);
    p = load(vertices, vertex);
  } else {
    a.support(d, a, d, cache.hintA);
    p = load(d);
  }
  const t = vec(T_b_a[3], T_b_a[7], T_b_a[11]);
  const extent = a.extent + b.extent + Math.abs(t[0]) + Math.abs(t[1]) + Math.abs(t[2]);
  const gap = planeSupportB[3] - dot(l, p) - dot(n, t) - a.margin - b.margin;
  if (!(gap > minDistance + contactUncertainty * extent)) return false;
  cache.gap = gap;
  return true;
}

/** Computes `planeSupportB` for the cached axis. */
function cacheSupportOfB(cache: PairCache, b: ConvexShape): void {
  const { axis, planeSupportB } = cache;
  const n = load(axis);
  store(d, 0, neg(n));
  supportInPlace(d, b, cache.hintB);
  store(planeSupportB, 0, n);
  planeSupportB[3] = dot(n, load(d));
  cache.planeShapeB = b;
}
