import { boundsOf } from '../../src/core/hulls/pointCloud.ts';
import type { Triangles } from '../../src/core/hulls/triangleCut.ts';

/** Cells along x and y of the grid that finds the triangles above and below a point. */
const CELLS = 64;
/** Relative to the squared size: cross products below it are rounding errors, and the ray meets an edge. */
const ROUNDING = 1e-14;

/** Computes winding numbers of a closed mesh about points: the signed crossings of the ray along +z. */
export class WindingNumber {
  private readonly bounds: readonly number[];
  private readonly tolerance: number;
  /** Offsets of the triangles whose bounding box overlaps a cell of the grid in x and y. */
  private readonly cells: number[][] = Array.from({ length: CELLS * CELLS }, () => []);

  /** @param triangles metres, nine numbers each, at least one */
  constructor(private readonly triangles: Triangles) {
    this.bounds = boundsOf(triangles)!;
    const [x0, y0, , x1, y1] = this.bounds;
    this.tolerance = ROUNDING * Math.max(x1 - x0, y1 - y0) * Math.max(x1 - x0, y1 - y0);
    for (let t = 0; t < triangles.length; t += 9) {
      const [xs, ys] = [0, 1].map((k) => [triangles[t + k], triangles[t + k + 3], triangles[t + k + 6]]);
      for (let i = this.cellOf(Math.min(...xs), 0); i <= this.cellOf(Math.max(...xs), 0); i++) {
        for (let j = this.cellOf(Math.min(...ys), 1); j <= this.cellOf(Math.max(...ys), 1); j++) {
          this.cells[i * CELLS + j].push(t);
        }
      }
    }
  }

  /** Computes the winding number; undefined if the ray from the point meets an edge. */
  at([px, py, pz]: readonly number[]): number | undefined {
    const { triangles, bounds, tolerance } = this;
    if (px < bounds[0] || py < bounds[1] || pz < bounds[2] || px > bounds[3] || py > bounds[4] || pz > bounds[5])
      return 0;
    let sum = 0;
    for (const t of this.cells[this.cellOf(px, 0) * CELLS + this.cellOf(py, 1)]) {
      const [ax, ay] = [triangles[t] - px, triangles[t + 1] - py];
      const [bx, by] = [triangles[t + 3] - px, triangles[t + 4] - py];
      const [cx, cy] = [triangles[t + 6] - px, triangles[t + 7] - py];
      const [u, v, w] = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx];
      const [least, most] = [Math.min(u, v, w), Math.max(u, v, w)];
      if (least < -tolerance && most > tolerance) continue;
      if (!(least > tolerance || most < -tolerance)) {
        if (Math.max(triangles[t + 2], triangles[t + 5], triangles[t + 8]) < pz) continue; // below the start of the ray
        if (this.isBeside(t, px, py)) continue;
        return undefined;
      }
      const height = (u * triangles[t + 2] + v * triangles[t + 5] + w * triangles[t + 8]) / (u + v + w);
      if (height > pz) sum += least > 0 ? 1 : -1;
    }
    return sum;
  }

  /** Returns true if the ray misses the bounding box of triangle t by more than rounding errors. */
  private isBeside(t: number, px: number, py: number): boolean {
    const { triangles, bounds } = this;
    const near = 1e-13 * Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1]);
    const [xs, ys] = [0, 1].map((k) => [triangles[t + k], triangles[t + k + 3], triangles[t + k + 6]]);
    return (
      px < Math.min(...xs) - near ||
      px > Math.max(...xs) + near ||
      py < Math.min(...ys) - near ||
      py > Math.max(...ys) + near
    );
  }

  /** Returns the index of the cell along x (axis 0) or y (axis 1). */
  private cellOf(value: number, axis: 0 | 1): number {
    const { bounds } = this;
    const share = (value - bounds[axis]) / (bounds[axis + 3] - bounds[axis] || 1);
    return Math.min(CELLS - 1, Math.max(0, Math.floor(CELLS * share)));
  }
}
