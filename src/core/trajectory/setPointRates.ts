import { type Extreme, greaterMagnitude } from './jointExtremes.ts';
import type { Trajectory } from './trajectory.ts';

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
