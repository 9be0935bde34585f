import { firstIndex } from '../../math/firstIndex.ts';

type Interval = readonly [from: number, to: number];

/** Rectangle of two times in seconds: x0 ≤ x ≤ x1, y0 ≤ y ≤ y1. */
export type TimeRectangle = readonly [x0: number, x1: number, y0: number, y1: number];

/**
 * The free part of a coordination diagram: closed rectangles with disjoint interiors, whose sides lie on common lines
 * (they come from the bisection of one rectangle), and their neighbors.
 */
export class FreeRectangles {
  /** Rectangles by the coordinate of each of their sides. */
  private readonly byX0 = new Map<number, number[]>();
  private readonly byX1 = new Map<number, number[]>();
  private readonly byY0 = new Map<number, number[]>();
  private readonly byY1 = new Map<number, number[]>();
  /** All coordinates of sides, in ascending order. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Results of `intervalsAt` for x and y: on each line, and between neighboring ones. */
  private readonly atX: (readonly Interval[] | undefined)[] = [];
  private readonly atY: (readonly Interval[] | undefined)[] = [];

  constructor(readonly rectangles: readonly TimeRectangle[]) {
    for (const [i, [x0, x1, y0, y1]] of rectangles.entries()) {
      add(this.byX0, x0, i);
      add(this.byX1, x1, i);
      add(this.byY0, y0, i);
      add(this.byY1, y1, i);
    }
    this.xs = sortedKeys(this.byX0, this.byX1);
    this.ys = sortedKeys(this.byY0, this.byY1);
  }

  /**
   * Calls `visit` for each rectangle that begins where this one ends in x, with the common part lo … hi of the side.
   */
  forEachRight(index: number, visit: (other: number, lo: number, hi: number) => void): void {
    const [, x1, y0, y1] = this.rectangles[index];
    for (const other of this.byX0.get(x1) ?? []) {
      const [, , from, to] = this.rectangles[other];
      if (other !== index && isNext(y0, y1, from, to)) visit(other, Math.max(y0, from), Math.min(y1, to));
    }
  }

  /** As `forEachRight`, for the rectangles that begin where this one ends in y. */
  forEachAbove(index: number, visit: (other: number, lo: number, hi: number) => void): void {
    const [x0, x1, , y1] = this.rectangles[index];
    for (const other of this.byY0.get(y1) ?? []) {
      const [from, to] = this.rectangles[other];
      if (other !== index && isNext(x0, x1, from, to)) visit(other, Math.max(x0, from), Math.min(x1, to));
    }
  }

  /**
   * Returns a rectangle that contains a point; −1 if none does.
   * @param last a rectangle that contains it, or precedes one that does, if possible
   */
  find(x: number, y: number, last = -1): number {
    const contains = ([x0, x1, y0, y1]: TimeRectangle) => x0 <= x && x <= x1 && y0 <= y && y <= y1;
    if (last >= 0) {
      if (contains(this.rectangles[last])) return last;
      let next = -1;
      const consider = (other: number) => {
        if (next < 0 && contains(this.rectangles[other])) next = other;
      };
      this.forEachRight(last, consider);
      this.forEachAbove(last, consider);
      if (next >= 0) return next;
    }
    return this.rectangles.findIndex(contains);
  }

  /** Returns the maximal free intervals of the other coordinate at an x (or at a y), in ascending order. */
  intervalsAt(value: number, isX: boolean): readonly Interval[] {
    const lines = isX ? this.xs : this.ys;
    const known = isX ? this.atX : this.atY;
    const next = firstIndex(lines.length, (i) => !(lines[i] <= value));
    const place = 2 * next + (lines[next - 1] === value ? 1 : 0);
    known[place] ??= this.computedIntervals(value, isX);
    return known[place];
  }

  private computedIntervals(value: number, isX: boolean): readonly Interval[] {
    const crossed = this.rectangles
      .filter(([x0, x1, y0, y1]) => (isX ? x0 <= value && value <= x1 : y0 <= value && value <= y1))
      .map(([x0, x1, y0, y1]): [number, number] => (isX ? [y0, y1] : [x0, x1]))
      .sort(([from], [other]) => from - other);
    const merged: [number, number][] = [];
    for (const [from, to] of crossed) {
      const last = merged.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    return merged;
  }

  /** Returns the smallest x such that all points between it and the rectangle, at this y, are free. */
  reachLeft(index: number, y: number): number {
    const { rectangles, byX1 } = this;
    for (let at = index; ; ) {
      const x0 = rectangles[at][0];
      const next = (byX1.get(x0) ?? []).find(
        (i) => rectangles[i][0] < x0 && rectangles[i][2] <= y && y <= rectangles[i][3],
      );
      if (next === undefined) return x0;
      at = next;
    }
  }

  /** Returns the smallest y such that all points between it and the rectangle, at this x, are free. */
  reachDown(index: number, x: number): number {
    const { rectangles, byY1 } = this;
    for (let at = index; ; ) {
      const y0 = rectangles[at][2];
      const next = (byY1.get(y0) ?? []).find(
        (i) => rectangles[i][2] < y0 && rectangles[i][0] <= x && x <= rectangles[i][1],
      );
      if (next === undefined) return y0;
      at = next;
    }
  }
}

/**
 * Returns true if a monotone path may cross from the side y0 … y1 of one rectangle into another one with the side from
 * … to on the same line: they overlap, or the other one begins at the corner where the first one ends.
 */
const isNext = (y0: number, y1: number, from: number, to: number): boolean =>
  (from < y1 && y0 < to) || (from === y1 && y0 <= to);

function add(map: Map<number, number[]>, key: number, index: number): void {
  const known = map.get(key);
  if (known) known.push(index);
  else map.set(key, [index]);
}

const sortedKeys = (...maps: Map<number, number[]>[]): number[] =>
  [...new Set(maps.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
