import { type Interrupt, never } from '../../math/interrupt.ts';
import { extremeCandidates, MAX_CANDIDATES, POLYNOMIAL_SIZE } from '../../trajectory/polynomial.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { ArmModel } from './armModel.ts';
import { type JointTaylor, TorqueEnclosure } from './torqueEnclosure.ts';

/** Torques of all planned joints, enclosed over an interval. */
export interface TorqueInterval {
  /** Seconds; waypoints for a path. */
  readonly from: number;
  readonly to: number;
  /** Index of the piece of the curve. */
  readonly piece: number;
  /** By planned joint. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The greatest torque of a joint over a motion. */
export interface TorquePeak {
  /** The torque of greatest magnitude that was found, signed. */
  readonly value: number;
  readonly time: number;
  /** Proved bound on the magnitude over the whole motion. */
  readonly bound: number;
}

/** Torques of a motion. */
export interface TorqueReport {
  /** By planned joint. */
  readonly peaks: readonly TorquePeak[];
  /** Intervals without gaps, in the order of time. */
  readonly intervals: readonly TorqueInterval[];
  /** True if the computation was ended early: the bounds hold for the intervals only. */
  readonly isInterrupted: boolean;
}

/** What bounds are refined to. */
export interface TorqueGoal {
  /** By planned joint: limit of the magnitude; Infinity: not limited. */
  readonly limits: ArrayLike<number>;
  /** Share of the limit by which the bound on a greatest torque may exceed the torque; Infinity: only limits count. */
  readonly accuracy: number;
  /** The accuracy holds for each interval above a limit, not only for the greatest torque. */
  readonly everywhere?: boolean;
  /** Torques that hold the arm at rest at each position: for paths. */
  readonly isStatic?: boolean;
}

/** Relative: a torque may exceed its limit by this, a rounding error. */
export const TORQUE_ROUNDING = 1e-9;
/**
 * Intervals are at most this long at first where greatest torques are found, seconds or waypoints, unless that takes
 * more than `MAX_FIRST` of them.
 */
const LONGEST = 0.08;
const MAX_FIRST = 50_000;
/** Intervals shorter than this, relative to the time, are not halved. */
const SHORTEST = 1e-12;
/** Limit of the intervals that are halved; more if there are more at first. */
const MAX_INTERVALS = 20_000;
/** Rounding error of a derivative, relative to the sum of the terms of its coefficients. */
const RATE_ROUNDING = 256 * 2 ** -53;

/**
 * Encloses the torques of motions over continuous time: intervals whose bounds exceed a limit, or the greatest torque
 * found by more than the accuracy, are halved. One per thread.
 */
export class TorqueProver {
  private readonly bounds: TorqueEnclosure;
  private readonly joints: JointTaylor[];

  /** @param interrupt ends a computation */
  constructor(
    arm: ArmModel,
    private readonly interrupt: Interrupt = never,
  ) {
    this.bounds = new TorqueEnclosure(arm);
    this.joints = Array.from({ length: arm.dof }, createTaylor);
  }

  /** Encloses the torques of a motion in [from, to], which must be within it. */
  examine(
    curve: TrajectoryCurve,
    { limits, accuracy, everywhere = false, isStatic = false }: TorqueGoal,
    from = curve.start,
    to = curve.end,
  ): TorqueReport {
    const peaks = Array.from(limits, () => ({ value: 0, time: from }));
    let open: TorqueInterval[] = [];
    const done: TorqueInterval[] = [];
    let isInterrupted = false;
    const longest = everywhere || accuracy === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : LONGEST;
    for (const one of piecesWithin(curve, from, to, longest)) {
      open.push(this.enclosed(curve, one, isStatic, peaks));
      isInterrupted = this.interrupt();
      if (isInterrupted) break;
    }
    const most = Math.max(MAX_INTERVALS, open.length);
    for (let count = 0; open.length > 0 && !isInterrupted; ) {
      const next: TorqueInterval[] = [];
      const thresholds = peaks.map(({ value }, k) => thresholdOf(Math.abs(value), limits[k], accuracy));
      for (const interval of open) {
        const middle = interval.from + 0.5 * (interval.to - interval.from);
        const isShort = !(interval.to - interval.from > SHORTEST * (1 + Math.abs(middle)));
        if (isShort || (everywhere ? isAccurate(interval, limits, accuracy) : isWithin(interval, thresholds))) {
          done.push(interval);
          continue;
        }
        next.push(this.enclosed(curve, { ...interval, to: middle }, isStatic, peaks));
        next.push(this.enclosed(curve, { ...interval, from: middle }, isStatic, peaks));
        if (++count > most || this.interrupt()) isInterrupted = true;
      }
      open = next;
    }
    const intervals = [...done, ...open].sort((a, b) => a.from - b.from);
    const boundOf = (k: number) =>
      intervals.reduce((most, { lower, upper }) => Math.max(most, -lower[k], upper[k]), Math.abs(peaks[k].value));
    return { peaks: peaks.map((peak, k) => ({ ...peak, bound: boundOf(k) })), intervals, isInterrupted };
  }

  private enclosed(
    curve: TrajectoryCurve,
    { from, to, piece }: Pick<TorqueInterval, 'from' | 'to' | 'piece'>,
    isStatic: boolean,
    peaks: { value: number; time: number }[],
  ): TorqueInterval {
    const { bounds, joints } = this;
    const middle = from + 0.5 * (to - from);
    const half = Math.max(middle - from, to - middle);
    for (const [j, joint] of joints.entries()) setTaylor(joint, curve, piece, j, from, to, half);
    bounds.enclose(joints, half, isStatic);
    for (const [k, peak] of peaks.entries())
      if (Math.abs(bounds.value[k]) > Math.abs(peak.value)) {
        peak.value = bounds.value[k];
        peak.time = middle;
      }
    return { from, to, piece, lower: bounds.lower.slice(), upper: bounds.upper.slice() };
  }
}

/** Returns what the bound on the magnitude of a torque must not exceed. */
function thresholdOf(greatest: number, limit: number, accuracy: number): number {
  if (limit === Number.POSITIVE_INFINITY) return limit;
  const most = limit * (1 + TORQUE_ROUNDING);
  const accurate = greatest + accuracy * limit;
  return greatest > most ? accurate : Math.min(most, accurate);
}

const isWithin = ({ lower, upper }: TorqueInterval, thresholds: readonly number[]): boolean =>
  thresholds.every((most, k) => upper[k] <= most && -lower[k] <= most);

/** Returns true if each torque is within its limit, or known up to the accuracy. */
function isAccurate({ lower, upper }: TorqueInterval, limits: ArrayLike<number>, accuracy: number): boolean {
  for (let k = 0; k < lower.length; k++) {
    const isKept = upper[k] <= limits[k] && -lower[k] <= limits[k];
    if (!isKept && !(upper[k] - lower[k] <= 2 * accuracy * limits[k])) return false;
  }
  return true;
}

/**
 * Divides an interval at the ends of the pieces, and pieces into equal parts that are not longer than `longest`, or
 * than one of `MAX_FIRST` equal parts of the whole.
 */
function piecesWithin(
  curve: TrajectoryCurve,
  from: number,
  to: number,
  longest: number,
): Pick<TorqueInterval, 'from' | 'to' | 'piece'>[] {
  const out: { from: number; to: number; piece: number }[] = [];
  const most = Math.max(longest, (to - from) / MAX_FIRST);
  for (let piece = 0; piece < curve.pieces; piece++) {
    const [first, last] = [Math.max(from, curve.times[piece]), Math.min(to, curve.times[piece + 1])];
    if (last < first || (last === first && to > from)) continue;
    const count = Math.max(1, Math.ceil((last - first) / most));
    const at = (i: number) => (i === count ? last : first + (i / count) * (last - first));
    for (let i = 0; i < count; i++) out.push({ from: at(i), to: at(i + 1), piece });
  }
  return out;
}

/** Sets the derivatives of a joint in the middle of an interval, and their bounds within `half` of it. */
export function setTaylor(
  { derivatives: d, bounds, velocities, signs, errors }: JointTaylor,
  curve: TrajectoryCurve,
  piece: number,
  j: number,
  from: number,
  to: number,
  half: number,
): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(piece, j);
  const start = curve.times[piece];
  const u = from + 0.5 * (to - from) - start;
  const derivative = (order: number, x: number) => derivativeOf(c, at, order, x);
  for (let order = 0; order < 6; order++) d[order] = derivative(order, u);
  for (let order = 1; order < 6; order++) {
    let bound = 0;
    for (let n = 5; n >= order; n--) bound = Math.abs(d[n]) + (bound * half) / (n - order + 1);
    bounds[order] = bound;
  }
  // A derivative is monotonic, so that its ends are extreme, unless the sign of the next one changes; one whose values
  // of the other sign are at most r leaves them by at most r times the length.
  let [least, most] = [d[5], d[5]];
  for (let order = 4; order > 0; order--) {
    const first = derivative(order, from - start);
    const last = derivative(order, to - start);
    const rounding = NEGLIGIBLE * bounds[order + 1];
    const isMonotonic = least >= -rounding || most <= rounding;
    least = isMonotonic ? Math.min(first, last) - 2 * half * rounding : d[order] - half * bounds[order + 1];
    most = isMonotonic ? Math.max(first, last) + 2 * half * rounding : d[order] + half * bounds[order + 1];
  }
  velocities[0] = least;
  velocities[1] = most;
  setRateErrors(errors, curve, piece, j);
  setFrictionSigns(signs, least, most, errors[1], isResting(curve, piece, j));
  const before = curve.rests[2 * (piece * curve.dof + j)];
  const after = curve.rests[2 * (piece * curve.dof + j) + 1];
  if (before + after === 0 || !(signs[0] < 0 && signs[1] > 0)) return;
  const T = curve.times[piece + 1] - start;
  const signOver = (zeros: number, u0: number, u1: number) => {
    if (zeros === 0) return 0;
    const count = extremeCandidates(candidates, c, at, zeros + 1, u0, u1);
    const values = Array.from(candidates.subarray(0, count), (x) => derivative(zeros + 1, x));
    const doubt = UNSURE * (zeros === 1 ? errors[2] : (2 * errors[2]) / T);
    return Math.min(...values) > doubt ? 1 : Math.max(...values) < -doubt ? -1 : 0;
  };
  // Beside an exact rest, the velocity has the sign of the first derivative that is not 0; before it, times (−1)ⁿ.
  const sign = signOver(before, 0, to - start) || (after === 1 ? -1 : 1) * signOver(after, from - start, T);
  if (sign !== 0) signs.set([Math.min(0, sign), Math.max(0, sign)]);
}

/** Returns true if a joint does not move at all on a piece of a curve. */
export function isResting(curve: TrajectoryCurve, piece: number, j: number): boolean {
  const at = curve.polynomialIndex(piece, j);
  for (let n = 1; n < POLYNOMIAL_SIZE; n++) if (curve.polynomials[at + n] !== 0) return false;
  return true;
}

/**
 * Sets the signs of the least and the greatest friction. A velocity within the rounding error has both signs, unless
 * the joint does not move at all.
 */
export function setFrictionSigns(
  signs: Float64Array,
  slowest: number,
  fastest: number,
  error: number,
  isAtRest: boolean,
): void {
  signs[0] = isAtRest ? 0 : slowest > UNSURE * error ? 1 : -1;
  signs[1] = isAtRest ? 0 : fastest < -UNSURE * error ? -1 : 1;
}

/** Evaluates the derivative of a polynomial, of any order up to 5. */
function derivativeOf(c: ArrayLike<number>, at: number, order: number, x: number): number {
  const falling = FALLING[order];
  let value = 0;
  for (let n = POLYNOMIAL_SIZE - 1; n >= order; n--) value = value * x + falling[n] * c[at + n];
  return value;
}

/** Returns the motion of a joint, not yet set. */
export const createTaylor = (): JointTaylor => ({
  derivatives: new Float64Array(6),
  bounds: new Float64Array(6),
  velocities: new Float64Array(2),
  signs: new Float64Array(2),
  errors: new Float64Array(3),
});

/** Sets bounds on the rounding errors of the first and the second derivative of a joint on a piece of a curve. */
export function setRateErrors(errors: Float64Array, curve: TrajectoryCurve, piece: number, j: number): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(piece, j);
  const T = curve.times[piece + 1] - curve.times[piece];
  if (!(T > 0)) return void errors.fill(0);
  const [v, w] = [Math.abs(c[at + 1]), Math.abs(derivativeOf(c, at, 1, T))];
  const mean = Math.abs(derivativeOf(c, at, 0, T) - c[at]) / T;
  const [a, b] = [Math.abs(derivativeOf(c, at, 2, 0)), Math.abs(derivativeOf(c, at, 2, T))];
  const terms = 120 * mean + 66 * v + 55 * w + T * (14 * a + 8 * b);
  errors[1] = RATE_ROUNDING * terms;
  errors[2] = (2 * RATE_ROUNDING * terms) / T; // with that of the third derivative over half of the piece
}

const candidates = new Float64Array(MAX_CANDIDATES);

/** Relative: values of the other sign up to this leave a derivative monotonic, with a range that is larger for it. */
const NEGLIGIBLE = 1e-9;
/** Sign of a velocity: known beyond this many rounding errors, of its own and of the derivatives that bound it. */
const UNSURE = 4;

/** n (n − 1) … (n − k + 1): factor of the coefficient of uⁿ in the derivative of order k. */
const FALLING = Array.from({ length: 6 }, (_, k) =>
  Array.from({ length: POLYNOMIAL_SIZE }, (__, n) => {
    let product = 1;
    for (let i = 0; i < k; i++) product *= n - i;
    return product;
  }),
);
