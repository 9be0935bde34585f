import type { Vec3 } from '../../math/vec3.ts';
import { create } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { CENTER, POSE, RADIUS, REST, TURNING, VELOCITY } from './memberIntervals.ts';

/**
 * The gap of a pair along a direction that is fixed in the world, and what both parts advance along it while each robot
 * is anywhere in an interval. With σ in [−1, 1] the position in the interval, a part advances along n by at most
 *   max over σ = ±1 of σ n·V + s(n + σ n × Ω) − s(n),   s(d) = max d·(p − c),
 * or 0, plus A/2: the first term is convex in σ. It depends on the interval of its own robot alone.
 */
export class CellAdvance {
  /** Input: the direction, a unit vector from A to B in the world. */
  readonly n: Vec3 = create();
  // Scratch.
  private readonly opposite: Vec3 = create();
  private readonly local: Vec3 = create();
  private readonly vertex: Vec3 = create();
  private readonly turned: Vec3 = create();
  /** Height of a part along a direction; what it advances: results of methods, not allocated at each call. */
  private readonly height = new Float64Array(1);
  private readonly advance = new Float64Array(1);

  /** Returns the gap of a pair along n at the middle of the cell; negative: how much it overlaps along n. */
  computeGap(shapeA: ConvexShape, a: Float64Array, i: number, shapeB: ConvexShape, b: Float64Array, j: number): number {
    const { n, opposite, height } = this;
    for (let k = 0; k < 3; k++) opposite[k] = -n[k];
    this.computeHeight(shapeA, a, i, n);
    let gap = -height[0];
    this.computeHeight(shapeB, b, j, opposite);
    gap -= height[0];
    for (let k = 0; k < 3; k++) gap += n[k] * (b[j + CENTER + k] - a[i + CENTER + k]);
    return gap;
  }

  /** Returns true if both parts together advance less than a gap along n (towards each other) within the cell. */
  staysApart(
    gap: number,
    shapeA: ConvexShape,
    a: Float64Array,
    i: number,
    shapeB: ConvexShape,
    b: Float64Array,
    j: number,
  ): boolean {
    const { n, opposite, advance } = this;
    this.computeSphereAdvance(a, i);
    const sphereA = advance[0];
    this.computeSphereAdvance(b, j);
    const sphereB = advance[0];
    if (sphereA + sphereB < gap) return true;
    if (!(a[i + REST] + b[j + REST] < gap)) return false;
    this.computeAdvance(shapeA, a, i, n);
    const tightA = Math.min(sphereA, advance[0]);
    if (tightA + sphereB < gap) return true;
    for (let k = 0; k < 3; k++) opposite[k] = -n[k];
    this.computeAdvance(shapeB, b, j, opposite);
    return tightA + advance[0] < gap;
  }

  /** Bounds what a part advances along ±n by its bounding sphere: |n·V| + ‖n × Ω‖ r + A/2. */
  private computeSphereAdvance(values: Float64Array, o: number): void {
    const { n, advance } = this;
    const wx = values[o + TURNING],
      wy = values[o + TURNING + 1],
      wz = values[o + TURNING + 2];
    const ex = n[1] * wz - n[2] * wy;
    const ey = n[2] * wx - n[0] * wz;
    const ez = n[0] * wy - n[1] * wx;
    const drift = n[0] * values[o + VELOCITY] + n[1] * values[o + VELOCITY + 1] + n[2] * values[o + VELOCITY + 2];
    advance[0] = Math.abs(drift) + Math.sqrt(ex * ex + ey * ey + ez * ez) * values[o + RADIUS] + values[o + REST];
  }

  /** Bounds what a part advances along d, by its support function at both ends of the interval. */
  private computeAdvance(shape: ConvexShape, values: Float64Array, o: number, d: Vec3): void {
    const { height, advance, turned } = this;
    this.computeHeight(shape, values, o, d);
    const atMiddle = height[0];
    const wx = values[o + TURNING],
      wy = values[o + TURNING + 1],
      wz = values[o + TURNING + 2];
    const ex = d[1] * wz - d[2] * wy;
    const ey = d[2] * wx - d[0] * wz;
    const ez = d[0] * wy - d[1] * wx;
    const drift = d[0] * values[o + VELOCITY] + d[1] * values[o + VELOCITY + 1] + d[2] * values[o + VELOCITY + 2];
    turned[0] = d[0] + ex;
    turned[1] = d[1] + ey;
    turned[2] = d[2] + ez;
    this.computeHeight(shape, values, o, turned);
    const atEnd = drift + height[0] - atMiddle;
    turned[0] = d[0] - ex;
    turned[1] = d[1] - ey;
    turned[2] = d[2] - ez;
    this.computeHeight(shape, values, o, turned);
    advance[0] = Math.max(0, atEnd, height[0] - atMiddle - drift) + values[o + REST];
  }

  /** Computes max d·(p − c) over the points p of a part, c its centre, for a direction d of any length. */
  private computeHeight(shape: ConvexShape, values: Float64Array, o: number, d: Vec3): void {
    const { local, vertex } = this;
    const p = o + POSE;
    const x = d[0],
      y = d[1],
      z = d[2];
    local[0] = values[p] * x + values[p + 4] * y + values[p + 8] * z;
    local[1] = values[p + 1] * x + values[p + 5] * y + values[p + 9] * z;
    local[2] = values[p + 2] * x + values[p + 6] * y + values[p + 10] * z;
    shape.support(vertex, shape, local, -1);
    const core = vertex[0] * local[0] + vertex[1] * local[1] + vertex[2] * local[2];
    const offset =
      x * (values[p + 3] - values[o + CENTER]) +
      y * (values[p + 7] - values[o + CENTER + 1]) +
      z * (values[p + 11] - values[o + CENTER + 2]);
    this.height[0] = core + offset + shape.margin * Math.sqrt(x * x + y * y + z * z);
  }
}
