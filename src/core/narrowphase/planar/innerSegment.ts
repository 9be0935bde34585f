import type { Vec2 } from '../../math/planar.ts';

/**
 * A segment of a convex set around the origin that a ray crosses: the inner approximation of the planar growth
 * distance, where two points form a basis. `left` is to the left of the ray or on it, `right` to its right.
 *
 * Points and directions are passed in arrays: number arguments of a call that is not inlined cost an allocation each.
 */
export class InnerSegment {
  /** Unit vector along the ray. */
  readonly ray: Vec2 = new Float64Array(2);
  /** Candidate for an end point: x, y, nx, ny as below. */
  readonly candidate = new Float64Array(4);
  /** Radius of a disc about the origin that is contained in the set. */
  radius = 0;
  /** Set by `measure`: length of the ray up to the segment, and the weight λ of `left` at the crossing. */
  length = 0;
  share = 0;
  /** Each end point: x, y, then the unit direction along which a margin was added. */
  readonly left = new Float64Array(4);
  readonly right = new Float64Array(4);
  /** Vertex offsets of A and B of each end point; −1 for points of the inner disc. */
  readonly leftVertices = new Int32Array(2);
  readonly rightVertices = new Int32Array(2);

  /** Starts with two points of the inner disc, 45° to either side of the ray. */
  reset(): void {
    const { ray, radius } = this;
    const ux = ray[0],
      uy = ray[1];
    const part = Math.SQRT1_2 * radius;
    this.left[0] = part * (ux - uy);
    this.left[1] = part * (uy + ux);
    this.right[0] = part * (ux + uy);
    this.right[1] = part * (uy - ux);
    this.leftVertices[0] = -1;
    this.leftVertices[1] = -1;
    this.rightVertices[0] = -1;
    this.rightVertices[1] = -1;
  }

  /** Computes `length` and `share`: λ left + (1 − λ) right is on the ray. */
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

  /** Replaces the end point on the same side of the ray by the candidate if that is beyond the segment. */
  extend(vertexA: number, vertexB: number): void {
    const { left, right, ray, candidate } = this;
    const x = candidate[0],
      y = candidate[1];
    const isBeyond = (left[1] - right[1]) * (x - right[0]) > (left[0] - right[0]) * (y - right[1]);
    if (isBeyond) this.setEnd(ray[0] * y - ray[1] * x >= 0, vertexA, vertexB);
  }

  /** Replaces an end point by the candidate unconditionally. */
  setEnd(isLeft: boolean, vertexA: number, vertexB: number): void {
    const { candidate } = this;
    const end = isLeft ? this.left : this.right;
    const vertices = isLeft ? this.leftVertices : this.rightVertices;
    for (let k = 0; k < 4; k++) end[k] = candidate[k];
    vertices[0] = vertexA;
    vertices[1] = vertexB;
  }
}
