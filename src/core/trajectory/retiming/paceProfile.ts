import type { PaceGrid } from './paceGrid.ts';

/** Number of halvings of the search for the highest pace of one end of an interval. */
const HALVINGS = 60;
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
  /** At [i · dof + j]: bound on the acceleration of joint j at the begin and the end of interval i. */
  readonly acceleration0: Float64Array;
  readonly acceleration1: Float64Array;
  /** Further forces that are linear in u and x, at the begin and the end of each interval; undefined: none. */
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
  const range = { low: 0, high: 0 };
  const highest = Float64Array.from(bounds.square); // K, then x
  for (let i = count - 1; i >= 0; i--) {
    if (isFeasible(range, grid, bounds, i, highest[i], highest[i + 1])) continue;
    let [feasible, infeasible] = [0, highest[i]];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (feasible + infeasible);
      if (isFeasible(range, grid, bounds, i, middle, highest[i + 1])) feasible = middle;
      else infeasible = middle;
    }
    highest[i] = feasible;
  }
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
 * Computes the range of u in interval i for a squared pace x at its begin and at most `next` at its end; returns false
 * if it is empty.
 * @param lowest of u; default: rest at the end
 */
export function isFeasible(
  range: { low: number; high: number },
  { dof, step, velocity0, velocity1, acceleration0: a0, acceleration1: a1 }: PaceGrid,
  bounds: PaceBounds,
  i: number,
  x: number,
  next: number,
  lowest = -x / (2 * step[i]),
): boolean {
  const length = 2 * step[i];
  range.low = lowest;
  range.high = (next - x) / length;
  for (let j = 0, k = i * dof; j < dof; j++, k++) {
    if (!narrow(range, velocity0[k], a0[k] * x, bounds.acceleration0[k])) return false;
    if (!narrow(range, velocity1[k] + length * a1[k], a1[k] * x, bounds.acceleration1[k])) return false;
    if (bounds.forces === undefined) continue;
    const [begin, end] = bounds.forces;
    if (!narrowTo(range, begin.factor[k], begin.square[k] * x, begin.lower[k], begin.upper[k])) return false;
    if (!narrowTo(range, end.factor[k] + length * end.square[k], end.square[k] * x, end.lower[k], end.upper[k]))
      return false;
  }
  return range.low <= range.high + ROUNDING * (Math.abs(range.low) + Math.abs(range.high));
}

/** Intersects the range of u with |factor · u + term| <= bound; returns false if no u satisfies it. */
function narrow(range: { low: number; high: number }, factor: number, term: number, bound: number): boolean {
  const limit = bound * (1 + ROUNDING);
  return narrowTo(range, factor, term, -limit, limit);
}

/** Intersects the range of u with lower <= factor · u + term <= upper; returns false if no u satisfies it. */
function narrowTo(
  range: { low: number; high: number },
  factor: number,
  term: number,
  lower: number,
  upper: number,
): boolean {
  if (factor === 0) return term >= lower && term <= upper;
  const [one, other] = [(lower - term) / factor, (upper - term) / factor];
  range.low = Math.max(range.low, Math.min(one, other));
  range.high = Math.min(range.high, Math.max(one, other));
  return true;
}
