import {
  ACCELERATION,
  accelerationAt,
  cubicCandidates,
  derivativeAt,
  extremeCandidates,
  JERK,
  MAX_CUBIC_CANDIDATES,
  maxMagnitude,
  POSITION,
  positionAt,
  VELOCITY,
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

/** Computes the extremes of one joint over the whole curve. Values of quintics are rounded outwards. */
export function extremesOf(curve: TrajectoryCurve, j: number): JointExtremes {
  const start = { value: curve.polynomials[curve.polynomialIndex(0, j)], time: curve.start };
  const rest = { value: 0, time: curve.start };
  let [least, greatest, velocity, acceleration]: Extreme[] = [start, start, rest, rest];
  for (let k = 0; k < curve.pieces; k++) {
    const error = roundingError(curve, k, j, POSITION);
    if (!isWithin(curve, k, j, least.value, greatest.value))
      for (const x of extremesWithin(curve, k, j, POSITION)) {
        if (!(x.value - error >= least.value) && !Number.isNaN(least.value))
          least = { value: x.value - error, time: x.time };
        if (!(x.value + error <= greatest.value) && !Number.isNaN(greatest.value))
          greatest = { value: x.value + error, time: x.time };
      }
    velocity = greaterOnPiece(velocity, curve, k, j, VELOCITY);
    acceleration = greaterOnPiece(acceleration, curve, k, j, ACCELERATION);
  }
  return { min: least, max: greatest, velocity, acceleration };
}

/**
 * Returns the jerk of maximum magnitude; infinite if the acceleration jumps between two pieces. Jumps at the ends of
 * the motion are ignored.
 */
export function maxJerk(curve: TrajectoryCurve, j: number, accelerationLimit: number): Extreme {
  let jerk: Extreme = { value: 0, time: curve.start };
  const c = curve.polynomials;
  for (let k = 0; k < curve.pieces; k++) {
    jerk = greaterOnPiece(jerk, curve, k, j, JERK);
    if (k === 0) continue;
    const before = accelerationAt(c, curve.polynomialIndex(k - 1, j), curve.times[k] - curve.times[k - 1]);
    const after = accelerationAt(c, curve.polynomialIndex(k, j), 0);
    if (Math.abs(after - before) > accelerationTolerance(accelerationLimit, before, after)) {
      const value = after < before ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      jerk = greaterMagnitude(jerk, { value, time: curve.times[k] });
    }
  }
  return jerk;
}

/** True if the positions of a line or cubic piece are within an interval; false if that is not examined. */
function isWithin(curve: TrajectoryCurve, k: number, j: number, least: number, greatest: number): boolean {
  if (curve.kinds[k] === 'quintic') return false;
  const c = curve.polynomials;
  const at = curve.polynomialIndex(k, j);
  const count = cubicCandidates(candidates, c, at, POSITION, 0, curve.times[k + 1] - curve.times[k]);
  for (let i = 0; i < count; i++) {
    const x = positionAt(c, at, candidates[i]);
    if (!(x >= least && x <= greatest)) return false;
  }
  return true;
}

const candidates = new Float64Array(MAX_CUBIC_CANDIDATES);

/** Returns the extreme of greater magnitude of a known one and those of a derivative on a piece. */
function greaterOnPiece(known: Extreme, curve: TrajectoryCurve, k: number, j: number, order: number): Extreme {
  const T = curve.times[k + 1] - curve.times[k];
  // without allocation for most pieces, which do not exceed the known extreme
  const isExact = curve.kinds[k] !== 'quintic';
  if (isExact && maxMagnitude(curve.polynomials, curve.polynomialIndex(k, j), order, 0, T) <= Math.abs(known.value))
    return known;
  let greatest = known;
  for (const x of extremesWithin(curve, k, j, order))
    greatest = greaterMagnitude(greatest, outwards(x, curve, k, j, order));
  return greatest;
}

/** Returns the extreme of greater magnitude; NaN is kept. */
function greaterMagnitude(one: Extreme, other: Extreme): Extreme {
  return Math.abs(other.value) <= Math.abs(one.value) || Number.isNaN(one.value) ? one : other;
}

/** Returns the candidates for the extremes of a derivative of joint j on piece k. */
function extremesWithin(curve: TrajectoryCurve, k: number, j: number, order: number): Extreme[] {
  const at = curve.polynomialIndex(k, j);
  const T = curve.times[k + 1] - curve.times[k];
  const c = curve.polynomials;
  return extremeCandidates(c, at, order, 0, T).map((u) => ({
    value: derivativeAt(c, at, order, u),
    time: curve.times[k] + u,
  }));
}

/** Increases the magnitude of an extreme by its rounding error. */
function outwards(extreme: Extreme, curve: TrajectoryCurve, k: number, j: number, order: number): Extreme {
  const error = roundingError(curve, k, j, order);
  if (error === 0) return extreme;
  return { value: extreme.value < 0 ? extreme.value - error : extreme.value + error, time: extreme.time };
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
  let acceleration: Extreme = { value: 0, time: start };
  let jerk: Extreme = { value: 0, time: start };
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
    acceleration = greaterMagnitude(acceleration, { value: inwards(a, error), time: two.time });
    if (i > 1) {
      const whole = one.duration + two.duration + all[i - 2].duration;
      const value = inwards((3 * (a - earlier.a)) / whole, (3 * (error + earlier.error)) / whole);
      jerk = greaterMagnitude(jerk, { value, time: two.time });
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
