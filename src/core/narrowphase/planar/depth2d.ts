import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { ExpandingRing } from './expandingRing.ts';
import type { MinkowskiDifference } from './minkowskiDifference2d.ts';

/** Penetration depth of two overlapping cores: bounds, metres, and the unit direction from A to B, frame of B. */
export class CoreDepth {
  lower = 0;
  upper = 0;
  readonly normal: Vec2 = new Float64Array(2);
  readonly #ring = new ExpandingRing();

  /**
   * Computes the depth of the pair of `difference`: exact for cores with vertices, otherwise until the bounds differ by
   * at most `rounding` metres or this part of the depth of the shapes. Negative if the cores are separated: then minus
   * a gap along `normal`.
   */
  compute(
    difference: MinkowskiDifference,
    a: PlanarShape,
    T_b_a: PlanarTransform,
    b: PlanarShape,
    rounding: number,
    relativeGap: number,
  ): void {
    if (!a.round && !b.round) {
      this.upper = depthOfRings(this.normal, difference, a, T_b_a, b);
      this.lower = this.upper;
      return;
    }
    const ring = this.#ring;
    ring.expand(difference, rounding, relativeGap, a.margin + b.margin);
    this.upper = ring.upper;
    this.lower = ring.lower;
    this.normal[0] = ring.nx;
    this.normal[1] = ring.ny;
  }
}

/**
 * Computes the penetration depth of two rings of vertices, and its direction in `normal`.
 *
 * The boundary of A ⊖ B consists of the edges of A and those of −B, so the depth is the minimum of its support value
 * along their normals: exact except for the rounding of one normal, with one pass over each shape. Negative if the
 * cores are separated: then minus the largest gap along any of these normals. Two points, which have no edges, have
 * depth 0 or minus their distance.
 */
function depthOfRings(
  normal: Vec2,
  difference: MinkowskiDifference,
  a: PlanarShape,
  T_b_a: PlanarTransform,
  b: PlanarShape,
): number {
  const cosine = T_b_a[0];
  const sine = T_b_a[1];
  let minOverlap = Number.POSITIVE_INFINITY;
  for (let i = 0; i < a.edges.length; i += 2) {
    const ex = cosine * a.edges[i] - sine * a.edges[i + 1];
    const ey = sine * a.edges[i] + cosine * a.edges[i + 1];
    minOverlap = reduceOverlap(normal, difference, ey, -ex, minOverlap);
  }
  for (let i = 0; i < b.edges.length; i += 2) {
    minOverlap = reduceOverlap(normal, difference, -b.edges[i + 1], b.edges[i], minOverlap);
  }
  if (minOverlap < Number.POSITIVE_INFINITY) return minOverlap;
  const { offsetX, offsetY } = difference;
  const distance = Math.sqrt(offsetX * offsetX + offsetY * offsetY);
  normal[0] = distance > 0 ? -offsetX / distance : 1;
  normal[1] = distance > 0 ? -offsetY / distance : 0;
  return -distance;
}

/**
 * Returns the overlap along the direction (dx, dy), of any length, if it is smaller than `minOverlap`, and sets
 * `normal`; otherwise returns `minOverlap`.
 */
function reduceOverlap(
  normal: Vec2,
  difference: MinkowskiDifference,
  dx: number,
  dy: number,
  minOverlap: number,
): number {
  const length = Math.sqrt(dx * dx + dy * dy);
  const nx = dx / length;
  const ny = dy / length;
  difference.direction[0] = nx;
  difference.direction[1] = ny;
  difference.support();
  const overlap = nx * difference.wx + ny * difference.wy;
  if (!(overlap < minOverlap)) return minOverlap;
  normal[0] = nx;
  normal[1] = ny;
  return overlap;
}
