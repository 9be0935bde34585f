/** One point of a path (no time) or of a trajectory. Values in the order of `jointNames`; rad, rad/s, s. */
export interface TrajectoryPoint {
  readonly time_from_start?: number;
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
  /** Just after the point, where the acceleration jumps there; zero at the end. For the reader's eye: the curve does not depend on them. */
  readonly accelerations?: readonly number[];
}

/**
 * A motion. With velocities the curve between two points is the cubic Hermite spline of positions and velocities; without them, or with
 * interpolation 'linear', it is the straight joint-space line. Points without times are a path: t then counts waypoints.
 */
export interface Trajectory {
  readonly jointNames: readonly string[];
  readonly points: readonly TrajectoryPoint[];
  readonly interpolation?: 'cubic' | 'linear';
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

/** True where the motion runs along straight joint-space lines from point to point. */
export function isStraight(trajectory: Trajectory): boolean {
  return (
    trajectory.interpolation === 'linear' ||
    !isTimed(trajectory) ||
    trajectory.points.some((point) => point.velocities === undefined)
  );
}

/** Seconds from the first point to the last; undefined for a path, which has no time. */
export function durationOf(trajectory: Trajectory): number | undefined {
  const first = trajectory.points[0]?.time_from_start;
  const last = trajectory.points.at(-1)?.time_from_start;
  return isTimed(trajectory) && first !== undefined && last !== undefined ? last - first : undefined;
}
