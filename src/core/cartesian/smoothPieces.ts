import { pow } from '../math/trigonometry.ts';
import { cubicExtremes } from '../trajectory/polynomial.ts';
import { cubeRoot } from '../trajectory/restToRest.ts';
import type { MotionLimits, TrajectoryPoint } from '../trajectory/trajectory.ts';
import { cubicPosition, type LegKnot } from './legKnot.ts';
import { restSpline } from './restSpline.ts';
import { AveragedFraction } from './smoothLeg.ts';
import { type PieceRules, timePieces } from './timeLeg.ts';
import type { ToolTracker } from './toolTracker.ts';

/** A motion along knots with continuous accelerations. */
export interface SmoothMotion {
  /** Points at equal intervals of time, whole nanoseconds, from 0. */
  readonly points: readonly Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>[];
  /** Time at which each knot is reached, seconds. */
  readonly times: Float64Array;
}

/** Requirements on the motion along one piece of a path, with the limit of the TCP speed. */
export interface SmoothRules extends PieceRules {
  /** m/s; Infinity: none. */
  readonly tcpSpeed: number;
}

/** Windows of the moving average, as multiples of the time that the largest acceleration takes to build up. */
const WINDOWS = [0.6, 1, 1.6, 2.5];
/** Rounds in which pieces that exceed limits are slowed down. */
const ROUNDS = 8;
/** Pieces are slowed down by this power of their excess, since their neighbours are slowed down as well. */
const DAMPING = 0.7;
/** Relative: a motion is this much slower than its limits allow, so that rounded times keep them. */
const MARGIN = 2e-5;
/** Nanoseconds per second: the resolution of times in files. */
const TICKS = 1e9;

/**
 * Computes a motion from rest to rest along knots whose accelerations are continuous and zero at both ends, within the
 * limits of each piece, for robots with jerk limits: the fastest timing without these is averaged over a window of
 * time, sampled at equal intervals and interpolated by a cubic spline with continuous second derivative. Pieces on
 * which the spline exceeds a limit are slowed down. The spline passes through the path at its points only: the
 * caller must validate the motion between them.
 * @param interval between the points, seconds, about
 */
export function smoothPieces(
  tracker: ToolTracker,
  knots: readonly LegKnot[],
  limits: MotionLimits,
  rules: readonly SmoothRules[],
  interval: number,
): SmoothMotion | undefined {
  const buildUp = Math.max(
    ...Array.from(limits.jerk, (jerk, j) => (jerk < Number.POSITIVE_INFINITY ? limits.acceleration[j] / jerk : 0)),
  );
  if (!(buildUp > 0 && buildUp < Number.POSITIVE_INFINITY)) return undefined;
  let best: SmoothMotion | undefined;
  for (const factor of WINDOWS) {
    const share = new Float64Array(rules.length).fill(1);
    for (let round = 0; round < ROUNDS; round++) {
      const made = new Sampling(tracker, knots, limits, rules, share).motion(factor * buildUp, interval);
      if (!made) break;
      if (!(durationOf(made.motion) >= durationOf(best))) best = made.motion;
      if (made.worst <= 1) break;
      for (const [k, tooFast] of made.excess.entries()) if (tooFast > 1) share[k] /= pow(tooFast, DAMPING);
    }
  }
  return best;
}

const durationOf = (motion: SmoothMotion | undefined) =>
  motion?.points[motion.points.length - 1].time_from_start ?? Number.POSITIVE_INFINITY;

/** One timing of the knots, with a share of the limits of each piece. */
class Sampling {
  private readonly total: number;
  /** Knots with s from 0 to 1. */
  private readonly unit: readonly LegKnot[];
  private readonly times: Float64Array;

  constructor(
    private readonly tracker: ToolTracker,
    knots: readonly LegKnot[],
    private readonly limits: MotionLimits,
    private readonly rules: readonly SmoothRules[],
    share: Float64Array,
  ) {
    this.total = knots[knots.length - 1].s;
    this.unit = knots.map(({ s, q, dq }) => ({ s: s / this.total, q, dq: dq.map((rate) => rate * this.total) }));
    const slower = rules.map(({ speed, acceleration, pathSpeed }, k) => ({
      speed: share[k] * speed,
      acceleration: share[k] * share[k] * acceleration,
      pathSpeed: (share[k] * pathSpeed) / this.total,
    }));
    this.times = Float64Array.from(timePieces(this.unit, limits, slower), ({ point }) => point.time_from_start);
  }

  /**
   * Returns the motion averaged over a window, slowed down as a whole such that it keeps its limits, and by which
   * factor each piece was too fast before.
   */
  motion(window: number, interval: number): { motion: SmoothMotion; excess: Float64Array; worst: number } | undefined {
    const { unit, times } = this;
    const end = times[times.length - 1] + window;
    const pieces = Math.max(8, Math.ceil(end / interval));
    if (!(end < Number.POSITIVE_INFINITY) || pieces > MAX_PIECES) return undefined;
    const average = new AveragedFraction(unit, times, window);
    const at = Float64Array.from({ length: pieces + 1 }, (_, k) => (k / pieces) * end);
    const fractions = Float64Array.from(at, (t, k) => (k === 0 ? 0 : k === pieces ? 1 : average.at(t)));
    const positions = this.positionsAt(fractions);
    const velocities = restSpline(at, positions);
    const { excess, worst } = this.excessOf(at, fractions, positions, velocities, window);
    const ticks = Math.ceil((end / pieces) * Math.max(worst, MIN_FACTOR) * (1 + MARGIN) * TICKS);
    const slowdown = (ticks * pieces) / TICKS / end;
    const points = positions.map((q, k) => ({
      time_from_start: (k * ticks) / TICKS,
      positions: Array.from(q),
      velocities: Array.from(velocities[k], (rate) => rate / slowdown + 0),
    }));
    return { motion: { points, times: this.reached(fractions, ticks / TICKS) }, excess, worst };
  }

  private positionsAt(fractions: Float64Array): Float64Array[] {
    const { unit } = this;
    let piece = 0;
    return Array.from(fractions, (s, k) => {
      if (k === fractions.length - 1) return Float64Array.from(unit[unit.length - 1].q);
      while (piece + 2 < unit.length && unit[piece + 1].s < s) piece++;
      return cubicPosition(unit[piece], unit[piece + 1], s);
    });
  }

  /** Returns by which factor each piece of the path is too fast, and the largest one. */
  private excessOf(
    at: Float64Array,
    fractions: Float64Array,
    positions: readonly Float64Array[],
    velocities: readonly Float64Array[],
    window: number,
  ): { excess: Float64Array; worst: number } {
    const { unit, times, rules } = this;
    const excess = new Float64Array(rules.length);
    let worst = 0;
    let [piece, within] = [0, 0];
    for (let k = 0; k + 1 < at.length; k++) {
      const first = piece;
      while (piece + 1 < rules.length && unit[piece + 1].s < fractions[k + 1]) piece++;
      let factor = 0;
      for (let i = first; i <= piece; i++)
        factor = Math.max(factor, this.factorOf(rules[i], at[k + 1] - at[k], [positions, velocities], k));
      worst = Math.max(worst, factor);
      // the average at a time is over the window before it
      while (times[within + 1] < at[k] - window) within++;
      for (let i = within; i < rules.length && times[i] <= at[k + 1]; i++) excess[i] = Math.max(excess[i], factor);
    }
    return { excess, worst };
  }

  /** Returns by which factor a piece of the spline has to be slower to keep the limits of a piece of the path. */
  private factorOf(
    { speed, acceleration, tcpSpeed }: SmoothRules,
    T: number,
    [positions, velocities]: readonly [readonly Float64Array[], readonly Float64Array[]],
    k: number,
  ): number {
    const { limits } = this;
    let factor = 0;
    for (let j = 0; j < limits.velocity.length; j++) {
      const extremes = cubicExtremes(positions[k][j], positions[k + 1][j], velocities[k][j], velocities[k + 1][j], T);
      factor = Math.max(
        factor,
        extremes.velocity / (speed * limits.velocity[j]),
        Math.sqrt(extremes.acceleration / (acceleration * limits.acceleration[j])),
        cubeRoot(extremes.jerk / limits.jerk[j]),
      );
    }
    if (!(tcpSpeed < Number.POSITIVE_INFINITY)) return factor;
    const fastest = Math.max(
      this.toolSpeed(positions[k], velocities[k]),
      this.toolSpeed(positions[k + 1], velocities[k + 1]),
    );
    return Math.max(factor, fastest / tcpSpeed);
  }

  private toolSpeed(q: Float64Array, rates: Float64Array): number {
    const twist = new Float64Array(6);
    this.tracker.twist(twist, q, rates);
    return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  }

  /** Returns the time at which each knot is reached, by linear interpolation between the points. */
  private reached(fractions: Float64Array, interval: number): Float64Array {
    let k = 0;
    return Float64Array.from(this.unit, ({ s }) => {
      while (k + 2 < fractions.length && fractions[k + 1] < s) k++;
      const step = fractions[k + 1] - fractions[k];
      return (k + (step > 0 ? Math.min(1, Math.max(0, (s - fractions[k]) / step)) : 0)) * interval;
    });
  }
}

/** Limit of the pieces of a spline. */
const MAX_PIECES = 100_000;
/** A motion that is slower than its limits is made faster by at most this factor. */
const MIN_FACTOR = 0.5;
