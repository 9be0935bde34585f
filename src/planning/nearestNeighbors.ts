import type { Configuration } from '../math/configuration.ts';
import { doubled } from './growing.ts';
import { KdTree, LEAF } from './kdTree.ts';
import { type Metric, metricOf, shortestDifference } from './metric.ts';
import type { JointSpace } from './planner.ts';

/** Newest points, searched one by one; a power of two of them makes the smallest tree. Measured: below this a scan beats a tree. */
const BUFFER = 512;
/** Levels of a tree at most: more points than memory holds. */
const LEVELS = 64;

/**
 * The nearest of a growing set of points, in the metric of a space: weighted, the short way round where joints wrap. Static kd-trees of BUFFER · 2ᵏ points each, merged like the digits of a counter as
 * points come in (the logarithmic method [BentleySaxe80]), and a linear buffer for the newest. Of points equally near the older is the
 * nearer, so that every answer is the only one. Points live in one array of rows; indices count insertions.
 */
export class NearestNeighbors {
  readonly dof: number;
  /** Rows of `dof` values; grows by doubling. */
  points: Float64Array;
  count = 0;
  /** What `near` found, nearest first; holds until the next question. */
  found = new Int32Array(64);
  /** Trees by size, largest first; their points stand before those of the buffer. */
  private readonly trees: KdTree[] = [];
  private inTrees = 0;
  // The question at hand: at most `most` points, none farther than the root of `bound`. `found` and `squares` are a heap, farthest first.
  private most = 0;
  private bound = 0;
  private size = 0;
  private squares = new Float64Array(64);
  // The search's own stack: one entry a level.
  private readonly stackFrom = new Int32Array(LEVELS);
  private readonly stackTo = new Int32Array(LEVELS);
  private readonly stackSquare = new Float64Array(LEVELS);

  private readonly metric: Metric;
  /** Nothing wraps, and all weights are 1: measured, a look then takes a quarter of the time. */
  private readonly isPlain: boolean;

  constructor(space: Pick<JointSpace, 'dof' | 'weights' | 'halfTurns'>) {
    this.dof = space.dof;
    this.points = new Float64Array(64 * space.dof);
    this.metric = metricOf(space);
    this.isPlain = !space.halfTurns && this.metric.weights.every((weight) => weight === 1);
  }

  /** Adds a point; returns its index. */
  add(q: Configuration): number {
    const { dof } = this;
    if ((this.count + 1) * dof > this.points.length) this.points = doubled(this.points);
    for (let i = 0; i < dof; i++) this.points[this.count * dof + i] = q[i];
    this.count++;
    if (this.count - this.inTrees === BUFFER) this.plant();
    return this.count - 1;
  }

  /** Copies point i to `out`. */
  read(out: Configuration, i: number): void {
    const { points, dof } = this;
    for (let k = 0; k < dof; k++) out[k] = points[i * dof + k];
  }

  /** Index of the point nearest to q; −1 for an empty set. */
  nearest(q: Configuration): number {
    return this.near(q, 1) === 0 ? -1 : this.found[0];
  }

  /** The k points nearest to q among those at most `radius` away, all of them if there are fewer: into `found`. Returns how many. */
  near(q: Configuration, k: number, radius = Number.POSITIVE_INFINITY): number {
    this.most = k;
    this.bound = radius * radius;
    this.size = 0;
    if (k > 0) {
      this.scan(q, this.inTrees, this.count);
      for (const tree of this.trees) this.search(tree, q);
    }
    this.sort();
    return this.size;
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
    for (let index = from; index < to; index++) this.measure(q, index);
  }

  private measure(q: Configuration, index: number): void {
    const square = this.isPlain ? this.plainSquare(q, index) : this.square(q, index);
    if (square <= this.bound) this.take(index, square);
  }

  private plainSquare(q: Configuration, index: number): number {
    const { points, dof } = this;
    const row = index * dof;
    let square = 0;
    for (let i = 0; i < dof; i++) {
      const difference = points[row + i] - q[i];
      square += difference * difference;
    }
    return square;
  }

  private square(q: Configuration, index: number): number {
    const { points, dof } = this;
    const { weights, halfTurns } = this.metric;
    const row = index * dof;
    let square = 0;
    for (let i = 0; i < dof; i++) {
      const difference = weights[i] * shortestDifference(points[row + i], q[i], halfTurns[i]);
      square += difference * difference;
    }
    return square;
  }

  /**
   * Depth first, nearer half first; a half is left out when its side of the splitting plane is farther away than anything wanted, also
   * around the back where the joint wraps.
   */
  private search(tree: KdTree, q: Configuration): void {
    const { stackFrom, stackTo, stackSquare } = this;
    const { weights, halfTurns } = this.metric;
    const { order, axes, splits } = tree;
    let depth = 1;
    stackFrom[0] = 0;
    stackTo[0] = order.length;
    stackSquare[0] = 0;
    while (depth > 0) {
      depth--;
      if (stackSquare[depth] > this.bound) continue;
      let from = stackFrom[depth];
      let to = stackTo[depth];
      while (to - from > LEAF) {
        const middle = (from + to) >> 1;
        const axis = axes[middle];
        const side = q[axis] - splits[middle];
        const back = halfTurns[axis] - (side < 0 ? -q[axis] : q[axis]);
        const away = weights[axis] * Math.max(0, Math.min(side < 0 ? -side : side, back));
        stackSquare[depth] = away * away;
        stackFrom[depth] = side < 0 ? middle : from;
        stackTo[depth] = side < 0 ? to : middle;
        depth++;
        if (side < 0) to = middle;
        else from = middle;
      }
      for (let i = from; i < to; i++) this.measure(q, order[i]);
    }
  }

  /** A point within the bound joins the heap; when that is full the farthest leaves, and the bound shrinks to the one then farthest. */
  private take(index: number, square: number): void {
    if (this.size < this.most) {
      if (this.size === this.found.length) {
        this.found = doubled(this.found);
        this.squares = doubled(this.squares);
      }
      this.rise(this.size++, index, square);
    } else {
      if (square === this.squares[0] && index > this.found[0]) return;
      this.sink(this.size, index, square);
    }
    if (this.size === this.most) this.bound = this.squares[0];
  }

  private rise(hole: number, index: number, square: number): void {
    const { found, squares } = this;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!isFarther(square, index, squares[parent], found[parent])) break;
      found[hole] = found[parent];
      squares[hole] = squares[parent];
      hole = parent;
    }
    found[hole] = index;
    squares[hole] = square;
  }

  /** Puts a point in the place of the root of a heap of `size`. */
  private sink(size: number, index: number, square: number): void {
    const { found, squares } = this;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && isFarther(squares[child + 1], found[child + 1], squares[child], found[child])) child++;
      if (!isFarther(squares[child], found[child], square, index)) break;
      found[hole] = found[child];
      squares[hole] = squares[child];
      hole = child;
    }
    found[hole] = index;
    squares[hole] = square;
  }

  /** The heap becomes a row, nearest first [Williams64]. */
  private sort(): void {
    const { found, squares } = this;
    for (let last = this.size - 1; last > 0; last--) {
      const index = found[last];
      const square = squares[last];
      found[last] = found[0];
      squares[last] = squares[0];
      this.sink(last, index, square);
    }
  }
}

/** The order of the heap: by distance, then by age. */
function isFarther(square: number, index: number, thanSquare: number, thanIndex: number): boolean {
  return square > thanSquare || (square === thanSquare && index > thanIndex);
}
