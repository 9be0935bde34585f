import { type PlanarSimplex, s1d } from '../../src/core/narrowphase/planar/subdistance.ts';

/**
 * The signed volumes sub-algorithm of openGJK [Montanari17] in the plane, an opponent of [Zhang20 tables I-VI]: the
 * origin is in the triangle if its three signed areas have the sign of the triangle; otherwise the nearest point is on
 * an edge whose area has another sign, and each of these is searched.
 */
export function signedAreas(simplex: PlanarSimplex): void {
  const { points, lambda } = simplex;
  const total = areaOf(points, 0, 2, 4);
  let inside = total !== 0;
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const [p, q] = [2 * ((i + 1) % 3), 2 * ((i + 2) % 3)];
    const area = points[p] * (points[q + 1] - points[p + 1]) - points[p + 1] * (points[q] - points[p]);
    lambda[i] = area / total;
    if (total !== 0 && area > 0 === total > 0) continue;
    inside = false;
    const squared = squaredDistance(points, p, q);
    if (squared >= least) continue;
    least = squared;
    nearest = i;
  }
  if (inside) {
    simplex.distance = 0;
    return;
  }
  simplex.keepTwo(Math.min((nearest + 1) % 3, (nearest + 2) % 3), Math.max((nearest + 1) % 3, (nearest + 2) % 3));
  s1d(simplex);
}

/** Returns twice the signed area of the triangle of the points at three offsets. */
function areaOf(w: Float64Array, a: number, b: number, c: number): number {
  return (w[b] - w[a]) * (w[c + 1] - w[a + 1]) - (w[b + 1] - w[a + 1]) * (w[c] - w[a]);
}

/** Returns the squared distance of the origin from the segment between the points at two offsets. */
function squaredDistance(w: Float64Array, p: number, q: number): number {
  const [ex, ey] = [w[q] - w[p], w[q + 1] - w[p + 1]];
  const squaredLength = ex * ex + ey * ey;
  const along = squaredLength > 0 ? -(w[p] * ex + w[p + 1] * ey) / squaredLength : 0;
  const share = along < 0 ? 0 : along > 1 ? 1 : along;
  const [x, y] = [w[p] + share * ex, w[p + 1] + share * ey];
  return x * x + y * y;
}
