import { blendedKnots } from './blendedKnots.ts';
import { BlendedPath } from './blendedPath.ts';
import { improveBlends, setFirstBlends } from './blendSizes.ts';
import { setFreeBlends } from './collisionFreeBlends.ts';
import { movingAverage } from './movingAverage.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from './trajectory.ts';

const TICKS_PER_SECOND = 1e9;
/** Shares of the acceleration limits that are tried: at a low one the average may be over a shorter time. */
const ACCELERATIONS = [1, 0.75, 0.55, 0.4, 0.3];
/** An average cuts a corner however small its blend is, by what it travels meanwhile: soon a stop is what remains. */
const MOST_HALVINGS = 4;

/** Blends whose corners are rounded off once more, by moving averages between stops, so that acceleration has no jumps. */
export interface SmoothBlends {
  readonly path: BlendedPath;
  readonly shrunk: number;
  /** The motion at a pace: at any but the full one other than what was proved free, if by little. */
  readonly pointsAt: (pace: number) => TrajectoryPoint[];
}

/** As for `blendedMotion`, with jerk limits. */
export function smoothBlends(
  corners: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
  isFree: (motion: Trajectory) => boolean,
): SmoothBlends {
  const path = fastestPath(corners, limits);
  const cornerTest = () => {
    const { points, stretches } = smoothed(path, limits, 1);
    return (i: number) => isFree({ jointNames, points: pointsAround(points, stretches[i]) });
  };
  const shrunk = setFreeBlends(path, cornerTest, MOST_HALVINGS);
  return { path, shrunk, pointsAt: (pace) => smoothed(path, limits, pace).points };
}

/** The blended path of that acceleration which leaves the shortest motion after averaging, were everything free; lower ones are slower again. */
function fastestPath(corners: readonly ArrayLike<number>[], limits: MotionLimits): BlendedPath {
  let best: { path: BlendedPath; duration: number } | undefined;
  for (const share of ACCELERATIONS) {
    const path = new BlendedPath(corners, {
      ...limits,
      acceleration: Array.from(limits.acceleration, (a) => share * a),
    });
    const whole = new Float64Array(path.rate.length).fill(1);
    setFirstBlends(path, { entry: whole, exit: whole });
    improveBlends(path, { entry: whole, exit: whole });
    const { points } = smoothed(path, limits, 1);
    const duration = points[points.length - 1].time_from_start!;
    if (best && duration >= best.duration) break;
    best = { path, duration };
  }
  return best!.path;
}

interface Smoothed {
  readonly points: TrajectoryPoint[];
  /** Seconds from which to which the motion may be off the path because of each corner; none for a stop. */
  readonly stretches: readonly [number, number][];
}

/** The averages of all that lies between stops, one after the other. */
function smoothed(path: BlendedPath, limits: MotionLimits, pace: number): Smoothed {
  const { points: knots, cornerAt } = blendedKnots(path, pace);
  const stops = cornerAt.filter((_, i) => path.entry[i] === 0);
  const ends = [...stops, knots.length - 1];
  const points: TrajectoryPoint[] = [];
  const stretches: [number, number][] = [];
  let delay = 0; // ticks
  let first = 0;
  for (const last of ends) {
    const chain = knots.slice(first, last + 1);
    const begun = ticksOf(chain[0]);
    const average = movingAverage(
      chain.map((knot) => ({ ...knot, time_from_start: (ticksOf(knot) - begun) / TICKS_PER_SECOND })),
      limits.jerk,
    );
    const late = (point: TrajectoryPoint, by: number) => (ticksOf(point) + by) / TICKS_PER_SECOND;
    const window = ticksOf(average[average.length - 1]) - (ticksOf(knots[last]) - begun);
    if (points.length > 0) points.pop(); // where the next begins this one ends
    points.push(...average.map((point) => ({ ...point, time_from_start: late(point, begun + delay) })));
    for (const [i, k] of cornerAt.entries()) {
      if (k > first && k < last) stretches[i] = [late(knots[k], delay), late(knots[k + 1], delay + window)];
    }
    delay += window;
    first = last;
  }
  return { points, stretches };
}

/** The knots of the pieces that overlap a stretch of time. */
function pointsAround(points: readonly TrajectoryPoint[], [from, to]: readonly [number, number]): TrajectoryPoint[] {
  return points.filter(
    (_, k) =>
      (points[k + 1]?.time_from_start ?? Number.POSITIVE_INFINITY) > from &&
      (points[k - 1]?.time_from_start ?? Number.NEGATIVE_INFINITY) < to,
  );
}

const ticksOf = (point: TrajectoryPoint) => Math.round(point.time_from_start! * TICKS_PER_SECOND);
