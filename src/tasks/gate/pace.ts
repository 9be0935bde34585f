import { accelerationAt, velocityAt } from '../../core/trajectory/polynomial.ts';
import type { MotionLimits } from '../../core/trajectory/trajectory.ts';
import { type CubicCurve, type Knot, MIN_PIECE } from './cubicCurve.ts';

/** Part of a path that is followed at a pace that changes linearly with time; path time per second. */
export interface Phase {
  /** Times of the path. */
  readonly from: number;
  readonly to: number;
  /** Pace at both ends, at most one of which is 0. */
  readonly pace: readonly [number, number];
}

/** Points within a phase whose pace changes. */
const RAMP_POINTS = 8;
/** Seconds: points of a ramp that are nearer to a point of the path are left out. */
const NEAR_POINT = 2e-3;
/** Share of the limits of acceleration that ramps use: cubics between their points differ from the exact motion. */
const USED = 0.95;
/** Greatest change of the pace per second. */
const MAX_RATE = 200;

/**
 * Returns the points of a motion along a path, from the first phase on, which begins at the time of the path. Where the
 * pace is constant, they are exactly on the path; else nearly, and must be judged as they are.
 */
export function followed(path: CubicCurve, phases: readonly Phase[]): Knot[] {
  let time = phases[0].from;
  const knots: Knot[] = [];
  const add = (t: number, s: number, pace: number) => {
    const { q, v } = path.at(s);
    const velocities = Array.from(v, (value) => (pace === 0 ? 0 : value * pace));
    knots.push({ time_from_start: t, positions: Array.from(q), velocities });
  };
  add(time, phases[0].from, phases[0].pace[0]);
  for (const { from, to, pace } of phases) {
    if (!(to > from)) continue;
    if (time === from && pace[0] === 1 && pace[1] === 1) {
      // the points themselves: what was proved of the pieces between them stays proved
      knots.push(...path.knots.filter(({ time_from_start: t }) => t > from + MIN_PIECE && t < to - MIN_PIECE));
      time = to;
      add(time, to, 1);
      continue;
    }
    const duration = (2 * (to - from)) / (pace[0] + pace[1]);
    const rate = (pace[1] - pace[0]) / duration;
    for (const tau of instants(path, { from, to, pace }, duration, rate)) {
      add(time + tau, from + tau * (pace[0] + 0.5 * rate * tau), pace[0] + rate * tau);
    }
    time += duration;
    add(time, to, pace[1]);
  }
  return knots;
}

/** Returns the times within a phase at which it has points: those of the path, and some of a ramp between them. */
function instants(path: CubicCurve, { from, to, pace }: Phase, duration: number, rate: number): number[] {
  const own = path.knots.flatMap(({ time_from_start: s }) => {
    if (!(s > from && s < to)) return [];
    const tau = (2 * (s - from)) / (pace[0] + Math.sqrt(Math.max(0, pace[0] * pace[0] + 2 * rate * (s - from))));
    return tau > MIN_PIECE && tau < duration - MIN_PIECE ? [tau] : [];
  });
  if (rate === 0) return own;
  const ramp = Array.from({ length: RAMP_POINTS - 1 }, (_, i) => ((i + 1) / RAMP_POINTS) * duration);
  const between = ramp.filter((tau) => own.every((other) => Math.abs(tau - other) > NEAR_POINT));
  return [...own, ...between].sort((a, b) => a - b);
}

/**
 * Estimates the greatest decrease of the pace r per second on a part of a path: with q(s), s' = r, the acceleration is
 * q″ r² + q′ r′.
 */
export function maxDecrease(path: CubicCurve, from: number, to: number, limits: MotionLimits, pace = 1): number {
  const { curve } = path;
  let most = MAX_RATE;
  for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
    const u0 = Math.max(0, from - curve.times[k]);
    const u1 = Math.max(u0, Math.min(to, curve.times[k + 1]) - curve.times[k]);
    for (const u of [u0, 0.5 * (u0 + u1), u1])
      for (let j = 0; j < curve.dof; j++) {
        const at = curve.polynomialIndex(k, j);
        const speed = velocityAt(curve.polynomials, at, u);
        if (speed === 0) continue;
        const along = accelerationAt(curve.polynomials, at, u) * (speed < 0 ? -1 : 1);
        const left = USED * limits.acceleration[j] + Math.min(0, along) * pace * pace;
        most = Math.min(most, left / Math.abs(speed));
      }
  }
  return Math.max(0, most);
}
