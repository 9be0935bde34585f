import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import type { MinkowskiDifference } from './minkowskiDifference2d.ts';

/**
 * Least translation along which two overlapping cores part, and its direction in `normal` (unit, from A to B, frame of B).
 *
 * The boundary of A ⊖ B is made of the edges of A and those of −B, so the least of its support along their normals is the depth: exact
 * but for the rounding of one normal, and one walk round each body. Negative where the cores are apart: then minus the widest gap
 * along any of these normals. Two points, which have no edges, overlap by nothing in any direction.
 */
export function coreDepth(
  normal: Vec2,
  difference: MinkowskiDifference,
  a: PlanarShape,
  T_b_a: PlanarTransform,
  b: PlanarShape,
): number {
  const cosine = T_b_a[0];
  const sine = T_b_a[1];
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < a.edges.length; i += 2) {
    const ex = cosine * a.edges[i] - sine * a.edges[i + 1];
    const ey = sine * a.edges[i] + cosine * a.edges[i + 1];
    least = overlapBeyond(normal, difference, ey, -ex, least);
  }
  for (let i = 0; i < b.edges.length; i += 2) {
    least = overlapBeyond(normal, difference, -b.edges[i + 1], b.edges[i], least);
  }
  if (least < Number.POSITIVE_INFINITY) return least;
  const { offsetX, offsetY } = difference;
  const apart = Math.sqrt(offsetX * offsetX + offsetY * offsetY);
  normal[0] = apart > 0 ? -offsetX / apart : 1;
  normal[1] = apart > 0 ? -offsetY / apart : 0;
  return -apart;
}

/** The overlap along the direction (dx, dy), of any length, if it is the least so far; `normal` then takes the direction. */
function overlapBeyond(normal: Vec2, difference: MinkowskiDifference, dx: number, dy: number, least: number): number {
  const length = Math.sqrt(dx * dx + dy * dy);
  const nx = dx / length;
  const ny = dy / length;
  difference.along[0] = nx;
  difference.along[1] = ny;
  difference.support();
  const overlap = nx * difference.wx + ny * difference.wy;
  if (!(overlap < least)) return least;
  normal[0] = nx;
  normal[1] = ny;
  return overlap;
}
