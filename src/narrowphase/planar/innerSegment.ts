import type { Vec2 } from '../../math/planar.ts';

/**
 * A segment of a convex set around the origin that a ray crosses: the inner approximation of the growth distance in the plane, two
 * points being a basis there. `left` lies to the left of the ray or on it, `right` to its right.
 *
 * Points and directions come and go in lists: numbers handed to a function that is not inlined cost an allocation each.
 */
export class InnerSegment {
  /** Unit vector along the ray. */
  readonly ray: Vec2 = new Float64Array(2);
  /** A point that may become an end: x, y, nx, ny as below. */
  readonly candidate = new Float64Array(4);
  /** How far beyond the segment a candidate must lie to become an end. */
  least = 0;
  /** Radius of the disc about the origin that the set holds. */
  radius = 0;
  /** As of the last `measure`: length of the ray within the segment, and how much of the point on the ray is `left` (λ). */
  length = 0;
  share = 0;
  /** Per end: x, y, then the unit direction along which a margin was added to it. */
  readonly left = new Float64Array(4);
  readonly right = new Float64Array(4);
  /** Per end: the corners of A and B behind it; −1 for points of the inner disc. */
  readonly leftCorners = new Int32Array(2);
  readonly rightCorners = new Int32Array(2);

  /** Two points of the inner disc, 45° to either side of the ray. */
  reset(): void {
    const { ray, radius } = this;
    const ux = ray[0],
      uy = ray[1];
    const part = Math.SQRT1_2 * radius;
    this.left[0] = part * (ux - uy);
    this.left[1] = part * (uy + ux);
    this.right[0] = part * (ux + uy);
    this.right[1] = part * (uy - ux);
    this.leftCorners.fill(-1);
    this.rightCorners.fill(-1);
  }

  /** Sets `length` and `share`: λ left + (1 − λ) right lies on the ray. */
  measure(): void {
    const { left, right, ray } = this;
    const ux = ray[0],
      uy = ray[1];
    const toLeft = ux * left[1] - uy * left[0];
    const toRight = uy * right[0] - ux * right[1];
    const share = toRight / (toLeft + toRight);
    this.share = share;
    this.length = share * (ux * left[0] + uy * left[1]) + (1 - share) * (ux * right[0] + uy * right[1]);
  }

  /** Replaces the end on its own side by the candidate, if that lies beyond the segment by more than `least`; says whether it did. */
  extend(cornerA: number, cornerB: number): boolean {
    const { left, right, ray, candidate, least } = this;
    const x = candidate[0],
      y = candidate[1];
    const ex = left[0] - right[0];
    const ey = left[1] - right[1];
    const beyond = ey * (x - right[0]) - ex * (y - right[1]);
    if (!(beyond > least * Math.sqrt(ex * ex + ey * ey))) return false;
    this.place(ray[0] * y - ray[1] * x >= 0, cornerA, cornerB);
    return true;
  }

  /** Puts the candidate at one end, whatever was there. */
  place(isLeft: boolean, cornerA: number, cornerB: number): void {
    const { candidate } = this;
    const end = isLeft ? this.left : this.right;
    const corners = isLeft ? this.leftCorners : this.rightCorners;
    for (let k = 0; k < 4; k++) end[k] = candidate[k];
    corners[0] = cornerA;
    corners[1] = cornerB;
  }
}
