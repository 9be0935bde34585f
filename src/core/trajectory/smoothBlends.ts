import { firstIndex } from '../math/firstIndex.ts';
import type { Interrupt } from '../math/interrupt.ts';
import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath } from './blendedPath.ts';
import { improveBlends, setCertifiedBlends, setInitialBlends } from './blendSizes.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from './trajectory.ts';

const TICKS_PER_SECOND = 1e9;
/** Fractions of the acceleration limits that are tried: a lower acceleration may need a shorter averaging window. */
const ACCELERATIONS = [1, 0.75, 0.55, 0.4, 0.3];
/**
 * Maximum number of halvings of a blend: averaging rounds a corner however small its blend is, so that soon only a stop
 * helps.
 */
const MAX_HALVINGS = 4;

/** Blends of a path that are smoothed by moving averages between stops, so that the acceleration is continuous. */
export interface SmoothBlends {
  readonly path: BlendedPath;
  readonly shrunk: number;
  /** Returns the motion at a pace; for a pace other than 1 it differs slightly from the certified one. */
  readonly pointsAt: (pace: number) => TrajectoryPoint[];
}

/** Computes certified blends with continuous acceleration, within jerk limits; parameters as of `blendedMotion`. */
export function smoothBlends(
  corners: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
  isFree: (motion: Trajectory) => boolean,
  interrupt: Interrupt,
): SmoothBlends {
  const path = fastestPath(corners, limits, interrupt);
  const cornerTest = () => {
    const { points, intervals } = smoothed(path, limits, 1);
    return (i: number) => isFree({ jointNames, points: pointsAround(points, intervals[i]) });
  };
  const shrunk = setCertifiedBlends(path, cornerTest, MAX_HALVINGS, interrupt);
  return { path, shrunk, pointsAt: (pace) => smoothed(path, limits, pace).points };
}

/**
 * Returns the blended path with the acceleration that gives the shortest motion after averaging, without collision
 * checks. Stops at the first one that is slower.
 */
function fastestPath(corners: readonly ArrayLike<number>[], limits: MotionLimits, interrupt: Interrupt): BlendedPath {
  let best: { path: BlendedPath; duration: number } | undefined;
  for (const fraction of ACCELERATIONS) {
    const path = new BlendedPath(corners, {
      ...limits,
      acceleration: Array.from(limits.acceleration, (a) => fraction * a),
    });
    const unlimited = new Float64Array(path.rate.length).fill(1);
    setInitialBlends(path, { entry: unlimited, exit: unlimited });
    improveBlends(path, { entry: unlimited, exit: unlimited }, interrupt);
    const { points } = smoothed(path, limits, 1);
    const duration = points[points.length - 1].time_from_start!;
    if (best && duration >= best.duration) break;
    best = { path, duration };
    if (interrupt()) break;
  }
  return best!.path;
}

/** Averaged motion of a blended path. */
interface Smoothed {
  readonly points: TrajectoryPoint[];
  /** Time interval (seconds) in which the motion may leave the path because of each corner; none for a stop. */
  readonly intervals: readonly [number, number][];
}

/** Averages the motion between consecutive stops. */
function smoothed(path: BlendedPath, limits: MotionLimits, pace: number): Smoothed {
  const { points: knots, cornerKnots } = blendedKnots(path, pace);
  const stops = cornerKnots.filter((_, i) => path.entry[i] === 0);
  const ends = [...stops, knots.length - 1];
  const points: TrajectoryPoint[] = [];
  const intervals: [number, number][] = [];
  let delay = 0; // ticks
  let first = 0;
  for (const last of ends) {
    const chain = knots.slice(first, last + 1);
    const startTicks = ticksOf(chain[0]);
    const average = movingAverage(
      chain.map((knot) => ({ ...knot, time_from_start: (ticksOf(knot) - startTicks) / TICKS_PER_SECOND })),
      limits.jerk,
    );
    const delayed = (point: TrajectoryPoint, by: number) => (ticksOf(point) + by) / TICKS_PER_SECOND;
    const window = ticksOf(average[average.length - 1]) - (ticksOf(knots[last]) - startTicks);
    if (points.length > 0) points.pop(); // the next part starts at the end of this one
    points.push(...average.map((point) => ({ ...point, time_from_start: delayed(point, startTicks + delay) })));
    for (const [i, k] of cornerKnots.entries()) {
      if (k > first && k < last) intervals[i] = [delayed(knots[k], delay), delayed(knots[k + 1], delay + window)];
    }
    delay += window;
    first = last;
  }
  return { points, intervals };
}

/** Returns the knots of the pieces that overlap a time interval. */
function pointsAround(points: readonly TrajectoryPoint[], [from, to]: readonly [number, number]): TrajectoryPoint[] {
  return points.filter(
    (_, k) =>
      (points[k + 1]?.time_from_start ?? Number.POSITIVE_INFINITY) > from &&
      (points[k - 1]?.time_from_start ?? Number.NEGATIVE_INFINITY) < to,
  );
}

const ticksOf = (point: TrajectoryPoint) => Math.round(point.time_from_start! * TICKS_PER_SECOND);

/** Fraction of each jerk limit that is not used, for rounding errors. */
const HEADROOM = 4e-6;
/**
 * Ticks. Knots coincide or are at least this far apart: rounding of positions has a large effect on the jerk of a short
 * cubic.
 */
const MIN_KNOT_SPACING = 2e5;
/** Number of windows that are tried between the lower and the upper bound on the shortest window. */
const WINDOWS = 12;

/**
 * Computes the moving average of a motion from rest to rest over a time window w, as cubics with continuous
 * acceleration: a jump of the acceleration by a becomes a ramp of duration w with jerk a / w [Biagiotti12 §2]. The
 * average satisfies every limit that the motion satisfies, stays on its straight segments, rounds its corners, and
 * takes w longer. The window is the shortest one found that satisfies the jerk limits.
 * @param points knots between which the acceleration is constant, at whole nanoseconds, the first and last at rest
 */
export function movingAverage(points: readonly TrajectoryPoint[], jerk: ArrayLike<number>): TrajectoryPoint[] {
  const motion = new QuadraticMotion(points);
  const window = motion.shortestWindow(jerk);
  const last = motion.ticks[motion.ticks.length - 1];
  const ticks = [...new Set([...motion.ticks, ...motion.ticks.map((t) => t + window)])].sort((a, b) => a - b);
  const at = ticks[0];
  const dof = points[0].positions.length;
  const rate = (t: number, j: number) =>
    (motion.position(t, j) - motion.position(t - window, j)) / (window / TICKS_PER_SECOND);
  const position = Array.from(points[0].positions);
  return ticks.map((t, k) => {
    const before = k > 0 ? ticks[k - 1] : at;
    const T = (t - before) / TICKS_PER_SECOND;
    // The velocity is quadratic between knots, so that Simpson's rule is exact.
    for (let j = 0; j < dof; j++)
      position[j] += (T / 6) * (rate(before, j) + 4 * rate((before + t) / 2, j) + rate(t, j));
    const isEnd = t === last + window;
    const joints = Array.from({ length: dof }, (_, j) => j);
    return {
      time_from_start: t / TICKS_PER_SECOND,
      positions: isEnd ? points[points.length - 1].positions : joints.map((j) => position[j] + 0),
      velocities: joints.map((j) => (isEnd ? 0 : rate(t, j) + 0)),
    };
  });
}

/** Motion with constant acceleration between knots, at rest before the first and after the last one. Times in ticks. */
class QuadraticMotion {
  readonly ticks: readonly number[];
  private readonly dof: number;
  /** Acceleration of joint j after knot k at dof · k + j; 0 after the last knot. */
  private readonly accelerations: Float64Array;

  constructor(private readonly points: readonly TrajectoryPoint[]) {
    this.ticks = points.map((point) => Math.round(point.time_from_start! * TICKS_PER_SECOND));
    this.dof = points[0].positions.length;
    this.accelerations = new Float64Array(this.dof * points.length);
    for (let k = 0; k < points.length - 1; k++) {
      const T = (this.ticks[k + 1] - this.ticks[k]) / TICKS_PER_SECOND;
      const [before, after] = [points[k].velocities!, points[k + 1].velocities!];
      for (let j = 0; j < this.dof; j++) this.accelerations[this.dof * k + j] = (after[j] - before[j]) / T;
    }
  }

  position(t: number, j: number): number {
    const k = this.pieceAt(t);
    const { positions, velocities } = this.points[Math.max(0, k)];
    if (k < 0 || k === this.points.length - 1) return positions[j];
    const u = (t - this.ticks[k]) / TICKS_PER_SECOND;
    return positions[j] + u * (velocities![j] + (u / 2) * this.acceleration(k, j));
  }

  /** Returns the first window (ticks) found that satisfies the jerk limits and keeps knots apart. */
  shortestWindow(jerk: ArrayLike<number>): number {
    const minWindow = this.slowestRamp(jerk, (low, high) => Math.max(-low, high));
    const maxWindow = this.slowestRamp(jerk, (low, high) => high - low);
    for (let i = 0; i < WINDOWS; i++) {
      const window = this.withoutNearKnots(minWindow + (i / WINDOWS) * (maxWindow - minWindow));
      if (this.satisfiesJerk(window, jerk)) return window;
    }
    return this.withoutNearKnots(maxWindow);
  }

  /**
   * Returns the longest ramp over all joints, for the jump that `jumpOf` computes from the extremes of the acceleration
   * (0 included).
   */
  private slowestRamp(jerk: ArrayLike<number>, jumpOf: (low: number, high: number) => number): number {
    let longest = MIN_KNOT_SPACING;
    for (let j = 0; j < jerk.length; j++) {
      let [low, high] = [0, 0];
      for (let k = 0; k < this.points.length - 1; k++) {
        low = Math.min(low, this.acceleration(k, j));
        high = Math.max(high, this.acceleration(k, j));
      }
      longest = Math.max(longest, (jumpOf(low, high) / ((1 - HEADROOM) * jerk[j])) * TICKS_PER_SECOND);
    }
    return Math.ceil(longest);
  }

  /**
   * Returns the shortest window from here on that moves each knot either onto another one or at least MIN_KNOT_SPACING
   * away from it.
   */
  private withoutNearKnots(from: number): number {
    let window = Math.ceil(from);
    for (;;) {
      const near = this.farthestNearShift(window);
      if (near === Number.NEGATIVE_INFINITY) return window;
      window = near + MIN_KNOT_SPACING;
    }
  }

  /**
   * Returns the longest time from one knot to another that differs from the window, but by less than MIN_KNOT_SPACING;
   * −Infinity if there is none.
   */
  private farthestNearShift(window: number): number {
    const { ticks } = this;
    let farthest = Number.NEGATIVE_INFINITY;
    let first = 0; // the knots are in order, and so are those near the shifted ones
    for (const t of ticks) {
      while (first < ticks.length && ticks[first] - t <= window - MIN_KNOT_SPACING) first++;
      for (let i = first; i < ticks.length && ticks[i] - t < window + MIN_KNOT_SPACING; i++)
        if (ticks[i] - t !== window) farthest = Math.max(farthest, ticks[i] - t);
    }
    return farthest;
  }

  /** Returns true if the average over this window satisfies the jerk limits. */
  private satisfiesJerk(window: number, jerk: ArrayLike<number>): boolean {
    return this.ticks.every((t) => this.hasSmallJump(t, window, jerk) && this.hasSmallJump(t + window, window, jerk));
  }

  /** Returns true if the jerk of the average over this window that ends at t is within the limits. */
  private hasSmallJump(t: number, window: number, jerk: ArrayLike<number>): boolean {
    const [now, then] = [this.pieceAt(t), this.pieceAt(t - window)];
    for (let j = 0; j < jerk.length; j++) {
      const change = Math.abs(this.acceleration(now, j) - this.acceleration(then, j));
      if (change * TICKS_PER_SECOND > (1 - HEADROOM) * jerk[j] * window) return false;
    }
    return true;
  }

  /** Returns the index of the last knot at or before t; −1 before the first. */
  private pieceAt(t: number): number {
    const { ticks } = this;
    return firstIndex(ticks.length, (i) => !(ticks[i] <= t)) - 1;
  }

  private acceleration(k: number, j: number): number {
    return k < 0 ? 0 : this.accelerations[this.dof * k + j];
  }
}
