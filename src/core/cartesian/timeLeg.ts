import { pow } from '../math/trigonometry.ts';
import { cubicExtremes } from '../trajectory/polynomial.ts';
import { cubeRoot } from '../trajectory/restToRest.ts';
import type { MotionLimits, TrajectoryPoint } from '../trajectory/trajectory.ts';
import type { LegKnot } from './legKnot.ts';
import { fastestPathSpeeds } from './pathSpeeds.ts';

/** A point of a timed leg, with the fraction s of the leg that it is at. */
export interface TimedKnot {
  readonly s: number;
  readonly point: Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>;
}

/** Share of each limit that is used: the rest covers the difference between ideal path and cubics. */
const USED = 0.9999;
/** Attempts to slow down pieces that exceed a limit, before the whole leg is slowed down. */
const MAX_ROUNDS = 12;
/** Shares of limits are reduced by this factor beyond the ratio by which a piece exceeds its limit. */
const OVERSHOOT = 1.0005;
/** Durations of pieces, seconds: none is shorter than the first, and none need be longer than the second. */
const MIN_PIECE = 1e-4;
const LONG_PIECE = 1e-3;
/** Share of the acceleration limits by which rounding times to nanoseconds may change the acceleration of a piece. */
const ROUNDING_SHARE = 1e-3;
/** Largest change of the duration of a piece, seconds: both ends are rounded, again if a motion is slowed down. */
const ROUNDING = 2e-9;

/** Requirements on the motion along one piece of a path. */
export interface PieceRules {
  /** Scales of the joint limits, in (0, 1]. */
  readonly speed: number;
  readonly acceleration: number;
  /** Upper bound of ds/dt, 1/s. */
  readonly pathSpeed: number;
}

/**
 * Computes the fastest rest-to-rest motion along the knots whose Hermite cubics in time keep the joint limits of
 * velocity and acceleration at every instant. Times start at 0.
 * @param pathSpeed upper bound of ds/dt, 1/s
 */
export function timeLeg(knots: readonly LegKnot[], limits: MotionLimits, pathSpeed: number): TimedKnot[] {
  const rules = { speed: 1, acceleration: 1, pathSpeed };
  return timePieces(
    knots,
    limits,
    knots.slice(1).map(() => rules),
  );
}

/** Computes the motion as `timeLeg`, with rules of its own for each piece between two knots. */
export function timePieces(knots: readonly LegKnot[], limits: MotionLimits, rules: readonly PieceRules[]): TimedKnot[] {
  const pieces = knots.length - 1;
  const velocityShare = Float64Array.from(rules, ({ speed }) => USED * speed);
  const accelerationShare = Float64Array.from(rules, ({ acceleration }) => USED * acceleration);
  const given = {
    velocity: limits.velocity,
    acceleration: limits.acceleration,
    pathSpeed: Float64Array.from(rules, ({ pathSpeed, acceleration: scale }, k) =>
      Math.min(USED * pathSpeed, roundableSpeed(knots[k], knots[k + 1], limits, scale)),
    ),
  };
  for (let round = 0; ; round++) {
    const speeds = fastestPathSpeeds(knots, { ...given, velocityShare, accelerationShare });
    const durations = durationsOf(knots, speeds);
    const excess = pieceRatios(knots, speeds, durations, limits, rules);
    const worst = excess.reduce(
      (most, { velocity, acceleration }) => Math.max(most, velocity, Math.sqrt(acceleration)),
      0,
    );
    if (worst <= 1 || round === MAX_ROUNDS) return timedKnots(knots, speeds, durations, Math.max(1, worst));
    const used = accelerationShare.slice(); // of this round: excesses of consecutive pieces are not multiplied
    for (const [k, { velocity, acceleration }] of excess.entries()) {
      // A limit violated in one piece is caused by the speeds at its ends, which neighbours share.
      for (const near of [k - 1, k, k + 1]) {
        if (near < 0 || near >= pieces) continue;
        if (velocity > 1)
          velocityShare[near] = Math.min(
            velocityShare[near],
            (USED * rules[near].speed) / pow(velocity * OVERSHOOT, round + 1),
          );
        if (acceleration > 1)
          accelerationShare[near] = Math.min(
            accelerationShare[near],
            (used[k] / rules[k].acceleration / (acceleration * OVERSHOOT)) * rules[near].acceleration,
          );
      }
    }
  }
}

/**
 * Upper bound of ds/dt on a piece, 1/s, at which rounding its ends to nanoseconds changes the accelerations of its
 * cubics little: the change is 6 v δ / T² with v = |q'| ds/dt and T = Δs / (ds/dt), if its duration changes by δ.
 */
function roundableSpeed(from: LegKnot, to: LegKnot, { acceleration }: MotionLimits, scale: number): number {
  const h = to.s - from.s;
  let slope = 0;
  for (const { dq } of [from, to])
    for (const [j, rate] of dq.entries()) slope = Math.max(slope, Math.abs(rate) / (scale * acceleration[j]));
  const bound = slope > 0 ? cubeRoot((h * h * ROUNDING_SHARE) / (6 * ROUNDING * slope)) : Number.POSITIVE_INFINITY;
  return Math.min(h / MIN_PIECE, Math.max(h / LONG_PIECE, bound));
}

function durationsOf(knots: readonly LegKnot[], speeds: Float64Array): Float64Array {
  return Float64Array.from({ length: knots.length - 1 }, (_, k) =>
    Math.max(MIN_PIECE, (2 * (knots[k + 1].s - knots[k].s)) / (speeds[k] + speeds[k + 1])),
  );
}

/** Returns the maximum ratio of value and limit of each piece, over its joints. */
function pieceRatios(
  knots: readonly LegKnot[],
  speeds: Float64Array,
  durations: Float64Array,
  limits: MotionLimits,
  rules: readonly PieceRules[],
): { velocity: number; acceleration: number }[] {
  return Array.from(durations, (T, k) => {
    const from = knots[k];
    const to = knots[k + 1];
    const ratio = { velocity: 0, acceleration: 0 };
    for (let j = 0; j < from.q.length; j++) {
      const [v, w] = [speeds[k] * from.dq[j], speeds[k + 1] * to.dq[j]];
      const { velocity, acceleration } = cubicExtremes(from.q[j], to.q[j], v, w, T);
      ratio.velocity = Math.max(ratio.velocity, velocity / (rules[k].speed * limits.velocity[j]));
      ratio.acceleration = Math.max(
        ratio.acceleration,
        acceleration / (rules[k].acceleration * limits.acceleration[j]),
      );
    }
    return ratio;
  });
}

/** Returns the points, slowed down by a factor. */
function timedKnots(
  knots: readonly LegKnot[],
  speeds: Float64Array,
  durations: Float64Array,
  slowdown: number,
): TimedKnot[] {
  let time = 0;
  return knots.map(({ s, q, dq }, k) => {
    if (k > 0) time += durations[k - 1] * slowdown;
    return {
      s,
      point: {
        time_from_start: time,
        positions: Array.from(q),
        velocities: Array.from(dq, (rate) => (rate * speeds[k]) / slowdown + 0),
      },
    };
  });
}
