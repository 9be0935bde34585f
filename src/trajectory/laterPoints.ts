import type { Trajectory, TrajectoryPoint } from './trajectory.ts';

/** Returns timed points whose times are later by some seconds. */
export const laterPoints = (points: Trajectory['points'], by: number): TrajectoryPoint[] =>
  points.map((point) => ({ ...point, time_from_start: by + point.time_from_start! }));
