/** One point of a path (no time) or of a trajectory. Values in the order of `jointNames`; rad, rad/s, s. */
export interface TrajectoryPoint {
  readonly time_from_start?: number;
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
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
}

/** Bounds that a trajectory must keep, in the order of its joints; Infinity where there is none. */
export interface MotionLimits {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  readonly acceleration: ArrayLike<number>;
  readonly jerk: ArrayLike<number>;
}
