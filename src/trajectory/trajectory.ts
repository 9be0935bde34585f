/** One point of a path (no time) or of a trajectory. Values in the order of `jointNames`; rad, rad/s, s. */
export interface TrajectoryPoint {
  readonly time_from_start?: number;
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
  /** rad/s². With them at both ends a segment is a quintic, unless the trajectory states another interpolation. Planners write none. */
  readonly accelerations?: readonly number[];
}

/** How a segment runs from one point to the next: the straight line, or the polynomial of that degree through all values at its ends. */
export type SegmentKind = 'linear' | 'cubic' | 'quintic';

/**
 * A motion. Each segment runs as a joint trajectory controller executes it (`segmentKinds`), unless `interpolation` states one kind for all
 * segments. Points without times are a path of straight joint-space lines: t then counts waypoints.
 */
export interface Trajectory {
  readonly jointNames: readonly string[];
  readonly points: readonly TrajectoryPoint[];
  readonly interpolation?: SegmentKind;
  /** Timed points are set points of a control loop, each at most 8 ms after the one before (URScript's servoj): see `setPointRates`. */
  readonly setPoints?: true;
  /** What the file says of itself, carried along: robot, scene, planner, seed, edges. */
  readonly robot?: string;
  readonly scene?: string;
  readonly planner?: string;
  readonly seed?: number;
  readonly edges?: string;
  readonly cutShort?: boolean;
  /** The hash that its file states, which need not be that of the points: compare with `trajectoryHash`. */
  readonly statedHash?: string;
}

/** Bounds that a trajectory must keep, in the order of its joints; Infinity where there is none. */
export interface MotionLimits {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  readonly acceleration: ArrayLike<number>;
  readonly jerk: ArrayLike<number>;
}

/** True where every point has a time: a trajectory, not a path. */
export function isTimed(trajectory: Trajectory): boolean {
  return trajectory.points.every((point) => point.time_from_start !== undefined);
}

/**
 * The kind of each segment, as a joint trajectory controller chooses it: linear for positions alone, cubic for velocities at both ends, quintic
 * for velocities and accelerations at both ends; values at one end only count as not given. A stated interpolation takes precedence, as far
 * as the points have the values for it: 'linear' ignores velocities, 'cubic' accelerations. A path is linear.
 */
export function segmentKinds(trajectory: Trajectory): SegmentKind[] {
  const { points, interpolation } = trajectory;
  const kinds = new Array<SegmentKind>(Math.max(0, points.length - 1)).fill('linear');
  if (interpolation === 'linear' || !isTimed(trajectory)) return kinds;
  for (let k = 0; k < kinds.length; k++) {
    const [from, to] = [points[k], points[k + 1]];
    if (!isGiven(from.velocities) || !isGiven(to.velocities)) continue;
    const hasAccelerations = isGiven(from.accelerations) && isGiven(to.accelerations);
    kinds[k] = hasAccelerations && interpolation !== 'cubic' ? 'quintic' : 'cubic';
  }
  return kinds;
}

/** Messages leave lists empty that they do not use. */
export const isGiven = (values: readonly number[] | undefined): values is readonly number[] =>
  values !== undefined && values.length > 0;

/** True if the motion runs along straight joint-space lines from point to point. */
export function isStraight(trajectory: Trajectory): boolean {
  const { points, interpolation } = trajectory;
  if (points.length > 1) return segmentKinds(trajectory).every((kind) => kind === 'linear');
  return interpolation === 'linear' || !isTimed(trajectory) || !points.every((point) => isGiven(point.velocities));
}

/** The points without values that the curve does not depend on: a controller that is given them executes this curve, whatever was stated. */
export function executedPoints(trajectory: Trajectory): TrajectoryPoint[] {
  const kinds = segmentKinds(trajectory);
  const single = kinds.length === 0 && !isStraight(trajectory);
  return trajectory.points.map((point, i) => {
    const around = [kinds[i - 1], kinds[i]];
    const { time_from_start, positions, velocities, accelerations } = point;
    const isCurved = single || around.some((kind) => kind === 'cubic' || kind === 'quintic');
    return {
      ...(time_from_start !== undefined && { time_from_start }),
      positions,
      ...(isCurved && velocities && { velocities }),
      ...(around.includes('quintic') && accelerations && { accelerations }),
    };
  });
}

/** Seconds from the first point to the last; undefined for a path, which has no time. */
export function durationOf(trajectory: Trajectory): number | undefined {
  const first = trajectory.points[0]?.time_from_start;
  const last = trajectory.points.at(-1)?.time_from_start;
  return isTimed(trajectory) && first !== undefined && last !== undefined ? last - first : undefined;
}
