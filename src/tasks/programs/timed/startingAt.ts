import { wholeNanoseconds } from '../../../core/trajectory/roundedTimes.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';

/** Returns a trajectory that begins later by some seconds; times are rounded to whole nanoseconds. */
export function startingAt(trajectory: Trajectory, time: number): Trajectory {
  return {
    ...trajectory,
    points: trajectory.points.map((point) => ({
      ...point,
      time_from_start: wholeNanoseconds(time + point.time_from_start!),
    })),
  };
}
