import {
  ACCELERATION,
  accelerationAt,
  derivativeAt,
  extremeCandidates,
  JERK,
  MAX_CANDIDATES,
  POSITION,
  positionAt,
  VELOCITY,
  velocityAt,
} from './polynomial.ts';
import type { Trajectory } from './trajectory.ts';
import type { TrajectoryCurve } from './trajectoryCurve.ts';
import { accelerationTolerance } from './velocityJumps.ts';

/** An extreme value (signed) and its time: seconds, or waypoints for a path. */
export interface Extreme {
  readonly value: number;
  readonly time: number;
}

/** Extremes of one joint over a motion. */
export interface JointExtremes {
  readonly min: Extreme;
  readonly max: Extreme;
  /** The values of maximum magnitude. */
  readonly velocity: Extreme;
  readonly acceleration: Extreme;
}

/**
 * Bound on the rounding error of a value of a quintic, relative to its terms: 64 roundings of half a unit in the last
 * place; docs/proof.md counts 30.
 */
const ROUNDING = 64 * (Number.EPSILON / 2);
/** If the terms of the positions of a quintic sum to P, the terms of derivative n sum to at most WEIGHTS[n] P / Tⁿ. */
const WEIGHTS = [1, 5, 20, 60];

/** An extreme that greater ones replace. */
type Found = { -readonly [K in keyof Extreme]: number };

const candidates = new Float64Array(MAX_CANDIDATES);

/** Computes the extremes of one joint over the whole curve. Values of quintics are rounded outwards. */
export function extremesOf(curve: TrajectoryCurve, j: number): JointExtremes {
  const start = { value: curve.polynomials[curve.polynomialIndex(0, j)], time: curve.start };
  const rest = { value: 0, time: curve.start };
  const [min, max, velocity, acceleration] = [{ ...start }, { ...start }, { ...rest }, { ...rest }];
  for (let k = 0; k < curve.pieces; k++) {
    includePositions(min, max, curve, k, j);
    includeRates(velocity, curve, k, j, VELOCITY);
    includeRates(acceleration, curve, k, j, ACCELERATION);
  }
  return { min, max, velocity, acceleration };
}

/**
 * Returns the jerk of maximum magnitude; infinite if the acceleration jumps between two pieces. Jumps at the ends of
 * the motion are ignored.
 */
export function maxJerk(curve: TrajectoryCurve, j: number, accelerationLimit: number): Extreme {
  const jerk = { value: 0, time: curve.start };
  const c = curve.polynomials;
  for (let k = 0; k < curve.pieces; k++) {
    includeRates(jerk, curve, k, j, JERK);
    if (k === 0) continue;
    const before = accelerationAt(c, curve.polynomialIndex(k - 1, j), curve.times[k] - curve.times[k - 1]);
    const after = accelerationAt(c, curve.polynomialIndex(k, j), 0);
    if (Math.abs(after - before) > accelerationTolerance(accelerationLimit, before, after))
      includeMagnitude(jerk, after < before ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, curve.times[k]);
  }
  return jerk;
}

/** Returns true if the velocity of joint j is equal on both sides of each boundary of pieces, up to rounding errors. */
export function hasSteadyVelocity(curve: TrajectoryCurve, j: number): boolean {
  const c = curve.polynomials;
  for (let k = 1; k < curve.pieces; k++) {
    const T = curve.times[k] - curve.times[k - 1];
    const before = velocityAt(c, curve.polynomialIndex(k - 1, j), T);
    const after = velocityAt(c, curve.polynomialIndex(k, j), 0);
    const rounding = (ROUNDING * WEIGHTS[VELOCITY] * curve.terms[(k - 1) * curve.dof + j]) / T;
    if (!(Math.abs(after - before) <= 2 * rounding)) return false;
  }
  return true;
}

/** Includes the positions of joint j on piece k in the extremes; NaN is kept. Allocates only for quintics. */
function includePositions(min: Found, max: Found, curve: TrajectoryCurve, k: number, j: number): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(k, j);
  const error = roundingError(curve, k, j, POSITION);
  const count = extremeCandidates(candidates, c, at, POSITION, 0, curve.times[k + 1] - curve.times[k]);
  for (let i = 0; i < count; i++) {
    const x = positionAt(c, at, candidates[i]);
    if (!(x - error >= min.value) && !Number.isNaN(min.value)) {
      min.value = x - error;
      min.time = curve.times[k] + candidates[i];
    }
    if (!(x + error <= max.value) && !Number.isNaN(max.value)) {
      max.value = x + error;
      max.time = curve.times[k] + candidates[i];
    }
  }
}

/** Includes a derivative of joint j on piece k in the extreme of maximum magnitude, as `includePositions`. */
function includeRates(greatest: Found, curve: TrajectoryCurve, k: number, j: number, order: number): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(k, j);
  const error = roundingError(curve, k, j, order);
  const count = extremeCandidates(candidates, c, at, order, 0, curve.times[k + 1] - curve.times[k]);
  for (let i = 0; i < count; i++) {
    const x = derivativeAt(c, at, order, candidates[i]);
    includeMagnitude(greatest, x < 0 ? x - error : x + error, curve.times[k] + candidates[i]);
  }
}

/** Replaces an extreme by a value of greater magnitude; NaN is kept. */
function includeMagnitude(greatest: Found, value: number, time: number): void {
  if (Math.abs(value) <= Math.abs(greatest.value) || Number.isNaN(greatest.value)) return;
  greatest.value = value;
  greatest.time = time;
}

/**
 * Returns a bound on the rounding error of a derivative on a quintic; 0 for lines and cubics, whose error is within the
 * tolerances of limits.
 */
function roundingError(curve: TrajectoryCurve, k: number, j: number, order: number): number {
  if (curve.kinds[k] !== 'quintic') return 0;
  const T = curve.times[k + 1] - curve.times[k];
  const terms =
    curve.terms[k * curve.dof + j] -
    (order === POSITION ? 0 : Math.abs(curve.polynomials[curve.polynomialIndex(k, j)]));
  let error = ROUNDING * WEIGHTS[order] * terms;
  for (let i = 0; i < order; i++) error /= T;
  return error;
}

/**
 * Seconds: points farther apart are not a set-point stream, but straight lines with corners. The slowest control loops
 * run at 125 Hz.
 */
export const MAX_SET_POINT_INTERVAL = 0.008;
/** rad: rounding error of positions in scripts, which have twelve decimals. */
const POSITION_ERROR = 0.5e-12;

/** Acceleration and jerk of maximum magnitude of a joint, signed. */
export interface SetPointRates {
  readonly acceleration: Extreme;
  readonly jerk: Extreme;
}

/**
 * Computes acceleration and jerk of joint j as difference quotients of its set points, from rest to rest. By the mean
 * value theorem they are attained by the derivatives of every smooth curve through the points, so they exceed no bound
 * of such a curve:
 *   vᵢ = Δxᵢ/Δtᵢ   aᵢ = 2 (vᵢ − vᵢ₋₁)/(Δtᵢ + Δtᵢ₋₁)   jᵢ = 3 (aᵢ − aᵢ₋₁)/(Δtᵢ + Δtᵢ₋₁ + Δtᵢ₋₂)
 * reduced by the effect of the rounding error of the positions.
 */
export function setPointRates({ points }: Trajectory, j: number): SetPointRates {
  const start = points[0].time_from_start!;
  const acceleration = { value: 0, time: start };
  const jerk = { value: 0, time: start };
  if (points.length < 2) return { acceleration, jerk };
  const steps = points.slice(1).map((point, i) => ({
    time: points[i].time_from_start!,
    duration: point.time_from_start! - points[i].time_from_start!,
    displacement: point.positions[j] - points[i].positions[j],
  }));
  const [first, last] = [steps[0], steps[steps.length - 1]];
  const rest = (time: number, duration: number) => ({ time, duration, displacement: 0 });
  const end = points[points.length - 1].time_from_start!;
  const before = [rest(start, first.duration), rest(start, first.duration)];
  const all = [...before, ...steps, rest(end, last.duration), rest(end, last.duration)];
  let earlier = { a: 0, error: 0 };
  for (let i = 1; i < all.length; i++) {
    const [one, two] = [all[i - 1], all[i]];
    const [a, error] = [secondQuotient(one, two), errorOf(one, two)];
    includeMagnitude(acceleration, inwards(a, error), two.time);
    if (i > 1) {
      const whole = one.duration + two.duration + all[i - 2].duration;
      includeMagnitude(jerk, inwards((3 * (a - earlier.a)) / whole, (3 * (error + earlier.error)) / whole), two.time);
    }
    earlier = { a, error };
  }
  return { acceleration, jerk };
}

/**
 * Computes the acceleration of joint j at point i, neither the first nor the last one, as a difference quotient of the
 * set points, reduced by the effect of the rounding error of the positions.
 */
export function setPointAcceleration({ points }: Trajectory, i: number, j: number): number {
  const stepTo = (k: number) => ({
    duration: points[k].time_from_start! - points[k - 1].time_from_start!,
    displacement: points[k].positions[j] - points[k - 1].positions[j],
  });
  const [one, two] = [stepTo(i), stepTo(i + 1)];
  return inwards(secondQuotient(one, two), errorOf(one, two));
}

/** Motion of a joint between two set points: seconds, rad or m. */
interface Step {
  readonly duration: number;
  readonly displacement: number;
}

const secondQuotient = (one: Step, two: Step) =>
  (2 * (two.displacement / two.duration - one.displacement / one.duration)) / (one.duration + two.duration);

/** Returns the effect of the rounding error of the positions on the second difference quotient. */
const errorOf = (one: Step, two: Step) => (2 * (rateError(one) + rateError(two))) / (one.duration + two.duration);

/** The same on a first difference quotient; equal positions have equal errors. */
const rateError = ({ displacement, duration }: Step) => (displacement === 0 ? 0 : (2 * POSITION_ERROR) / duration);

/** Returns the value nearest to 0 within the error. */
function inwards(value: number, error: number): number {
  return Math.abs(value) <= error ? 0 : value - Math.sign(value) * error;
}
