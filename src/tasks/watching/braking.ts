import type { Configuration } from '../../core/math/configuration.ts';
import type { MotionLimits, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { accelerationTolerance } from '../../core/trajectory/velocityJumps.ts';

/** Fraction of each limit that is used, so that rounding does not exceed it. */
const USED = 0.999;

/** A motion that stops the robot. */
export interface Braking {
  /** Points from time 0, at the given state, to rest; a single one if the robot is at rest already. */
  readonly points: readonly Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>[];
  /** Seconds. */
  readonly duration: number;
  /** State at rest. */
  readonly end: readonly number[];
}

/**
 * Stops the robot along a straight line in joint space: all velocities decrease in proportion, as fast as the limits of
 * acceleration and jerk allow. Three phases, each exactly a cubic: the deceleration grows, is constant, and falls.
 * Before them, the accelerations of joints with jerk limits fall to 0, so that they do not jump at time 0.
 * @param q configuration and its velocity v at time 0
 * @param a acceleration before time 0; default 0
 */
export function brakingMotion(
  q: Configuration,
  v: Configuration,
  limits: MotionLimits,
  a: Configuration = new Float64Array(q.length),
): Braking {
  const { duration, q: qReleased, v: vReleased } = released(q, v, limits, a);
  const stop = stopAlongLine(qReleased, vReleased, limits);
  if (duration === 0) return stop;
  const first = { time_from_start: 0, positions: Array.from(q), velocities: Array.from(v) };
  const later = stop.points.map((point) => ({ ...point, time_from_start: duration + point.time_from_start }));
  return { ...stop, points: [first, ...later], duration: duration + stop.duration };
}

/**
 * Returns the state after the phase in which the accelerations of joints with jerk limits fall to 0, and its duration:
 * with T the duration,  q̈(t) = a (1 − t/T),  and the acceleration of the other joints is 0 throughout.
 */
function released(q: Configuration, v: Configuration, limits: MotionLimits, a: Configuration) {
  const own = a.map((value, i) => {
    const jumps = Math.abs(value) > 0.5 * accelerationTolerance(limits.acceleration[i], value, 0);
    return jumps && limits.jerk[i] < Number.POSITIVE_INFINITY ? value : 0;
  });
  // at the full limit: longer phases would exceed the velocity limit where the motion comes close to it
  const least = own.reduce((most, value, i) => Math.max(most, Math.abs(value) / limits.jerk[i]), 0);
  const duration = least > 0 ? Math.max(least, MIN_PHASE) : 0;
  return {
    duration,
    q: q.map((value, i) => value + duration * (v[i] + (duration * own[i]) / 3)),
    v: v.map((value, i) => value + (duration * own[i]) / 2),
  };
}

/** The phases of the straight line. */
function stopAlongLine(q: Configuration, v: Configuration, limits: MotionLimits): Braking {
  const rest = new Array<number>(q.length).fill(0);
  // The rate r of all velocities falls from 1 to 0:  q̇ = r v,  |r'| <= a / |v|,  |r''| <= j / |v| for each joint.
  let most = Number.POSITIVE_INFINITY;
  let jerk = Number.POSITIVE_INFINITY;
  for (let i = 0; i < q.length; i++) {
    const speed = Math.abs(v[i]);
    if (speed === 0) continue;
    most = Math.min(most, (USED * limits.acceleration[i]) / speed);
    jerk = Math.min(jerk, (USED * limits.jerk[i]) / speed);
  }
  const isAtRest = q.every((_, i) => v[i] === 0);
  const first = { time_from_start: 0, positions: Array.from(q), velocities: isAtRest ? rest : Array.from(v) };
  if (isAtRest) return { points: [first], duration: 0, end: Array.from(q) };
  const { peak, ramp, hold } = phasesOf(most, jerk);
  const points: Braking['points'][number][] = [first];
  let [time, s, r] = [0, 0, 1];
  const proceed = (duration: number, distance: number, rate: number) => {
    if (!(duration > 0)) return;
    time += duration;
    s += distance;
    r = rate;
    const positions = Array.from(q, (value, i) => value + s * v[i]);
    points.push({ time_from_start: time, positions, velocities: Array.from(v, (value) => r * value) });
  };
  // s is the integral of r over each phase.
  const afterRamp = 1 - 0.5 * peak * ramp;
  const afterHold = afterRamp - peak * hold;
  proceed(ramp, ramp - (peak * ramp * ramp) / 6, afterRamp);
  proceed(hold, 0.5 * (afterRamp + afterHold) * hold, afterHold);
  proceed(ramp, (afterHold * ramp) / 3, 0);
  const last = points[points.length - 1];
  points[points.length - 1] = { ...last, velocities: rest };
  return { points, duration: time, end: last.positions };
}

/**
 * Minimum duration of a phase, seconds: of shorter ones, rounding errors of the positions would exceed the limits.
 */
const MIN_PHASE = 1e-3;

/**
 * Returns the phases in which the rate falls from 1 to 0: its decrease per second grows to `peak` within `ramp`, is
 * constant for `hold`, and ends within `ramp`, so that peak · (ramp + hold) = 1.
 */
function phasesOf(most: number, jerk: number): { peak: number; ramp: number; hold: number } {
  if (jerk === Number.POSITIVE_INFINITY) {
    const peak = Math.min(most, 1 / MIN_PHASE);
    return { peak, ramp: 0, hold: 1 / peak };
  }
  const limit = Math.min(most, Math.sqrt(jerk));
  const ramp = Math.max(limit / jerk, MIN_PHASE);
  const peak = Math.min(limit, 1 / ramp);
  const hold = 1 / peak - ramp;
  return hold < MIN_PHASE ? { peak, ramp: 1 / peak, hold: 0 } : { peak, ramp, hold };
}
