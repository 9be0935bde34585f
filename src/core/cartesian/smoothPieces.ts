import { pow } from '../math/trigonometry.ts';
import { cubicExtremes } from '../trajectory/polynomial.ts';
import { cubeRoot } from '../trajectory/restToRest.ts';
import type { MotionLimits, TrajectoryPoint } from '../trajectory/trajectory.ts';
import { type LegKnot, setCubicPosition } from './legKnot.ts';
import { restSpline } from './restSpline.ts';
import { AveragedFraction } from './smoothLeg.ts';
import { type PieceRules, timePieces } from './timeLeg.ts';
import type { ToolTracker } from './toolTracker.ts';

/** A motion along knots with continuous accelerations. */
export interface SmoothMotion {
  /** Points at intervals of whole nanoseconds, from 0. */
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
 * time, sampled and interpolated by a cubic spline with continuous second derivative. Pieces on which the spline
 * exceeds a limit are slowed down. The spline passes through the path at its points only: the caller must validate the
 * motion between them.
 * @param interval between the points, seconds, about
 * @param halvings number of halvings of the interval in each piece; default: 0
 */
export function smoothPieces(
  tracker: ToolTracker,
  knots: readonly LegKnot[],
  limits: MotionLimits,
  rules: readonly SmoothRules[],
  interval: number,
  halvings?: Uint8Array,
): SmoothMotion | undefined {
  const buildUp = Math.max(
    ...Array.from(limits.jerk, (jerk, j) => (jerk < Number.POSITIVE_INFINITY ? limits.acceleration[j] / jerk : 0)),
  );
  if (!(buildUp > 0 && buildUp < Number.POSITIVE_INFINITY)) return undefined;
  let best: Spline | undefined;
  for (const factor of WINDOWS) {
    const share = new Float64Array(rules.length).fill(1);
    for (let round = 0; round < ROUNDS; round++) {
      const timing = new Sampling(tracker, knots, limits, rules, share);
      const made = timing.spline(factor * buildUp, interval, halvings);
      if (!made) break;
      if (!(durationOf(made) >= durationOf(best))) best = made;
      if (made.worst <= 1) break;
      for (const [k, tooFast] of made.excess.entries()) if (tooFast > 1) share[k] /= pow(tooFast, DAMPING);
    }
  }
  return best && motionOf(best, knots);
}

/** A spline in time along the knots. */
interface Spline {
  /** Of each point: its time in units of `tick`, the fraction of the path, positions and velocities of the joints. */
  readonly marks: Float64Array;
  readonly fractions: Float64Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Whole nanoseconds: the velocities are divided by `slowdown` then. */
  readonly tick: number;
  readonly slowdown: number;
  /** Factors by which each piece was too fast before the whole was slowed down, and the largest factor. */
  readonly excess: Float64Array;
  readonly worst: number;
}

const durationOf = (spline: Spline | undefined) =>
  spline ? (spline.marks[spline.marks.length - 1] * spline.tick) / TICKS : Number.POSITIVE_INFINITY;

function motionOf(
  { marks, fractions, positions, velocities, tick, slowdown }: Spline,
  knots: readonly LegKnot[],
): SmoothMotion {
  const { length: dof } = knots[0].q;
  const points = Array.from(marks, (mark, k) => ({
    time_from_start: (mark * tick) / TICKS,
    positions: Array.from(positions.subarray(k * dof, (k + 1) * dof)),
    velocities: Array.from(velocities.subarray(k * dof, (k + 1) * dof), (rate) => rate / slowdown + 0),
  }));
  const total = knots[knots.length - 1].s;
  let k = 0;
  // the time at which each knot is reached, by linear interpolation between the points
  const times = Float64Array.from(knots, ({ s }) => {
    const at = s / total;
    while (k + 2 < fractions.length && fractions[k + 1] < at) k++;
    const step = fractions[k + 1] - fractions[k];
    const share = step > 0 ? Math.min(1, Math.max(0, (at - fractions[k]) / step)) : 0;
    return (marks[k] + share * (marks[k + 1] - marks[k])) * (tick / TICKS);
  });
  return { points, times };
}

/** One timing of the knots, with a share of the limits of each piece. */
class Sampling {
  private readonly dof: number;
  /** Knots with s from 0 to 1. */
  private readonly unit: readonly LegKnot[];
  private readonly times: Float64Array;
  private readonly hasTcpSpeed: boolean;
  private readonly twist = new Float64Array(6);

  constructor(
    private readonly tracker: ToolTracker,
    knots: readonly LegKnot[],
    private readonly limits: MotionLimits,
    private readonly rules: readonly SmoothRules[],
    share: Float64Array,
  ) {
    const total = knots[knots.length - 1].s;
    this.dof = knots[0].q.length;
    this.unit = knots.map(({ s, q, dq }) => ({ s: s / total, q, dq: dq.map((rate) => rate * total) }));
    const slower = rules.map(({ speed, acceleration, pathSpeed }, k) => ({
      speed: share[k] * speed,
      acceleration: share[k] * share[k] * acceleration,
      pathSpeed: (share[k] * pathSpeed) / total,
    }));
    this.times = Float64Array.from(timePieces(this.unit, limits, slower), ({ point }) => point.time_from_start);
    this.hasTcpSpeed = rules.some(({ tcpSpeed }) => tcpSpeed < Number.POSITIVE_INFINITY);
  }

  /** Returns the motion averaged over a window, slowed down as a whole such that it keeps its limits. */
  spline(window: number, interval: number, halvings: Uint8Array | undefined): Spline | undefined {
    const { unit, times, dof } = this;
    const end = times[times.length - 1] + window;
    const pieces = Math.max(8, Math.ceil(end / interval));
    if (!(end < Number.POSITIVE_INFINITY) || pieces > MAX_PIECES) return undefined;
    const average = new AveragedFraction(unit, times, window);
    const fractionAt = (share: number) => (share === 0 ? 0 : share === 1 ? 1 : average.at(share * end));
    const { marks, size } = this.marksOf(pieces, fractionAt, halvings);
    if (marks.length > MAX_PIECES + 1) return undefined;
    const fractions = marks.map((mark) => fractionAt(mark / (size * pieces)));
    const at = marks.map((mark) => (mark / (size * pieces)) * end);
    const positions = this.positionsAt(fractions);
    const velocities = restSpline(at, positions, dof);
    const { excess, worst } = this.excessOf(at, fractions, positions, velocities, window);
    const tick = Math.ceil((end / pieces / size) * Math.max(worst, MIN_FACTOR) * (1 + MARGIN) * TICKS);
    const slowdown = (tick * size * pieces) / TICKS / end;
    return { marks, fractions, positions, velocities, tick, slowdown, excess, worst };
  }

  /** Returns the times of the points in units of 1 / `size` of an interval, of which there are `pieces`. */
  private marksOf(
    pieces: number,
    fractionAt: (share: number) => number,
    halvings: Uint8Array | undefined,
  ): { marks: Float64Array; size: number } {
    const most = halvings?.reduce((one, other) => Math.max(one, other), 0) ?? 0;
    if (halvings === undefined || most === 0)
      return { marks: Float64Array.from({ length: pieces + 1 }, (_, k) => k), size: 1 };
    const { unit } = this;
    const size = 2 ** most;
    const marks = [0];
    for (let k = 0, piece = 0; k < pieces; k++) {
      const end = fractionAt((k + 1) / pieces);
      let here = halvings[piece];
      while (piece + 1 < halvings.length && unit[piece + 1].s < end) here = Math.max(here, halvings[++piece]);
      for (let i = 1; i <= 2 ** here; i++) marks.push(k * size + i * 2 ** (most - here));
    }
    return { marks: Float64Array.from(marks), size };
  }

  private positionsAt(fractions: Float64Array): Float64Array {
    const { unit, dof } = this;
    const positions = new Float64Array(fractions.length * dof);
    let piece = 0;
    for (let k = 0; k + 1 < fractions.length; k++) {
      while (piece + 2 < unit.length && unit[piece + 1].s < fractions[k]) piece++;
      setCubicPosition(positions, k * dof, unit[piece], unit[piece + 1], fractions[k]);
    }
    positions.set(unit[unit.length - 1].q, positions.length - dof);
    return positions;
  }

  /** Returns by which factor each piece of the path is too fast, and the largest one. */
  private excessOf(
    at: Float64Array,
    fractions: Float64Array,
    positions: Float64Array,
    velocities: Float64Array,
    window: number,
  ): { excess: Float64Array; worst: number } {
    const { unit, times, rules, hasTcpSpeed } = this;
    const excess = new Float64Array(rules.length);
    let worst = 0;
    let [piece, within] = [0, 0];
    let speed = 0;
    for (let k = 0; k + 1 < at.length; k++) {
      const first = piece;
      while (piece + 1 < rules.length && unit[piece + 1].s < fractions[k + 1]) piece++;
      const before = speed;
      if (hasTcpSpeed) speed = this.toolSpeed(positions, velocities, k + 1);
      let factor = 0;
      for (let i = first; i <= piece; i++) {
        const own = this.factorOf(rules[i], at[k + 1] - at[k], positions, velocities, k);
        factor = Math.max(factor, own, Math.max(before, speed) / rules[i].tcpSpeed);
      }
      worst = Math.max(worst, factor);
      // the average at a time is over the window before it
      while (times[within + 1] < at[k] - window) within++;
      for (let i = within; i < rules.length && times[i] <= at[k + 1]; i++) excess[i] = Math.max(excess[i], factor);
    }
    return { excess, worst };
  }

  /** Returns the factor by which a piece of the spline must be slowed down to keep the joint limits of its piece. */
  private factorOf(
    { speed, acceleration }: SmoothRules,
    T: number,
    positions: Float64Array,
    velocities: Float64Array,
    k: number,
  ): number {
    const { limits, dof } = this;
    let [fastest, strongest, sharpest] = [0, 0, 0];
    for (let j = 0, i = k * dof; j < dof; j++, i++) {
      const extremes = cubicExtremes(positions[i], positions[i + dof], velocities[i], velocities[i + dof], T);
      fastest = Math.max(fastest, extremes.velocity / (speed * limits.velocity[j]));
      strongest = Math.max(strongest, extremes.acceleration / (acceleration * limits.acceleration[j]));
      sharpest = Math.max(sharpest, extremes.jerk / limits.jerk[j]);
    }
    return Math.max(fastest, Math.sqrt(strongest), cubeRoot(sharpest));
  }

  private toolSpeed(positions: Float64Array, velocities: Float64Array, k: number): number {
    const { dof, twist } = this;
    const [from, to] = [k * dof, (k + 1) * dof];
    this.tracker.twist(twist, positions.subarray(from, to), velocities.subarray(from, to));
    return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  }
}

/** Limit of the pieces of a spline. */
const MAX_PIECES = 100_000;
/** A motion that is slower than its limits is made faster by at most this factor. */
const MIN_FACTOR = 0.5;
