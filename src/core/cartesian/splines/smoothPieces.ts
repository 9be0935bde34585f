import type { MotionLimits, TrajectoryPoint } from '../../trajectory/trajectory.ts';
import { parametersAt, timesAt } from '../fastestLeg.ts';
import { FastestTiming } from '../fastestTiming.ts';
import type { LegKnot } from '../legKnot.ts';
import { AveragedFraction } from '../smoothLeg.ts';
import { timePieces } from '../timeLeg.ts';
import type { ToolTracker } from '../toolTracker.ts';
import { PathSpline, type RuledPath, type SmoothRules } from './pathSpline.ts';
import { optimizeSpline } from './splineOptimum.ts';

/** A motion along knots with continuous accelerations. */
export interface SmoothMotion {
  /** Points at intervals of whole nanoseconds, from 0. */
  readonly points: readonly Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>[];
  /** Time at which each knot is reached, seconds. */
  readonly times: Float64Array;
}

/** How a spline approximates its path. */
export interface SplineRules {
  /** Time between its points, seconds, about. */
  readonly interval: number;
  /** Deviation of the tool that it may have, above 0. */
  readonly near: { readonly position: number; readonly angle: number };
  /** For each piece, how many times the motion deviated there: the deviation is halved as often; default: 0. */
  readonly halvings?: Uint8Array;
}

/**
 * Relative gaps between the duration of the timing and its local minimum, in the rounds in which the timing of the
 * spline, and the spline in that timing, are computed.
 */
const GAPS = [0.05, 0.02, 5e-3];
/** Gap from which the barriers of a round begin. */
const FIRST_GAP = 0.3;
/** Range of the control points of the first spline, in pieces. */
const FIRST_RANGE = 0.5;
/** Halvings of the deviation of a piece beyond which the interval between all points is halved. */
const MAX_HALVINGS = 2;
/** Relative: a motion is this much slower than its limits allow, so that rounded times keep them. */
const MARGIN = 2e-5;
/** Nanoseconds per second: the resolution of times in files. */
const TICKS = 1e9;
/** Limits of the pieces of a spline. */
const MIN_PIECES = 8;
const MAX_PIECES = 100_000;

/**
 * Computes a motion from rest to rest along knots whose accelerations are continuous and zero at both ends, within the
 * limits of each piece, for robots with jerk limits: a cubic spline in time along the path, first in the fastest timing
 * without these, is sampled again in the fastest timing along it; then its duration is minimized by moving its control
 * points. The spline rounds the path: the caller must validate the motion.
 */
export function smoothPieces(
  tracker: ToolTracker,
  knots: readonly LegKnot[],
  limits: MotionLimits,
  rules: readonly SmoothRules[],
  { interval, near, halvings }: SplineRules,
): SmoothMotion | undefined {
  const most = halvings?.reduce((one, other) => Math.max(one, other), 0) ?? 0;
  const step = interval / 2 ** Math.max(0, most - MAX_HALVINGS);
  const shares = Float64Array.from(rules, (_, k) => 1 / 2 ** (halvings?.[k] ?? 0));
  const nearAt = (k: number) => ({ position: shares[k] * near.position, angle: shares[k] * near.angle });
  const path: RuledPath = { tracker, knots, limits, rules, near: nearAt };
  let spline = firstSpline(path, step);
  for (const gap of GAPS) spline = spline && faster(path, spline, step, gap);
  if (!spline) return undefined;
  return motionOf(spline, optimizeSpline(spline), knots);
}

/** Returns the spline in the fastest timing without limits of jerk, averaged over a window. */
function firstSpline(path: RuledPath, interval: number): PathSpline | undefined {
  const { knots, limits, rules } = path;
  const buildUp = Math.max(
    ...Array.from(limits.jerk, (jerk, j) => (jerk < Number.POSITIVE_INFINITY ? limits.acceleration[j] / jerk : 0)),
  );
  const times = Float64Array.from(timePieces(knots, limits, rules), ({ point }) => point.time_from_start);
  const duration = times[times.length - 1] + buildUp;
  if (!(buildUp > 0 && duration < Number.POSITIVE_INFINITY)) return undefined;
  const total = knots[knots.length - 1].s;
  const scaled = knots.map(({ s, q, dq }) => ({ s: s / total, q, dq }));
  const average = new AveragedFraction(scaled, times, buildUp);
  return splineThrough(path, duration, interval, (times) => ({
    marks: times.map((time) => total * average.at(time)),
    ranges: times.map(() => FIRST_RANGE),
  }));
}

/** Returns the spline in the fastest timing along another one; undefined if it has too many points. */
function faster(path: RuledPath, spline: PathSpline, interval: number, gap: number): PathSpline | undefined {
  const timing = new FastestTiming(spline, path.limits, spline.squaredRates());
  const { z } = timing;
  z.fill(1 / (spline.duration * spline.duration));
  const full = z.map(() => 1);
  const shares = { velocity: full, acceleration: spline.leastAt(({ acceleration }) => acceleration), jerk: full };
  if (!timing.solve(shares, gap, FIRST_GAP)) return undefined;
  const reached = timesAt(z);
  const ranges = spline.fittingRanges();
  return splineThrough(path, reached[spline.pieces], interval, (times) => {
    const from = parametersAt(z, reached, times).map((u) => u * spline.pieces);
    return {
      marks: from.map((u) => spline.markAt(u)),
      ranges: from.map((u) => Math.min(ranges[Math.floor(u) + 1], ranges[Math.ceil(u) + 1])),
    };
  });
}

/**
 * Returns the spline whose parameter of the path has given values at its points, up to fourth order; undefined if it
 * has too many points.
 * @param at values at equal intervals of time, and the ranges of control points there
 */
function splineThrough(
  path: RuledPath,
  duration: number,
  interval: number,
  at: (times: Float64Array) => { readonly marks: Float64Array; readonly ranges: Float64Array },
): PathSpline | undefined {
  const pieces = Math.max(MIN_PIECES, Math.ceil(duration / interval));
  if (!(pieces <= MAX_PIECES)) return undefined;
  const total = path.knots[path.knots.length - 1].s;
  const given = at(Float64Array.from({ length: pieces + 1 }, (_, i) => (i / pieces) * duration));
  const [marks, ranges] = [new Float64Array(pieces + 3), new Float64Array(pieces + 3)];
  for (let i = 2; i <= pieces - 2; i++) {
    const [before, here, after] = given.marks.subarray(i - 1, i + 2);
    const exact = here - (before - 2 * here + after) / 6;
    marks[i + 1] = Math.max(marks[i], Math.min(total, exact));
    ranges[i + 1] = given.ranges[i];
  }
  marks.fill(total, pieces);
  return new PathSpline(path, marks, ranges, duration);
}

/** Returns the motion along a spline that is slowed down by a factor. */
function motionOf(spline: PathSpline, slowdown: number, knots: readonly LegKnot[]): SmoothMotion {
  const { pieces, dof, duration } = spline;
  const tick = Math.ceil((duration / pieces) * slowdown * (1 + MARGIN) * TICKS);
  const row = (value: (j: number) => number) => Array.from({ length: dof }, (_, j) => value(j) + 0);
  const points = Array.from({ length: pieces + 1 }, (_, i) => ({
    time_from_start: (i * tick) / TICKS,
    positions: row((j) => spline.position(i, j)),
    velocities: row((j) => spline.rate(i, j) / (tick / TICKS)),
  }));
  let i = 0;
  // the time at which each knot is reached, by linear interpolation between the points
  const times = Float64Array.from(knots, ({ s }) => {
    while (i + 1 < pieces && spline.markAt(i + 1) < s) i++;
    const [from, to] = [spline.markAt(i), spline.markAt(i + 1)];
    const share = to > from ? Math.min(1, Math.max(0, (s - from) / (to - from))) : 0;
    return (i + share) * (tick / TICKS);
  });
  return { points, times };
}
