import { doubled } from '../../planning/growArrays.ts';

/** Bytes: a larger queue is not kept for later queries. */
export const MAX_KEPT_BYTES = 1_000_000;

/** Open pairs of all intervals of one proof, 128 MB: a motion that needs more is unresolved. */
export const MAX_OPEN_PAIRS = 32_000_000;

/** Time interval of a motion, on the scale of its parameter. Mutable: passed instead of two numbers. */
export interface Interval {
  start: number;
  end: number;
}

/**
 * Queue of the intervals of a motion, each with the pairs that are still open in it. Nothing is removed: the reader
 * keeps its position, so that the queue of an interrupted proof is complete.
 */
export class IntervalQueue {
  /** Limits of interval i. */
  from = new Float64Array(256);
  to = new Float64Array(256);
  /** The pairs of interval i are `open[first[i]]` … `open[first[i] + count[i] − 1]`. */
  first = new Int32Array(256);
  count = new Int32Array(256);
  open = new Int32Array(4096);
  /** Number of intervals. */
  length = 0;
  /** Number of entries of `open`; those behind the last interval belong to the interval that is added next. */
  openEnd = 0;

  /** Bytes of memory of the arrays. */
  get bytes(): number {
    return 24 * this.from.length + 4 * this.open.length;
  }

  clear(): void {
    this.length = 0;
    this.openEnd = 0;
  }

  /** Appends an open pair to the interval that is added next. */
  addPair(pair: number): void {
    if (this.openEnd === this.open.length) this.open = doubled(this.open);
    this.open[this.openEnd++] = pair;
  }

  /** Appends an interval; its pairs are `open[first]` … `open[openEnd − 1]`. */
  add({ start, end }: Interval, first: number): void {
    if (this.length === this.from.length) {
      this.from = doubled(this.from);
      this.to = doubled(this.to);
      this.first = doubled(this.first);
      this.count = doubled(this.count);
    }
    this.from[this.length] = start;
    this.to[this.length] = end;
    this.first[this.length] = first;
    this.count[this.length++] = this.openEnd - first;
  }
}
