import type { Interrupt } from '../math/interrupt.ts';
import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath } from './blendedPath.ts';
import { improveBlends, setInitialBlends } from './blendSizes.ts';
import { setCertifiedBlends } from './collisionFreeBlends.ts';
import { movingAverage } from './movingAverage.ts';
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
