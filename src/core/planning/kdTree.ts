/** Maximum number of points of a leaf. */
export const LEAF = 8;

/**
 * Balanced kd-tree in arrays: `order` holds point indices; each range is split at its middle, along `axes[middle]` at
 * `splits[middle]`. Ranges of LEAF points or fewer are leaves.
 */
export class KdTree {
  readonly order: Int32Array;
  readonly axes: Uint8Array;
  readonly splits: Float64Array;
  /** Number of queries that scan the points after a search that was slower. */
  scans = 0;
  /** Number of queries until the next search. */
  scansLeft = 0;

  /** Builds the tree over the rows first … end − 1 of `points`, each of `dof` values. */
  constructor(
    points: Float64Array,
    dof: number,
    readonly first: number,
    readonly end: number,
  ) {
    this.order = Int32Array.from({ length: end - first }, (_, i) => first + i);
    this.axes = new Uint8Array(end - first);
    this.splits = new Float64Array(end - first);
    this.build(points, dof, 0, end - first);
  }

  private build(points: Float64Array, dof: number, from: number, to: number): void {
    if (to - from <= LEAF) return;
    const middle = (from + to) >> 1;
    const axis = this.widestAxis(points, dof, from, to);
    this.partition(points, dof, axis, from, to, middle);
    this.axes[middle] = axis;
    this.splits[middle] = points[this.order[middle] * dof + axis];
    this.build(points, dof, from, middle);
    this.build(points, dof, middle, to);
  }

  private widestAxis(points: Float64Array, dof: number, from: number, to: number): number {
    let axis = 0;
    let widest = -1;
    for (let k = 0; k < dof; k++) {
      let least = Number.POSITIVE_INFINITY;
      let most = Number.NEGATIVE_INFINITY;
      for (let i = from; i < to; i++) {
        const value = points[this.order[i] * dof + k];
        if (value < least) least = value;
        if (value > most) most = value;
      }
      if (most - least > widest) {
        widest = most - least;
        axis = k;
      }
    }
    return axis;
  }

  /** Quickselect: moves the point of rank `middle` there, smaller ones before it, greater ones after it [Hoare61]. */
  private partition(points: Float64Array, dof: number, axis: number, from: number, to: number, middle: number): void {
    const { order } = this;
    let low = from;
    let high = to - 1;
    while (low < high) {
      const pivot = points[order[(low + high) >> 1] * dof + axis];
      let i = low;
      let j = high;
      while (i <= j) {
        while (points[order[i] * dof + axis] < pivot) i++;
        while (points[order[j] * dof + axis] > pivot) j--;
        if (i > j) break;
        const swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
        i++;
        j--;
      }
      if (middle <= j) high = j;
      else if (middle >= i) low = i;
      else return;
    }
  }
}
