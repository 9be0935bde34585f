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
 */
export function earliestArrival(free: FreeRectangles, endX: number, endY: number): DiagramPoint[] | undefined {
  const { rectangles } = free;
  const entries: Entries[] = rectangles.map(() => ({ left: [], bottom: [] }));
  const start = rectangles.findIndex(([x0, , y0]) => x0 === 0 && y0 === 0);
  if (start < 0) return undefined;
  entries[start].left.push({ rectangle: start, isLeft: true, value: 0, from: 0, flatUntil: 0, before: undefined });
  let best: Arrival | undefined;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const index of monotoneOrder(free)) {
    const { left, bottom } = entries[index];
    if (left.length + bottom.length === 0) continue;
    const [x0, x1, y0, y1] = rectangles[index];
    const [width, height] = [x1 - x0, y1 - y0];
    free.forEachRight(index, (other, lo, hi) => {
      for (const one of left) addArrival(entries[other].left, across(one, width), other, true, lo, hi);
      for (const one of bottom) addArrival(entries[other].left, around(one, x1, y0), other, true, lo, hi);
    });
    free.forEachAbove(index, (other, lo, hi) => {
      for (const one of bottom) addArrival(entries[other].bottom, across(one, height), other, false, lo, hi);
      for (const one of left) addArrival(entries[other].bottom, around(one, y1, x0), other, false, lo, hi);
    });
    if (x1 !== endX || y1 !== endY) continue;
    for (const one of [...left, ...bottom]) {
      const value = one.isLeft ? valueAt(across(one, width), endY) : valueAt(across(one, height), endX);
      if (value < bestValue) {
        best = one;
        bestValue = value;
      }
    }
  }
  return best && pathTo(best, free, [endX, endY]);
}

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

interface Entries {
  readonly left: Arrival[];
  readonly bottom: Arrival[];
}

/** An arrival on the opposite side, `distance` away: min over z' of value(z') + max(distance, z − z'). */
const across = (one: Arrival, distance: number): Arrival => ({
  ...one,
  value: one.value + distance,
  flatUntil: one.flatUntil + distance,
  before: one,
});

/**
 * An arrival on the adjacent side, which begins at `corner` of its own coordinate; the side of the arrival ends at
 * `end`: min over z' of value(z') + max(z − corner, end − z').
 */
function around(one: Arrival, end: number, corner: number): Arrival {
  const distance = end - Math.min(one.flatUntil, end);
  return { ...one, value: one.value + distance, from: corner, flatUntil: corner + distance, before: one };
}

/** Value at z; Infinity before the arrival begins. */
function valueAt({ value, from, flatUntil }: Arrival, z: number): number {
  if (z < from) return Number.POSITIVE_INFINITY;
  return z <= flatUntil ? value : value + (z - flatUntil);
}

/** Clips an arrival to lo … hi, and adds it to a side unless another one is as early everywhere. */
function addArrival(side: Arrival[], one: Arrival, rectangle: number, isLeft: boolean, lo: number, hi: number): void {
  if (one.from > hi) return;
  const from = Math.max(one.from, lo);
  const flatUntil = Math.min(Math.max(one.flatUntil, lo), hi); // beyond hi, the path runs inside the rectangle
  const clipped = { ...one, rectangle, isLeft, value: valueAt({ ...one, from: lo }, lo), from, flatUntil };
  // Two comparisons decide: both functions are constant, then of slope 1.
  const isWorse = (later: Arrival, earlier: Arrival) =>
    earlier.from <= later.from &&
    valueAt(earlier, later.from) <= later.value &&
    earlier.value - earlier.flatUntil <= later.value - later.flatUntil;
  if (side.some((known) => isWorse(clipped, known))) return;
  let kept = 0;
  for (const known of side) if (!isWorse(known, clipped)) side[kept++] = known;
  side.length = kept;
  side.push(clipped);
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
