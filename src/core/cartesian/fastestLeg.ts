import { create } from '../math/transform.ts';
import { cubicExtremes } from '../trajectory/polynomial.ts';
import { cubeRoot } from '../trajectory/restToRest.ts';
import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { FastestTiming, fractionAt, type LimitShares, type PathGrid } from './fastestTiming.ts';
import { cubicPosition, type LegKnot } from './legKnot.ts';
import type { ToolTracker } from './toolTracker.ts';

/**
 * Number of intervals of the grid of the timing. The finer grid is for legs next to a singularity, where joint rates
 * change within a few intervals of the coarse one.
 */
const INTERVALS = [96, 256];
/** The finer grid is tried if the spline takes longer than the ideal motion by more than this factor. */
const SLOW = 1.04;
/** Rounds in which limits are tightened where the spline exceeds them. */
const ROUNDS = 5;
/** Relative: a spline whose required slowdown is smaller is not computed again. */
const CLOSE = 5e-3;

/**
 * The first control point that moves is sampled (1 + OFFSET) h after the start of the ideal motion, and lies 2 h after
 * that of the spline, h being the length of a piece: each end of the spline is longer by (1 − OFFSET) h. With 0.8, the
 * third differences of t³ at the control points are close to its third derivative.
 */
const OFFSET = 0.8;

/** Positions and velocities at equal intervals of time. */
interface Spline {
  readonly times: Float64Array;
  readonly positions: readonly Float64Array[];
  readonly velocities: readonly Float64Array[];
}

/** Maximum ratios of value and limit on each piece of a spline. */
type PieceRatios = { readonly [kind in keyof LimitShares]: Float64Array };

/**
 * Returns the time-optimal motion along a leg within limits of velocity, acceleration and jerk, from rest to rest with
 * zero acceleration at both ends: a cubic spline with continuous second derivative at equal intervals of time. Where
 * the jerk of the ideal motion changes, the spline exceeds it: limits are tightened there only, and the ideal motion is
 * computed again. The result may exceed its limits by a small factor: the caller scales its duration.
 * Undefined if the leg cannot be interpolated.
 * @param pathSpeed upper bound of ds/dt, 1/s
 * @param pieces number of pieces of the spline, at least 4
 */
export function fastestLeg(
  tracker: ToolTracker,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  limits: MotionLimits,
  pathSpeed: number,
  pieces: number,
): Trajectory | undefined {
  let best: ScaledSpline | undefined;
  for (const intervals of INTERVALS) {
    const found = fastestSpline(tracker, leg, knots, limits, pathSpeed, [intervals, pieces]);
    if (found && (best === undefined || found.duration < best.duration)) best = found;
    if (!best || best.duration <= SLOW * best.ideal) break;
  }
  return best && trajectoryOf(tracker, best.spline);
}

/** A spline with its duration within all limits, and that of the ideal motion, seconds. */
interface ScaledSpline {
  readonly spline: Spline;
  readonly duration: number;
  readonly ideal: number;
}

/** Computes the spline with the shortest duration within all limits, for one grid of the timing. */
function fastestSpline(
  tracker: ToolTracker,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  limits: MotionLimits,
  pathSpeed: number,
  [intervals, pieces]: readonly [intervals: number, pieces: number],
): ScaledSpline | undefined {
  const grid = Float64Array.from({ length: intervals + 5 }, (_, k) => fractionAt((k - 2) / intervals));
  const path = positionsAt(tracker, leg, knots, grid);
  if (!path) return undefined;
  const timing = new FastestTiming(differencesOf(path), limits, squaredRates(intervals, pathSpeed));
  const full = () => new Float64Array(intervals + 1).fill(1);
  const shares = { velocity: full(), acceleration: full(), jerk: full() };
  let best: ScaledSpline | undefined;
  let ideal: number | undefined;
  for (let round = 0; round < ROUNDS && timing.solve(shares); round++) {
    const reached = timesAt(timing.z);
    const end = reached[intervals];
    ideal ??= end;
    const h = end / (pieces - 2 + 2 * OFFSET);
    const at = Float64Array.from({ length: pieces - 3 }, (_, k) => (k + 1 + OFFSET) * h);
    const points = positionsAt(tracker, leg, knots, parametersAt(timing.z, reached, at).map(fractionAt));
    if (!points) break;
    const spline = splineOf(points, knots[0].q, knots[knots.length - 1].q, h);
    const ratios = ratiosOf(spline, limits);
    const slowdown = slowdownOf(ratios);
    const duration = spline.times[pieces] * slowdown;
    if (best === undefined || duration < best.duration) best = { spline, duration, ideal };
    if (slowdown <= 1 + CLOSE) break;
    tighten(shares, reached, spline.times, ratios);
  }
  return best;
}

/** Returns the configurations at fractions of a leg, in increasing order; undefined if a correction fails. */
function positionsAt(
  tracker: ToolTracker,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  fractions: Float64Array,
): Float64Array[] | undefined {
  const positions: Float64Array[] = [];
  const T = create();
  let piece = 0;
  for (const s of fractions) {
    if (s === 0 || s === 1) {
      positions.push(Float64Array.from(knots[s === 0 ? 0 : knots.length - 1].q));
      continue;
    }
    while (piece + 2 < knots.length && knots[piece + 1].s < s) piece++;
    const q = cubicPosition(knots[piece], knots[piece + 1], s);
    leg.poseAt(T, s);
    if (!tracker.correct(q, T)) return undefined;
    positions.push(q);
  }
  return positions;
}

/** Derivatives of a path by finite differences. @param path joint values, with two more beyond each end of the grid */
function differencesOf(path: readonly Float64Array[]): PathGrid {
  const intervals = path.length - 5;
  return {
    dof: path[0].length,
    setDerivatives(out, i, j) {
      const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((k) => path[i + k][j]);
      out[0] = ((a - e + 8 * (d - b)) / 12) * intervals;
      out[1] = ((16 * (b + d) - 30 * c - a - e) / 12) * intervals * intervals;
      out[2] = ((e - a + 2 * (b - d)) / 2) * intervals * intervals * intervals;
    },
  };
}

/** Returns the upper bounds of (du/dt)² at the grid points, for an upper bound of ds/dt with s = `fractionAt(u)`. */
function squaredRates(intervals: number, pathSpeed: number): Float64Array {
  return Float64Array.from({ length: intervals + 1 }, (_, i) => {
    const u = i / intervals;
    const slope = 30 * u * u * (1 - u) * (1 - u); // ds/du
    return slope > 0 ? (pathSpeed / slope) ** 2 : Number.POSITIVE_INFINITY;
  });
}

/** Returns the times at the grid points of u: the integral of z^(−½), by Simpson's rule. */
export function timesAt(z: Float64Array): Float64Array {
  const slowness = z.map((x) => 1 / Math.sqrt(x));
  const last = z.length - 1;
  const times = new Float64Array(z.length);
  for (let i = 0; i < last; i++) {
    const [a, b] = [slowness[i], slowness[i + 1]];
    const outer = slowness[Math.max(0, i - 1)] + slowness[Math.min(last, i + 2)];
    const middle = i === 0 || i === last - 1 ? 0.5 * (a + b) : (9 * (a + b) - outer) / 16;
    times[i + 1] = times[i] + (a + 4 * Math.max(middle, 0.5 * Math.min(a, b)) + b) / (6 * last);
  }
  return times;
}

/** Returns u at times, by cubic Hermite interpolation between the grid points. */
export function parametersAt(z: Float64Array, reached: Float64Array, times: Float64Array): Float64Array {
  const last = z.length - 1;
  let i = 0;
  return Float64Array.from(times, (t) => {
    while (i + 2 <= last && reached[i + 1] < t) i++;
    const h = reached[i + 1] - reached[i];
    const w = (t - reached[i]) / h;
    const v = 1 - w;
    const rates = v * Math.sqrt(z[i]) - w * Math.sqrt(z[i + 1]);
    const u = (i + w * w * (1 + 2 * v)) / last + h * w * v * rates;
    return Math.min(1, Math.max(0, u));
  });
}

/**
 * Returns the uniform cubic B-spline whose control points are the given ones, between those of rest: three times the
 * first and the last configuration. It does not interpolate them; its derivatives are differences of control points,
 * which do not exceed those of the ideal motion by more than their own error, while those of an interpolating spline
 * overshoot at each change of the jerk.
 */
function splineOf(points: readonly Float64Array[], first: Float64Array, last: Float64Array, h: number): Spline {
  const control = [first, first, first, ...points, last, last, last];
  const times = Float64Array.from({ length: points.length + 4 }, (_, k) => k * h);
  const positions = Array.from(times, (_, k) =>
    control[k].map((a, j) => (a + 4 * control[k + 1][j] + control[k + 2][j]) / 6),
  );
  const velocities = Array.from(times, (_, k) => control[k].map((a, j) => (control[k + 2][j] - a) / (2 * h)));
  positions[0] = first.slice();
  positions[positions.length - 1] = last.slice();
  return { times, positions, velocities };
}

/** Returns the maximum ratio of value and limit of each piece, over its joints. */
function ratiosOf({ times, positions, velocities }: Spline, limits: MotionLimits): PieceRatios {
  const pieces = times.length - 1;
  const none = () => new Float64Array(pieces);
  const ratios = { velocity: none(), acceleration: none(), jerk: none() };
  for (let k = 0; k < pieces; k++) {
    const T = times[k + 1] - times[k];
    for (let j = 0; j < positions[k].length; j++) {
      const [p0, p1] = [positions[k], positions[k + 1]];
      const extremes = cubicExtremes(p0[j], p1[j], velocities[k][j], velocities[k + 1][j], T);
      for (const kind of ['velocity', 'acceleration', 'jerk'] as const)
        ratios[kind][k] = Math.max(ratios[kind][k], extremes[kind] / limits[kind][j]);
    }
  }
  return ratios;
}

/** Returns the factor of the duration that keeps all limits. */
function slowdownOf({ velocity, acceleration, jerk }: PieceRatios): number {
  const most = (values: Float64Array) => values.reduce((one, other) => Math.max(one, other), 0);
  return Math.max(most(velocity), Math.sqrt(most(acceleration)), cubeRoot(most(jerk)));
}

/** Reduces the fractions of the limits that pieces exceed, at the adjacent grid points. */
function tighten(shares: LimitShares, reached: Float64Array, times: Float64Array, ratios: PieceRatios): void {
  const last = reached.length - 1;
  const pieces = times.length - 1;
  for (const kind of ['velocity', 'acceleration', 'jerk'] as const)
    for (let i = 0, first = 0; i <= last; i++) {
      const [from, to] = [reached[Math.max(0, i - 1)], reached[Math.min(last, i + 1)]];
      while (first + 1 < pieces && times[first + 1] < from) first++;
      let excess = 1;
      for (let k = first; k < pieces && times[k] <= to; k++) excess = Math.max(excess, ratios[kind][k]);
      shares[kind][i] /= excess;
    }
}

function trajectoryOf({ model }: ToolTracker, { times, positions, velocities }: Spline): Trajectory {
  const points = positions.map((q, k) => ({
    time_from_start: times[k],
    positions: Array.from(q),
    velocities: Array.from(velocities[k], (value) => value + 0),
  }));
  return { jointNames: model.variables.map(({ name }) => name), points, interpolation: 'cubic' };
}
