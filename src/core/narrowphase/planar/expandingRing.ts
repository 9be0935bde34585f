import type { MinkowskiDifference } from './minkowskiDifference2d.ts';

/** Limit of the support points; the bounds at the limit are returned. */
const MAX_VERTICES = 1000;
/** Numbers of a vertex: x, y of the point, the unit normal that it supports, then the normal and height of its edge. */
const SIZE = 7;
const FIRST_NORMALS = [1, 0, 0, 1, -1, 0, 0, -1];

/**
 * The expanding polytope algorithm in the plane, for cores without vertices: minimum of the support value h(n) of A ⊖ B
 * over all unit vectors n. Two neighbors p, q of the ring are the support points along their normals, and bound h in
 * the angle between these by h(n) >= max(p·n, q·n), which is least at either end, or along the normal of the edge pq.
 * The edge with the least height is split by the support point along its normal.
 */
export class ExpandingRing {
  /** Bounds of the minimum; the lower one holds if it is not negative. */
  lower = 0;
  upper = 0;
  /** The unit vector n with h(n) = `upper`. */
  nx = 1;
  ny = 0;
  private readonly vertices = new Float64Array(SIZE * MAX_VERTICES);
  private readonly next = new Int32Array(MAX_VERTICES);
  private count = 0;

  /** Computes the bounds, until they differ by at most `rounding` metres or this part of `upper` + `margins`. */
  expand(difference: MinkowskiDifference, rounding: number, relativeGap: number, margins: number): void {
    const { vertices } = this;
    this.count = 0;
    this.upper = Number.POSITIVE_INFINITY;
    for (let k = 0; k < FIRST_NORMALS.length; k += 2) this.add(difference, FIRST_NORMALS[k], FIRST_NORMALS[k + 1]);
    for (let i = 0; i < this.count; i++) this.next[i] = (i + 1) % this.count;
    for (let i = 0; i < this.count; i++) this.setEdge(i);
    for (;;) {
      const lowest = this.lowestEdge();
      const at = SIZE * lowest;
      this.lower = Math.min(this.upper, vertices[at + 6]);
      const gap = Math.max(rounding, relativeGap * (this.upper + margins));
      if (this.upper - this.lower <= gap || this.count === MAX_VERTICES) return;
      const added = this.add(difference, vertices[at + 4], vertices[at + 5]);
      this.next[added] = this.next[lowest];
      this.next[lowest] = added;
      this.setEdge(lowest);
      this.setEdge(added);
    }
  }

  /** Adds the support point along a unit vector; returns its index. */
  private add(difference: MinkowskiDifference, nx: number, ny: number): number {
    const { vertices } = this;
    const at = SIZE * this.count;
    difference.direction[0] = nx;
    difference.direction[1] = ny;
    difference.support();
    vertices[at] = difference.wx;
    vertices[at + 1] = difference.wy;
    vertices[at + 2] = nx;
    vertices[at + 3] = ny;
    const height = nx * difference.wx + ny * difference.wy;
    if (height < this.upper) {
      this.upper = height;
      this.nx = nx;
      this.ny = ny;
    }
    return this.count++;
  }

  /** Computes normal and height of the edge after vertex i; infinite unless the normal is between those of its ends. */
  private setEdge(i: number): void {
    const { vertices, next } = this;
    const at = SIZE * i;
    const end = SIZE * next[i];
    const ex = vertices[end] - vertices[at];
    const ey = vertices[end + 1] - vertices[at + 1];
    const length = Math.sqrt(ex * ex + ey * ey);
    const nx = ey / length;
    const ny = -ex / length;
    const isBetween =
      vertices[at + 2] * ny - vertices[at + 3] * nx > 0 && nx * vertices[end + 3] - ny * vertices[end + 2] > 0;
    vertices[at + 4] = nx;
    vertices[at + 5] = ny;
    vertices[at + 6] = isBetween ? nx * vertices[at] + ny * vertices[at + 1] : Number.POSITIVE_INFINITY;
  }

  private lowestEdge(): number {
    let lowest = 0;
    for (let i = 1; i < this.count; i++) {
      if (this.vertices[SIZE * i + 6] < this.vertices[SIZE * lowest + 6]) lowest = i;
    }
    return lowest;
  }
}
