import type { Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { PairCache } from './solver.ts';

/** Rounding of a triple product, relative to the product of the three lengths, that of the points included. */
const SIGN_ERROR = 64 * Number.EPSILON;

/** Corners of the portal, about the difference of the centres, in the frame of B. Scratch of the function below, which calls nobody. */
const x = new Float64Array(9);

/**
 * Primal warm start of the Boolean question [Thirugnanam25 §III-F.3, III-F.4]: whether the origin still lies in the simplex of the three
 * corners that the last growth distance of these very bodies left, and the difference of the centres. If so they collide, and not one
 * support function was asked: the corners are points of the bodies wherever these have moved. False: nothing is known.
 */
export function heldByCorners(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): boolean {
  const { corners } = cache;
  const p = a.center;
  const q = b.center;
  let ox = 0,
    oy = 0,
    oz = 0;
  for (let i = 0; i < 3; i++) {
    const r0 = T_b_a[4 * i],
      r1 = T_b_a[4 * i + 1],
      r2 = T_b_a[4 * i + 2];
    for (let k = 0; k < 9; k += 3)
      x[k + i] = r0 * corners[k] + r1 * corners[k + 1] + r2 * corners[k + 2] - corners[9 + k + i];
    const o = q[i] - (r0 * p[0] + r1 * p[1] + r2 * p[2] + T_b_a[4 * i + 3]);
    if (i === 0) ox = o;
    else if (i === 1) oy = o;
    else oz = o;
  }
  // o = Σ λₖ xₖ with λ >= 0 and Σ λ <= 1, all times the determinant, which may have either sign.
  const s1 = triple(ox, oy, oz, 3, 6);
  const s2 = triple(ox, oy, oz, 6, 0);
  const s3 = triple(ox, oy, oz, 0, 3);
  const all = triple(x[0], x[1], x[2], 3, 6);
  const sign = all < 0 ? -1 : 1;
  const reach = a.outerRadius + b.outerRadius;
  const extent = Math.abs(ox) + Math.abs(oy) + Math.abs(oz) + reach;
  const doubt = SIGN_ERROR * reach * reach * extent;
  return sign * s1 > doubt && sign * s2 > doubt && sign * s3 > doubt && sign * (all - s1 - s2 - s3) > doubt;
}

/** (u, v, w) · (xᵢ × xⱼ) */
function triple(u: number, v: number, w: number, i: number, j: number): number {
  return (
    u * (x[i + 1] * x[j + 2] - x[i + 2] * x[j + 1]) +
    v * (x[i + 2] * x[j] - x[i] * x[j + 2]) +
    w * (x[i] * x[j + 1] - x[i + 1] * x[j])
  );
}
