/**
 * A segment of a convex set around the origin that the ray along the unit vector (ux, uy) crosses: the inner approximation of the
 * growth distance in the plane, two points being a basis there. `left` lies to the left of the ray or on it, `right` to its right.
 */
export class InnerSegment {
  /** Per end: x, y, then the unit direction along which a margin was added to it. */
  readonly left = new Float64Array(4);
  readonly right = new Float64Array(4);
  /** Per end: the corners of A and B behind it; −1 for points of the inner disc. */
  readonly leftCorners = new Int32Array(2);
  readonly rightCorners = new Int32Array(2);

  /** Two points of the disc about the origin, 45° to either side of the ray. */
  reset(ux: number, uy: number, radius: number): void {
    const part = Math.SQRT1_2 * radius;
    this.left[0] = part * (ux - uy);
    this.left[1] = part * (uy + ux);
    this.right[0] = part * (ux + uy);
    this.right[1] = part * (uy - ux);
    this.leftCorners.fill(-1);
    this.rightCorners.fill(-1);
  }

  /** Length of the ray within the segment: λ left + (1 − λ) right lies on it. */
  exit(ux: number, uy: number): number {
    const { left, right } = this;
    const share = this.leftShare(ux, uy);
    return share * (ux * left[0] + uy * left[1]) + (1 - share) * (ux * right[0] + uy * right[1]);
  }

  /** λ: how much of the point on the ray is `left`. */
  leftShare(ux: number, uy: number): number {
    const { left, right } = this;
    const toLeft = ux * left[1] - uy * left[0];
    const toRight = uy * right[0] - ux * right[1];
    return toRight / (toLeft + toRight);
  }

  /**
   * Replaces the end on its own side by the point (x, y), if that lies beyond the segment by more than `least`; says whether it did.
   * The point came from a support along (nx, ny).
   */
  extend(
    ux: number,
    uy: number,
    x: number,
    y: number,
    nx: number,
    ny: number,
    cornerA: number,
    cornerB: number,
    least: number,
  ): boolean {
    const { left, right } = this;
    const ex = left[0] - right[0];
    const ey = left[1] - right[1];
    const beyond = ey * (x - right[0]) - ex * (y - right[1]);
    if (!(beyond > least * Math.sqrt(ex * ex + ey * ey))) return false;
    this.place(ux * y - uy * x >= 0, x, y, nx, ny, cornerA, cornerB);
    return true;
  }

  /** Sets one end, whatever was there. */
  place(isLeft: boolean, x: number, y: number, nx: number, ny: number, cornerA: number, cornerB: number): void {
    const end = isLeft ? this.left : this.right;
    const corners = isLeft ? this.leftCorners : this.rightCorners;
    end[0] = x;
    end[1] = y;
    end[2] = nx;
    end[3] = ny;
    corners[0] = cornerA;
    corners[1] = cornerB;
  }
}
