import { type Interrupt, never } from '../../math/interrupt.ts';
import { cubeRoot } from '../restToRest.ts';
import type { TrajectoryCurve } from '../trajectoryCurve.ts';

/** A value along a motion and its time. */
export interface TimedRate {
  readonly value: number;
  readonly time: number;
}

/** Relative tolerance of limits, as of limits of joint rates. */
const RATE_TOLERANCE = 1e-6;
/** Relative gap between the maximum that is found and its upper bound. */
const GAP = 1e-3;
/** Maximum number of intervals that one piece of a curve is divided into. */
const MAX_INTERVALS = 200_000;

/**
 * Maximum of a value of 0 or more that depends on the motion of the joints, such as a speed, along a curve, by branch
 * and bound: each piece is bisected until an upper bound over every interval is below the limit, or close to the
 * highest value found. One per thread.
 */
export abstract class RateSearch {
  /** Greatest power of the pace of a motion that the value is proportional to. */
  readonly order: 1 | 3 = 1;

  /** @param interrupt ends the bisection: bounds then have a larger gap */
  constructor(private readonly interrupt: Interrupt = never) {}

  /** Returns the value at a state. */
  abstract at(q: ArrayLike<number>, velocity: ArrayLike<number>, acceleration: ArrayLike<number>): number;

  /** Returns the value at `middle` and an upper bound over [t0, t1], within piece k. */
  protected abstract evaluate(curve: TrajectoryCurve, k: number, t0: number, middle: number, t1: number): RateBound;

  /**
   * Returns the highest value above `limit` in [from, to], to a relative gap of 1e-3, and its time; undefined if the
   * value is proved to be at most the limit (and its tolerance) at every instant.
   */
  excess(curve: TrajectoryCurve, limit: number, from = curve.start, to = curve.end): TimedRate | undefined {
    const allowed = limit * (1 + RATE_TOLERANCE);
    let worst: TimedRate | undefined;
    for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
      const [t0, t1] = [Math.max(from, curve.times[k]), Math.min(to, curve.times[k + 1])];
      const most = this.searchPiece(curve, k, t0, t1, Math.max(allowed, worst?.value ?? 0));
      if (!(most.upper <= Math.max(allowed, worst?.value ?? 0))) worst = { value: most.reported, time: most.time };
    }
    return worst;
  }

  /**
   * Returns an upper bound on the value at every instant in [from, to], to a relative gap of 1e-3.
   * @param least returned for smaller values: the gap between rounding errors is not closed
   */
  bound(curve: TrajectoryCurve, from = curve.start, to = curve.end, least = 0): number {
    let most = least;
    for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
      const [t0, t1] = [Math.max(from, curve.times[k]), Math.min(to, curve.times[k + 1])];
      most = Math.max(most, this.searchPiece(curve, k, t0, t1, most).upper);
    }
    return most;
  }

  /**
   * Searches one piece for values above `known`. `upper`: bound over the piece, at least `known`; `reported`: the
   * highest value that was evaluated, or the bound if that is not above `known`; `time`: its time.
   */
  private searchPiece(curve: TrajectoryCurve, k: number, from: number, to: number, known: number) {
    let best = { value: known, time: from };
    let undecided: TimedRate = { value: 0, time: from };
    let isExceeded = false;
    let count = 0;
    const open: [number, number][] = [[from, to]];
    for (let interval = open.pop(); interval; interval = open.pop()) {
      const [t0, t1] = interval;
      const middle = t0 + 0.5 * (t1 - t0);
      const { value, bound } = this.evaluate(curve, k, t0, middle, t1);
      if (value > best.value) {
        best = { value, time: middle };
        isExceeded = true;
      }
      if (bound <= (isExceeded ? best.value * (1 + GAP) : known)) continue;
      if (++count > MAX_INTERVALS || !(middle > t0 && middle < t1) || this.interrupt()) {
        if (!(bound <= undecided.value)) undecided = { value: bound, time: middle };
        continue;
      }
      open.push([middle, t1], [t0, middle]);
    }
    const upper = Math.max(isExceeded ? best.value * (1 + GAP) : known, undecided.value);
    if (isExceeded) return { upper, reported: best.value, time: best.time };
    return { upper, reported: upper, time: undecided.time };
  }
}

/** A value in the middle of an interval, and an upper bound over the interval. */
export interface RateBound {
  readonly value: number;
  readonly bound: number;
}

/** Returns the factor by which the pace of a motion whose value is `ratio` times its limit is too high, at least. */
export const paceExcess = ({ order }: RateSearch, ratio: number): number => (order === 1 ? ratio : cubeRoot(ratio));
