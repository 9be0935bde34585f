import type { Configuration } from '../math/configuration.ts';

/** Newest points, searched one by one; a power of two of them makes the smallest tree. Measured: below this a scan beats a tree. */
const BUFFER = 512;
/** Points in a leaf of a tree. */
const LEAF = 8;

/**
 * The nearest of a growing set of points, Euclidean. Static kd-trees of BUFFER · 2ᵏ points each, merged like the digits of a counter as
 * points come in (the logarithmic method [BentleySaxe80]), and a linear buffer for the newest. Ties go to one of the nearest, always
 * the same for the same history. Points live in one array of rows; indices count insertions.
 */
export class NearestNeighbors {
  /** Rows of `dof` values; grows by doubling. */
  points: Float64Array;
  count = 0;
  /** Trees by size, largest first; their points stand before those of the buffer. */
  private readonly trees: KdTree[] = [];
  private inTrees = 0;
  private best = -1;
  private bestSquare = 0;

  constructor(readonly dof: number) {
    this.points = new Float64Array(64 * dof);
  }

  /** Adds a point; returns its index. */
  add(q: Configuration): number {
    const { dof } = this;
    if ((this.count + 1) * dof > this.points.length) {
      const grown = new Float64Array(2 * this.points.length);
      grown.set(this.points);
      this.points = grown;
    }
    for (let i = 0; i < dof; i++) this.points[this.count * dof + i] = q[i];
    this.count++;
    if (this.count - this.inTrees === BUFFER) this.plant();
    return this.count - 1;
  }

  /** Index of the point nearest to q; −1 for an empty set. */
  nearest(q: Configuration): number {
    this.best = -1;
    this.bestSquare = Number.POSITIVE_INFINITY;
    this.scan(q, this.inTrees, this.count);
    for (const tree of this.trees) this.search(tree, q);
    return this.best;
  }

  /** The buffer becomes a tree; trees of the same size merge into one of twice the size. */
  private plant(): void {
    let first = this.inTrees;
    for (let last = this.trees.at(-1); last && last.end - last.first === this.count - first; last = this.trees.at(-1)) {
      first = last.first;
      this.trees.pop();
    }
    this.trees.push(new KdTree(this.points, this.dof, first, this.count));
    this.inTrees = this.count;
  }

  private scan(q: Configuration, from: number, to: number): void {
    const { points, dof } = this;
    for (let index = from; index < to; index++) this.measure(q, points, dof, index);
  }

  private measure(q: Configuration, points: Float64Array, dof: number, index: number): void {
    const row = index * dof;
    let square = 0;
    for (let i = 0; i < dof; i++) {
      const difference = points[row + i] - q[i];
      square += difference * difference;
    }
    if (square < this.bestSquare) {
      this.bestSquare = square;
      this.best = index;
    }
  }

  /** Depth first, nearer half first; a half is left out when its side of the splitting plane is farther away than the best so far. */
  private search(tree: KdTree, q: Configuration): void {
    const { points, dof } = this;
    const { order, axes, splits, stackFrom, stackTo, stackSquare } = tree;
    let depth = 1;
    stackFrom[0] = 0;
    stackTo[0] = order.length;
    stackSquare[0] = 0;
    while (depth > 0) {
      depth--;
      if (stackSquare[depth] >= this.bestSquare) continue;
      let from = stackFrom[depth];
      let to = stackTo[depth];
      while (to - from > LEAF) {
        const middle = (from + to) >> 1;
        const axis = axes[middle];
        const side = q[axis] - splits[middle];
        stackSquare[depth] = side * side;
        stackFrom[depth] = side < 0 ? middle : from;
        stackTo[depth] = side < 0 ? to : middle;
        depth++;
        if (side < 0) to = middle;
        else from = middle;
      }
      for (let i = from; i < to; i++) this.measure(q, points, dof, order[i]);
    }
  }
}

/** A balanced kd-tree without pointers: `order` holds point indices, the middle of each range says where
 * it is split: along `axes[middle]` at `splits[middle]`. */
class KdTree {
  readonly order: Int32Array;
  readonly axes: Uint8Array;
  readonly splits: Float64Array;
  // The search's own stack: one entry a level.
  readonly stackFrom = new Int32Array(64);
  readonly stackTo = new Int32Array(64);
  readonly stackSquare = new Float64Array(64);

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

  /** Quickselect: the point that belongs at `middle` gets there, smaller ones before it, greater ones behind [Hoare61]. */
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
