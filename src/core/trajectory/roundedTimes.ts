import type { MotionLimits, Trajectory } from './trajectory.ts';
import { examineMotion } from './trajectoryLimits.ts';

/** Ticks per second: the resolution of times in ROS messages, the coarsest of all formats. */
const TICKS = 1e9;
/** Rounds seconds to whole nanoseconds. */
export const wholeNanoseconds = (seconds: number): number => Math.round(seconds * TICKS) / TICKS;

/**
 * Relative slowdowns that are tried until the limits hold for the rounded times; rounding mainly affects the
 * acceleration of short segments.
 */
const SLOWDOWNS = [0, 1e-6, 1e-5, 1e-4, 1e-3];

/**
 * Rounds all times of a trajectory to whole nanoseconds, so that every file format represents the certified curve
 * exactly, and slows it down by the smallest of SLOWDOWNS that satisfies its limits; undefined if 0.1 % is not enough.
 * Velocities change only by the slowdown.
 */
export function withRoundedTimes(trajectory: Trajectory, limits: MotionLimits): Trajectory | undefined {
  for (const slowdown of SLOWDOWNS) {
    const rounded = scaled(trajectory, 1 + slowdown);
    const increases = rounded.points.every(
      ({ time_from_start: time }, i) => i === 0 || time! > rounded.points[i - 1].time_from_start!,
    );
    if (increases && examineMotion(rounded, limits).faults.length === 0) return rounded;
  }
  return undefined;
}

/** Scales the duration by `factor`. Omits accelerations: those of a cubic follow from positions and velocities. */
function scaled(trajectory: Trajectory, factor: number): Trajectory {
  const points = trajectory.points.map(({ time_from_start: time, positions, velocities }) => ({
    time_from_start: wholeNanoseconds(time! * factor),
    positions,
    ...(velocities && { velocities: velocities.map((velocity) => velocity / factor) }),
  }));
  return { ...trajectory, points };
}
