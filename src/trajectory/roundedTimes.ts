import type { MotionLimits, Trajectory } from './trajectory.ts';
import { examineMotion } from './trajectoryLimits.ts';

/** Seconds: the grid of times in ROS messages, the coarsest of all formats. */
const TICKS = 1e9;
/** By which part a motion may be made slower until its limits hold for the rounded times: rounding changes the acceleration of short segments most. */
const SLOWDOWNS = [0, 1e-6, 1e-5, 1e-4, 1e-3];

/**
 * The timed motion with all times rounded to whole nanoseconds, so that every format carries the curve that is proved, made slower by as
 * little as its limits need; undefined if 0.1 % is not enough. Velocities are kept but for the slowdown.
 */
export function withRoundedTimes(trajectory: Trajectory, limits: MotionLimits): Trajectory | undefined {
  for (const slowdown of SLOWDOWNS) {
    const rounded = stretched(trajectory, 1 + slowdown);
    const increases = rounded.points.every(
      ({ time_from_start: time }, i) => i === 0 || time! > rounded.points[i - 1].time_from_start!,
    );
    if (increases && examineMotion(rounded, limits).faults.length === 0) return rounded;
  }
  return undefined;
}

/** `factor` times as long. Accelerations in the points are left out: of a cubic they follow from the rest. */
function stretched(trajectory: Trajectory, factor: number): Trajectory {
  const points = trajectory.points.map(({ time_from_start: time, positions, velocities }) => ({
    time_from_start: Math.round(time! * factor * TICKS) / TICKS,
    positions,
    ...(velocities && { velocities: velocities.map((velocity) => velocity / factor) }),
  }));
  return { ...trajectory, points };
}
