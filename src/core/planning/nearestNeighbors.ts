import type { Configuration } from '../math/configuration.ts';
import { doubled } from './growArrays.ts';
import { KdTree, LEAF } from './kdTree.ts';
import { type Metric, metricOf } from './metric.ts';
import type { JointSpace } from './planner.ts';

/** Size of the linear buffer and of the smallest tree. Measured: below this a scan is faster than a tree. */
const BUFFER = 512;
/**
 * Share of the leaves of a tree from which on a scan of its points, which lie one after the other, is faster than the
 * search: in ten dimensions and more, a search visits nearly all leaves.
 */
const SCAN_SHARE = 1 / 4;
/** Most queries for which a tree is scanned before it is searched again, which shows whether scans are still faster. */
const MAX_SCANS = 512;
/** Number of unrolled coordinates. */
const UNROLLED = 6;

/**
 * Nearest neighbors in a growing set of points, in the metric of a space. Static kd-trees of BUFFER · 2ᵏ points, merged
 * like the digits of a binary counter as points are added (logarithmic method [BentleySaxe80]), and a linear buffer of
 * the newest points. Of points at equal distance the older one is nearer, so that results are unique. Points are rows
 * of one array, in order of insertion.
 */
export class NearestNeighbors {
  readonly dof: number;
  /** Rows of `dof` values; grows by doubling. */
  points: Float64Array;
  count = 0;
  /** Result of `near`, nearest first; overwritten by the next query. */
  found = new Int32Array(64);
  /** Trees by size, largest first; their points precede those of the buffer. */
  private readonly trees: KdTree[] = [];
  private inTrees = 0;
  // Current query: at most `most` points within √bound. `found` and `squares` are a heap, farthest first.
  private most = 0;
  private bound = 0;
  private size = 0;
  /** Squared distance of the point that `take` takes: a field, since numbers that calls pass may be boxed. */
  private square = 0;
  /** Leaves that the current search has visited. */
  private leaves = 0;
  private squares = new Float64Array(64);
  /** Lower bound on the distance along each axis of the current subtree from q; all 0 between queries. */
  private readonly away: Float64Array;
  private readonly metric: Metric;
  /** No continuous joints, and all weights are 1. */
  private readonly isPlain: boolean;

  constructor(private readonly space: Pick<JointSpace, 'dof' | 'weights' | 'halfTurns'>) {
    this.dof = space.dof;
    this.points = new Float64Array(64 * space.dof);
    this.away = new Float64Array(space.dof);
    this.metric = metricOf(space);
    this.isPlain = !space.halfTurns && this.metric.weights.every((weight) => weight === 1);
  }

  /** Returns a copy, to which points can be added. */
  copy(): NearestNeighbors {
    const { space, points, count, inTrees, trees } = this;
    const copy = new NearestNeighbors(space);
    copy.points = points.slice();
    copy.count = count;
    copy.inTrees = inTrees;
    copy.trees.push(...trees);
    return copy;
  }

  /** Adds a point; returns its index. */
  add(q: Configuration): number {
    const { dof } = this;
    if ((this.count + 1) * dof > this.points.length) this.points = doubled(this.points);
    for (let i = 0; i < dof; i++) this.points[this.count * dof + i] = q[i];
    this.count++;
    if (this.count - this.inTrees === BUFFER) this.buildTree();
    return this.count - 1;
  }

  /** Removes point i from all later results by moving it to infinity. Its index is not reused. */
  remove(i: number): void {
    this.points.fill(Number.POSITIVE_INFINITY, i * this.dof, (i + 1) * this.dof);
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

  /** Writes the k nearest neighbors of q within `radius` into `found`; returns their number, which is at most k. */
  near(q: Configuration, k: number, radius = Number.POSITIVE_INFINITY): number {
    this.most = k;
    this.bound = Math.min(radius * radius, Number.MAX_VALUE); // excludes removed points
    this.size = 0;
    if (k > 0) {
      this.scan(q, this.inTrees, this.count);
      for (const tree of this.trees) this.scanOrSearch(tree, q);
    }
    this.sort();
    return this.size;
  }

  /** Builds a tree of the buffer, merged with trees of the same size. */
  private buildTree(): void {
    let first = this.inTrees;
    for (let last = this.trees.at(-1); last && last.end - last.first === this.count - first; last = this.trees.at(-1)) {
      first = last.first;
      this.trees.pop();
    }
    this.trees.push(new KdTree(this.points, this.dof, first, this.count));
    this.inTrees = this.count;
  }

  /**
   * Compares q with the points of a tree: by a scan if the last search visited too many leaves. Twice as many queries
   * scan as before whenever a search does so again. The result is the same.
   */
  private scanOrSearch(tree: KdTree, q: Configuration): void {
    if (tree.scansLeft > 0) {
      tree.scansLeft--;
      this.scan(q, tree.first, tree.end);
      return;
    }
    this.leaves = 0;
    this.search(tree, q);
    const isSlow = this.leaves * LEAF > SCAN_SHARE * (tree.end - tree.first);
    tree.scans = isSlow ? Math.min(2 * tree.scans + 1, MAX_SCANS) : tree.scans >> 1;
    tree.scansLeft = isSlow ? tree.scans : 0;
  }

  /** Compares q with the points from … to − 1: of the tree's order, or without a tree of the array. */
  private scan(q: Configuration, from: number, to: number, tree?: KdTree): void {
    if (this.isPlain && this.dof >= UNROLLED) this.scanPlain(q, from, to, tree);
    else this.scanWeighted(q, from, to, tree);
  }

  /** Unit weights, at least six joints: the first six are unrolled, which takes half the time of a loop. */
  private scanPlain(q: Configuration, from: number, to: number, tree?: KdTree): void {
    const { points, dof } = this;
    const q0 = q[0],
      q1 = q[1],
      q2 = q[2];
    const q3 = q[3],
      q4 = q[4],
      q5 = q[5];
    let { bound } = this;
    for (let i = from; i < to; i++) {
      const index = tree ? tree.order[i] : i;
      const row = index * dof;
      const d0 = points[row] - q0;
      const d1 = points[row + 1] - q1;
      const d2 = points[row + 2] - q2;
      const d3 = points[row + 3] - q3;
      const d4 = points[row + 4] - q4;
      const d5 = points[row + 5] - q5;
      let square = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5;
      for (let k = UNROLLED; k < dof && square <= bound; k++)
        square += (points[row + k] - q[k]) * (points[row + k] - q[k]);
      if (!(square <= bound)) continue;
      this.square = square;
      this.take(index);
      bound = this.bound;
    }
  }

  private scanWeighted(q: Configuration, from: number, to: number, tree?: KdTree): void {
    const { points, dof } = this;
    const { weights, halfTurns } = this.metric;
    for (let i = from; i < to; i++) {
      const index = tree ? tree.order[i] : i;
      const row = index * dof;
      let square = 0;
      for (let k = 0; k < dof; k++) {
        const there = Math.abs(points[row + k] - q[k]);
        const difference = weights[k] * Math.min(there, 2 * halfTurns[k] - there); // shorter rotation, without a branch
        square += difference * difference;
      }
      if (!(square <= this.bound)) continue;
      this.square = square;
      this.take(index);
    }
  }

  /**
   * Depth-first search, nearer half first. The splits passed so far bound the distance along each axis from below,
   * across the wrap of a continuous joint, too; a half is skipped if the bound over all axes exceeds the current radius
   * [AryaMount93].
   */
  private search(tree: KdTree, q: Configuration, from = 0, to = tree.order.length): void {
    if (to - from <= LEAF) {
      this.leaves++;
      this.scan(q, from, to, tree);
      return;
    }
    const { away } = this;
    const { weights, halfTurns } = this.metric;
    const middle = (from + to) >> 1;
    const axis = tree.axes[middle];
    const side = q[axis] - tree.splits[middle];
    if (side < 0) this.search(tree, q, from, middle);
    else this.search(tree, q, middle, to);

    const before = away[axis];
    const back = halfTurns[axis] - Math.abs(q[axis]);
    away[axis] = Math.max(before, weights[axis] * Math.min(Math.abs(side), back));
    if (this.leastSquare() <= this.bound) {
      if (side < 0) this.search(tree, q, middle, to);
      else this.search(tree, q, from, middle);
    }
    away[axis] = before;
  }

  /**
   * Squared lower bound of the current subtree. Summed in the order of the squared distances of points, so that
   * rounding never makes it greater than one of them.
   */
  private leastSquare(): number {
    const { away } = this;
    let square = 0;
    for (let i = 0; i < away.length; i++) square += away[i] * away[i];
    return square;
  }

  /**
   * A point within the bound joins the heap; when that is full the farthest leaves, and the bound shrinks to the one
   * then farthest.
   */
  private take(index: number): void {
    const { square, found, squares } = this;
    if (this.most === 1) {
      if (this.size === 1 && square === squares[0] && index > found[0]) return;
      this.size = 1;
      found[0] = index;
      squares[0] = square;
      this.bound = square;
      return;
    }
    if (this.size < this.most) {
      if (this.size === this.found.length) {
        this.found = doubled(this.found);
        this.squares = doubled(this.squares);
      }
      this.rise(this.size++, index, square);
    } else {
      if (square === squares[0] && index > found[0]) return;
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

  /** Replaces the root of a heap of `size` points. */
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

  /** Heapsort: nearest first [Williams64]. */
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

/** Order of the heap: by distance, then by index. */
function isFarther(square: number, index: number, thanSquare: number, thanIndex: number): boolean {
  return square > thanSquare || (square === thanSquare && index > thanIndex);
}
