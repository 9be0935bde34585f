import { firstIndex } from '../../math/firstIndex.ts';
import { accelerationAt, jerkAt, velocityAt } from '../polynomial.ts';
import type { TrajectoryCurve } from '../trajectoryCurve.ts';
import type { ForceRows, PaceGrid } from './paceGrid.ts';

/** Limits of the joints on each piece of a curve, and of torque, linear in the square of the pace and its rate. */
export interface SmoothLimits {
  readonly acceleration: (piece: number) => ArrayLike<number>;
  /** Infinity: not limited. */
  readonly jerk: ArrayLike<number>;
  readonly forces?: readonly [ForceRows, ForceRows] | undefined;
}

/** Share of the limits that the ranges leave unused, so that the proof succeeds. */
const HEADROOM = { acceleration: 1e-3, jerk: 1e-2 };
/** 1/s: jerk in relation to acceleration beyond that of the motion; more would need shorter steps, and gain 2 ms. */
const SHARP = 500;
/** Greatest rate of the pace, 1/s, and of the rate, 1/s². */
const STEEPEST = 1e5;
const SHARPEST = 1e8;

/** A range of a rate. */
interface Range {
  low: number;
  high: number;
}

/** Ranges of the rate s'' of the pace of a stop q(s(t)) along a curve q, and of its change s''', within the limits. */
export class StopRanges {
  /** Ranges of s'' and s''' at the last state. */
  readonly rates: Range = { low: 0, high: 0 };
  readonly changes: Range = { low: 0, high: 0 };
  /** Share of the possible deceleration that the ranges contain. */
  share = 1;

  constructor(
    private readonly curve: TrajectoryCurve,
    private readonly grid: PaceGrid,
    private readonly limits: SmoothLimits,
  ) {}

  /** Sets the ranges at a time of a piece, for a pace and, of the change, its rate. */
  set(piece: number, from: number, pace: number, rate: number): void {
    const { curve, limits, rates, changes, share } = this;
    const c = curve.polynomials;
    const x = pace * pace;
    const acceleration = limits.acceleration(piece);
    [rates.low, rates.high, changes.low, changes.high] = [-STEEPEST, STEEPEST, -SHARPEST, SHARPEST];
    for (let j = 0; j < curve.dof; j++) {
      const at = curve.polynomialIndex(piece, j);
      const v = velocityAt(c, at, from);
      const a = accelerationAt(c, at, from);
      const jerk = jerkAt(c, at, from);
      const most = Math.max((1 - HEADROOM.acceleration) * acceleration[j], Math.abs(a));
      narrow(rates, v, a * x, -most, most);
      const sharpest = Math.max(this.jerkLimit(acceleration, j, Math.abs(jerk)), Math.abs(jerk));
      narrow(changes, v, pace * (jerk * x + 3 * a * rate), -sharpest, sharpest);
    }
    if (limits.forces) this.narrowForces(limits.forces, curve.times[piece] + from, x);
    scale(rates, share);
    scale(changes, share);
  }

  /** Returns about how long the slowest joint takes to lose its velocity and acceleration within its limits, s. */
  timeScale(piece: number, from: number): number {
    const { curve, limits } = this;
    const acceleration = limits.acceleration(piece);
    let longest = 1 / Math.sqrt(SHARPEST);
    for (let j = 0; j < curve.dof; j++) {
      const at = curve.polynomialIndex(piece, j);
      const v = Math.abs(velocityAt(curve.polynomials, at, from));
      const a = Math.abs(accelerationAt(curve.polynomials, at, from));
      longest = Math.max(longest, Math.sqrt(v / limits.jerk[j]), a / limits.jerk[j], v / acceleration[j]);
    }
    return longest;
  }

  /** Returns the greatest jerk of a joint that a stop uses where the motion has `own`. */
  private jerkLimit(acceleration: ArrayLike<number>, j: number, own: number): number {
    const limit = (1 - HEADROOM.jerk) * this.limits.jerk[j];
    return limit < Number.POSITIVE_INFINITY ? Math.min(limit, own + SHARP * acceleration[j]) : limit;
  }

  private narrowForces([begin, end]: readonly [ForceRows, ForceRows], time: number, x: number): void {
    const { grid } = this;
    const n = Math.max(0, firstIndex(grid.count, (i) => grid.time(i) > time) - 1);
    const share = Math.max(0, Math.min(1, (time - grid.time(n)) / grid.step[n]));
    const mixed = (row: keyof ForceRows, k: number) => begin[row][k] + share * (end[row][k] - begin[row][k]);
    for (let k = n * grid.dof; k < (n + 1) * grid.dof; k++)
      narrow(this.rates, mixed('factor', k), mixed('square', k) * x, mixed('lower', k), mixed('upper', k));
  }
}

/** Intersects a range of u with lower <= factor · u + term <= upper. */
function narrow(range: Range, factor: number, term: number, lower: number, upper: number): void {
  if (factor === 0) return;
  const low = ((factor > 0 ? lower : upper) - term) / factor;
  const high = ((factor > 0 ? upper : lower) - term) / factor;
  if (low > range.low) range.low = low;
  if (high < range.high) range.high = high;
}

/** Reduces a range to a share of both sides of 0. */
function scale(range: Range, share: number): void {
  if (range.low < 0) range.low *= share;
  if (range.high > 0) range.high *= share;
}
