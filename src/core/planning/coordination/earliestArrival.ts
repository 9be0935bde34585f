import type { FreeRectangles } from './freeRectangles.ts';

/** Point of a coordination diagram: the time along the trajectory of each robot, seconds. */
export type DiagramPoint = readonly [x: number, y: number];

/**
 * Computes a monotone path of least duration from (0, 0) to (endX, endY) through free rectangles, exactly. Both robots
 * run at most at their own pace, so that a step takes max(Δx, Δy) seconds. Undefined if there is no path.
 *
 * The earliest arrival along a side of a rectangle is the minimum of functions of one kind, `Arrival`: constant, then
 * of slope 1. Crossing a rectangle, and clipping to the common part of two sides, map each such function to another
 * one, so the rectangles are processed once, in the order in which monotone paths cross them.
 * @param bound duration of a known path, seconds: routes that cannot be shorter than it are left out
 */
export function earliestArrival(
  free: FreeRectangles,
  endX: number,
  endY: number,
  bound = Number.POSITIVE_INFINITY,
): DiagramPoint[] | undefined {
  const { rectangles } = free;
  const start = rectangles.findIndex(([x0, , y0]) => x0 === 0 && y0 === 0);
  if (start < 0) return undefined;
  const arrivals = new Arrivals(rectangles, endX, endY, bound * (1 + BOUND_ROUNDING));
  arrivals.left[start] = [{ rectangle: start, isLeft: true, value: 0, from: 0, flatUntil: 0, before: undefined }];
  let best: Arrival | undefined;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const index of monotoneOrder(free)) {
    const left = arrivals.left[index] ?? NO_ARRIVALS;
    const bottom = arrivals.bottom[index] ?? NO_ARRIVALS;
    if (left.length + bottom.length === 0) continue;
    const [x0, x1, y0, y1] = rectangles[index];
    const [width, height] = [x1 - x0, y1 - y0];
    free.forEachRight(index, (other, lo, hi) => {
      for (const one of left)
        arrivals.add(one, one.value + width, one.from, one.flatUntil + width, other, true, lo, hi);
      for (const one of bottom) arrivals.addAround(one, x1, y0, other, true, lo, hi);
    });
    free.forEachAbove(index, (other, lo, hi) => {
      for (const one of bottom)
        arrivals.add(one, one.value + height, one.from, one.flatUntil + height, other, false, lo, hi);
      for (const one of left) arrivals.addAround(one, y1, x0, other, false, lo, hi);
    });
    if (x1 !== endX || y1 !== endY) continue;
    for (const one of [...left, ...bottom]) {
      const [side, end] = one.isLeft ? [width, endY] : [height, endX];
      const value = valueAt(one.value + side, one.from, one.flatUntil + side, end);
      if (value < bestValue) {
        best = one;
        bestValue = value;
      }
    }
  }
  return best && pathTo(best, free, [endX, endY]);
}

/** Relative: durations of paths are sums, and rounded. */
const BOUND_ROUNDING = 1e-9;

/**
 * Earliest arrival on the left or the bottom side of a rectangle, by one route: with z the coordinate along the side,
 * `value` for from ≤ z ≤ flatUntil, and value + z − flatUntil beyond.
 */
interface Arrival {
  readonly rectangle: number;
  /** On the left side, z = y; otherwise on the bottom side, z = x. */
  readonly isLeft: boolean;
  readonly value: number;
  readonly from: number;
  readonly flatUntil: number;
  /** The arrival at the rectangle before it; undefined at the start. */
  readonly before: Arrival | undefined;
}

const NO_ARRIVALS: readonly Arrival[] = [];

/** The arrivals on the left and the bottom side of each rectangle. */
class Arrivals {
  readonly left: Arrival[][] = [];
  readonly bottom: Arrival[][] = [];

  constructor(
    private readonly rectangles: FreeRectangles['rectangles'],
    private readonly endX: number,
    private readonly endY: number,
    private readonly bound: number,
  ) {}

  /**
   * Adds an arrival on the side adjacent to that of another one, `one`, whose side ends at `end`; the adjacent side
   * begins at `corner` of its own coordinate: min over z' of value(z') + max(z − corner, end − z').
   */
  addAround(one: Arrival, end: number, corner: number, to: number, isLeft: boolean, lo: number, hi: number): void {
    const distance = end - Math.min(one.flatUntil, end);
    this.add(one, one.value + distance, corner, corner + distance, to, isLeft, lo, hi);
  }

  /**
   * Adds an arrival by way of another one, clipped to lo … hi of a side of the rectangle `to`, unless another one is as
   * early everywhere. On the opposite side, `distance` away, it is min over z' of value(z') + max(distance, z − z').
   */
  add(
    before: Arrival,
    value: number,
    from: number,
    flatUntil: number,
    to: number,
    isLeft: boolean,
    lo: number,
    hi: number,
  ): void {
    if (from > hi) return;
    const first = Math.max(from, lo);
    const flat = Math.min(Math.max(flatUntil, lo), hi); // beyond hi, the path runs inside the rectangle
    const clipped = lo <= flatUntil ? value : value + (lo - flatUntil);
    const sides = isLeft ? this.left : this.bottom;
    sides[to] ??= [];
    const side = sides[to];
    // Two comparisons decide: both functions are constant, then of slope 1.
    for (const one of side)
      if (one.from <= first && latest(one, first) <= clipped && one.value - one.flatUntil <= clipped - flat) return;
    if (clipped + this.remaining(to, isLeft, flat) > this.bound) return;
    let kept = 0;
    for (const one of side) {
      const isWorse =
        first <= one.from &&
        valueAt(clipped, first, flat, one.from) <= one.value &&
        clipped - flat <= one.value - one.flatUntil;
      if (!isWorse) side[kept++] = one;
    }
    side.length = kept;
    side.push({ rectangle: to, isLeft, value: clipped, from: first, flatUntil: flat, before });
  }

  /** A lower bound on the duration from a point of the side of a rectangle to the end. */
  private remaining(to: number, isLeft: boolean, z: number): number {
    const [x0, , y0] = this.rectangles[to];
    return isLeft ? Math.max(this.endX - x0, this.endY - z) : Math.max(this.endX - z, this.endY - y0);
  }
}

/** Value of an arrival at z, where it has begun. */
const latest = ({ value, flatUntil }: Arrival, z: number): number => (z <= flatUntil ? value : value + (z - flatUntil));

/** Value at z of an arrival; Infinity before it begins. */
function valueAt(value: number, from: number, flatUntil: number, z: number): number {
  if (z < from) return Number.POSITIVE_INFINITY;
  return z <= flatUntil ? value : value + (z - flatUntil);
}

/** The rectangles in an order in which every monotone path crosses them. */
function monotoneOrder(free: FreeRectangles): number[] {
  const count = free.rectangles.length;
  const waiting = new Int32Array(count);
  const forEachNext = (index: number, visit: (other: number) => void) => {
    free.forEachRight(index, visit);
    free.forEachAbove(index, visit);
  };
  for (let i = 0; i < count; i++) forEachNext(i, (other) => waiting[other]++);
  const order: number[] = [];
  for (let i = 0; i < count; i++) if (waiting[i] === 0) order.push(i);
  for (const index of order) forEachNext(index, (other) => --waiting[other] === 0 && order.push(other));
  return order;
}

/**
 * Traces the path back to the start: in each rectangle the point of entry that is as early and as diagonal as can be.
 */
function pathTo(last: Arrival, { rectangles }: FreeRectangles, end: DiagramPoint): DiagramPoint[] {
  const path: DiagramPoint[] = [end];
  let [x, y] = end;
  for (let one: Arrival | undefined = last; one; one = one.before) {
    const [x0, , y0] = rectangles[one.rectangle];
    const { from, flatUntil } = one;
    if (one.isLeft) {
      y = Math.max(from, Math.min(flatUntil, y, y - (x - x0)));
      x = x0;
    } else {
      x = Math.max(from, Math.min(flatUntil, x, x - (y - y0)));
      y = y0;
    }
    const [nextX, nextY] = path[path.length - 1];
    if (x !== nextX || y !== nextY) path.push([x, y]);
  }
  return path.reverse();
}
