import { accelerationAt, POLYNOMIAL_SIZE, velocityAt } from '../polynomial.ts';
import { type Arc, velocityJump } from './arc.ts';

/** Rad or m: the grid is finer than this in each joint, within the limits of the number of intervals. */
const GRID_STEP = 0.02;
const MIN_INTERVALS = 2;
const MAX_INTERVALS = 128;

/**
 * A curve divided into short intervals, with its derivatives by its own time at both ends of each: one-sided, so that
 * the acceleration may jump between intervals. The pace p of an interval's ends is the derivative of the curve's time
 * by the time of the new motion: 1 as given, 0 at rest.
 */
export class PaceGrid {
  /** Number of intervals. */
  readonly count: number;
  readonly dof: number;
  /** Index of the arc of each interval. */
  readonly arc: Int32Array;
  /** Begin of each interval, in the time of its arc, and its length. */
  readonly from: Float64Array;
  readonly step: Float64Array;
  /** At [i · dof + j]: derivatives of joint j at the start and the end of interval i. */
  readonly velocity0: Float64Array;
  readonly velocity1: Float64Array;
  readonly acceleration0: Float64Array;
  readonly acceleration1: Float64Array;
  /** For each end of an interval (`count` + 1): true if the motion has to stop there. */
  readonly stops: boolean[];

  /**
   * @param fineness factor of the number of intervals of each arc
   * @param velocityLimits maximum speed of each joint, to which jumps are relative
   */
  constructor(
    readonly arcs: readonly Arc[],
    fineness: ArrayLike<number>,
    velocityLimits: ArrayLike<number>,
  ) {
    this.dof = arcs[0].from.positions.length;
    const counts = arcs.map((arc, k) => Math.max(MIN_INTERVALS, Math.ceil(intervalsOf(arc) * fineness[k])));
    this.count = counts.reduce((sum, n) => sum + n, 0);
    const { count, dof } = this;
    this.arc = new Int32Array(count);
    this.from = new Float64Array(count);
    this.step = new Float64Array(count);
    const rows = () => new Float64Array(count * dof);
    [this.velocity0, this.velocity1, this.acceleration0, this.acceleration1] = [rows(), rows(), rows(), rows()];
    this.stops = new Array<boolean>(count + 1).fill(false);
    let i = 0;
    const rest = new Array<number>(dof).fill(0);
    const isStop = (k: number) =>
      velocityJump(arcs[k - 1]?.to.velocities ?? rest, arcs[k]?.from.velocities ?? rest, velocityLimits);
    for (let k = 0; k < arcs.length; k++) {
      const shareAt = gradedShare(isStop(k), isStop(k + 1));
      this.stops[i] = isStop(k);
      for (let n = 0; n < counts[k]; n++)
        this.setInterval(i++, k, shareAt(n / counts[k]), n + 1 === counts[k] ? 1 : shareAt((n + 1) / counts[k]));
    }
    this.stops[count] = isStop(arcs.length);
  }

  /** Returns the start of interval i in the time of the curve; of `count`: its end. */
  time(i: number): number {
    if (i === this.count) return this.arcs[this.arcs.length - 1].given!.to;
    return this.arcs[this.arc[i]].given!.from + this.from[i];
  }

  /** Sets interval i to a part of arc k between two shares of its duration. */
  private setInterval(i: number, k: number, first: number, last: number): void {
    const { polynomials, duration } = this.arcs[k];
    const from = first * duration;
    const to = last * duration;
    this.arc[i] = k;
    this.from[i] = from;
    this.step[i] = to - from;
    for (let j = 0; j < this.dof; j++) {
      const at = j * POLYNOMIAL_SIZE;
      this.velocity0[i * this.dof + j] = velocityAt(polynomials, at, from);
      this.velocity1[i * this.dof + j] = velocityAt(polynomials, at, to);
      this.acceleration0[i * this.dof + j] = accelerationAt(polynomials, at, from);
      this.acceleration1[i * this.dof + j] = accelerationAt(polynomials, at, to);
    }
  }
}

/**
 * Returns the function that maps [0, 1] onto itself, with derivative 0 at stops: near a stop, the time of the curve is
 * quadratic in the time of the motion, so that intervals of equal length would be too long there.
 */
function gradedShare(stopsBefore: boolean, stopsAfter: boolean): (share: number) => number {
  if (stopsBefore && stopsAfter) return (z) => z * z * (3 - 2 * z);
  if (stopsBefore) return (z) => z * z;
  return stopsAfter ? (z) => z * (2 - z) : (z) => z;
}

/** Returns the number of intervals of an arc at fineness 1, by the longest travel of a joint: chord, or end speeds. */
export function intervalsOf({ from, to, duration, kind }: Arc): number {
  let travel = 0;
  for (let j = 0; j < from.positions.length; j++) {
    const chord = Math.abs(to.positions[j] - from.positions[j]);
    const speed = Math.max(Math.abs(from.velocities[j]), Math.abs(to.velocities[j]));
    travel = Math.max(travel, chord, kind === 'linear' ? 0 : speed * duration);
  }
  return Math.min(MAX_INTERVALS, Math.max(MIN_INTERVALS, 1 + Math.ceil(travel / GRID_STEP)));
}

/** Relative: a squared pace that rounding errors make infeasible is lowered by this, and then by more. */
const EASED = 1e-13;
const MORE = 8;
/** Relative: a bound may be exceeded by this, a rounding error. */
const ROUNDING = 1e-12;

/** Forces f = factor · u + square · x within [lower, upper], at [i · dof + j] for joint j at one end of interval i. */
export interface ForceRows {
  readonly factor: Float64Array;
  readonly square: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Bounds of the pace: in squares of the pace, and of the acceleration of each joint in each interval. */
export interface PaceBounds {
  /** For each end of an interval: upper bound on the squared pace, at least 0. */
  readonly square: Float64Array;
  /** At [i · dof + j]: bound on the acceleration of joint j at the start and the end of interval i. */
  readonly acceleration0: Float64Array;
  readonly acceleration1: Float64Array;
  /** Further forces that are linear in u and x, at the start and the end of each interval; undefined: none. */
  readonly forces?: readonly [ForceRows, ForceRows] | undefined;
}

/**
 * Computes the highest squared pace x at each end of an interval within the bounds, with the pace changing so that x is
 * linear in the time of the curve: with x' = 2u, the acceleration of a joint is q' u + q'' x. First the controllable
 * sets backward, then the highest pace forward [Pham18 §4]. A pace of 0 is feasible everywhere, so that the sets are
 * intervals [0, K].
 */
export function paceProfile(grid: PaceGrid, bounds: PaceBounds): Float64Array {
  const { count } = grid;
  const range = createPaceRange();
  const highest = Float64Array.from(bounds.square); // K, then x
  for (let i = count - 1; i >= 0; i--) highest[i] = highestSquare(range, grid, bounds, i, highest[i], highest[i + 1]);
  for (let i = 0; i < count; i++) {
    const next = highest[i + 1];
    const step = 2 * grid.step[i];
    const most = (next - highest[i]) / step;
    isFeasible(range, grid, bounds, i, highest[i], next);
    highest[i + 1] = range.high >= most ? next : Math.min(next, Math.max(0, highest[i] + step * range.high));
  }
  return highest;
}

/**
 * Returns the highest feasible squared pace at the start of interval i, at most `most`. The least u minus the greatest
 * one is convex in x, so that Newton's method from above descends to the root in as many steps as bounds become active.
 */
function highestSquare(
  range: PaceRange,
  grid: PaceGrid,
  bounds: PaceBounds,
  i: number,
  most: number,
  next: number,
): number {
  let x = most;
  for (let eased = EASED; x > 0 && !isFeasible(range, grid, bounds, i, x, next); ) {
    const { low, high, lowSlope, highSlope, most: cap } = range;
    const root = low > high ? x - (low - high) / (lowSlope - highSlope) : x;
    const better = Math.max(0, Math.min(root, cap));
    if (better < x * (1 - eased)) {
      x = better;
      continue;
    }
    x *= 1 - Math.min(1, eased);
    eased *= MORE;
  }
  return x;
}

/** Range of u for a squared pace x. */
export interface PaceRange {
  low: number;
  high: number;
  /** Derivatives of both by x. */
  lowSlope: number;
  highSlope: number;
  /** Upper bound on x if no u satisfies the bounds. */
  most: number;
}

/** Returns an empty record for `isFeasible`. */
export const createPaceRange = (): PaceRange => ({ low: 0, high: 0, lowSlope: 0, highSlope: 0, most: 0 });

/**
 * Computes the range of u in interval i for a squared pace x at its start and at most `next` at its end; returns false
 * if it is empty.
 * @param lowest of u; default: rest at the end
 */
export function isFeasible(
  range: PaceRange,
  { dof, step, velocity0, velocity1, acceleration0: a0, acceleration1: a1 }: PaceGrid,
  { acceleration0, acceleration1, forces }: PaceBounds,
  i: number,
  x: number,
  next: number,
  lowest = -x / (2 * step[i]),
): boolean {
  const length = 2 * step[i];
  range.low = lowest;
  range.high = (next - x) / length;
  range.lowSlope = -1 / length;
  range.highSlope = -1 / length;
  range.most = Number.POSITIVE_INFINITY;
  let isPossible = true;
  for (let j = 0, k = i * dof; j < dof; j++, k++) {
    const most0 = acceleration0[k] * (1 + ROUNDING);
    const most1 = acceleration1[k] * (1 + ROUNDING);
    if (!narrow(range, velocity0[k], a0[k], x, -most0, most0)) isPossible = false;
    if (!narrow(range, velocity1[k] + length * a1[k], a1[k], x, -most1, most1)) isPossible = false;
    if (forces === undefined) continue;
    const { factor, square, lower, upper } = forces[0];
    if (!narrow(range, factor[k], square[k], x, lower[k], upper[k])) isPossible = false;
    const end = forces[1];
    const last = end.factor[k] + length * end.square[k];
    if (!narrow(range, last, end.square[k], x, end.lower[k], end.upper[k])) isPossible = false;
  }
  const { low, high } = range;
  return isPossible && low <= high + ROUNDING * (Math.abs(low) + Math.abs(high));
}

/**
 * Intersects the range of u with lower <= factor · u + square · x <= upper. If no u satisfies it, bounds x and returns
 * false.
 */
function narrow(range: PaceRange, factor: number, square: number, x: number, lower: number, upper: number): boolean {
  const term = square * x;
  if (factor === 0) {
    if (term >= lower && term <= upper) return true;
    range.most = Math.min(range.most, (term >= lower ? upper : lower) / square);
    return false;
  }
  const low = ((factor > 0 ? lower : upper) - term) / factor;
  const high = ((factor > 0 ? upper : lower) - term) / factor;
  if (low > range.low) {
    range.low = low;
    range.lowSlope = -square / factor;
  }
  if (high < range.high) {
    range.high = high;
    range.highSlope = -square / factor;
  }
  return true;
}
