import { type Extreme, greaterOf } from './jointExtremes.ts';
import type { Trajectory } from './trajectory.ts';

/** Seconds: set points farther apart than this are no stream, but straight lines with corners. The slowest control loops run at 125 Hz. */
export const LONGEST_SET_POINT = 0.008;
/** rad: scripts are written with twelve decimals. */
const DECIMALS = 0.5e-12;

/** Rates of a joint of greatest magnitude, signed. */
export interface SetPointRates {
  readonly acceleration: Extreme;
  readonly jerk: Extreme;
}

/**
 * Acceleration and jerk of joint j as the difference quotients of its set points, from rest to rest. By the mean value theorem they are values
 * that the derivatives of any smooth curve through the points take, so they exceed no bound of such a curve:
 *   vᵢ = Δxᵢ/Δtᵢ   aᵢ = 2 (vᵢ − vᵢ₋₁)/(Δtᵢ + Δtᵢ₋₁)   jᵢ = 3 (aᵢ − aᵢ₋₁)/(Δtᵢ + Δtᵢ₋₁ + Δtᵢ₋₂)
 * less what the decimals of the points may add to them.
 */
export function setPointRates({ points }: Trajectory, j: number): SetPointRates {
  const start = points[0].time_from_start!;
  let acceleration: Extreme = { value: 0, time: start };
  let jerk: Extreme = { value: 0, time: start };
  if (points.length < 2) return { acceleration, jerk };
  const steps = points.slice(1).map((point, i) => ({
    time: points[i].time_from_start!,
    duration: point.time_from_start! - points[i].time_from_start!,
    way: point.positions[j] - points[i].positions[j],
  }));
  const [first, last] = [steps[0], steps[steps.length - 1]];
  const rest = (time: number, duration: number) => ({ time, duration, way: 0 });
  const end = points[points.length - 1].time_from_start!;
  const before = [rest(start, first.duration), rest(start, first.duration)];
  const all = [...before, ...steps, rest(end, last.duration), rest(end, last.duration)];
  let earlier = 0;
  for (let i = 1; i < all.length; i++) {
    const [one, two] = [all[i - 1], all[i]];
    const span = one.duration + two.duration;
    const a = (2 * (two.way / two.duration - one.way / one.duration)) / span;
    const shortest = Math.min(one.duration, two.duration);
    acceleration = greaterOf(acceleration, {
      value: inwards(a, (4 * DECIMALS) / (shortest * shortest)),
      time: two.time,
    });
    if (i > 1) {
      const whole = span + all[i - 2].duration;
      const least = Math.min(shortest, all[i - 2].duration);
      const change = (3 * (a - earlier)) / whole;
      jerk = greaterOf(jerk, { value: inwards(change, (8 * DECIMALS) / (least * least * least)), time: two.time });
    }
    earlier = a;
  }
  return { acceleration, jerk };
}

/** The value nearest to 0 within the error. */
function inwards(value: number, error: number): number {
  return Math.abs(value) <= error ? 0 : value - Math.sign(value) * error;
}
