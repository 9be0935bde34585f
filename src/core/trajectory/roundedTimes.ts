import type { MotionLimits, Trajectory } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';
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
 * Positions are kept, and velocities change only by the slowdown. If that exceeds the limits, since accelerations
 * change by up to 6 velocities times 1 ns / h² in a piece of duration h, the points become those of the curve at the
 * rounded times.
 */
export function withRoundedTimes(trajectory: Trajectory, limits: MotionLimits): Trajectory | undefined {
  for (const rounded of [scaled, resampled])
    for (const slowdown of SLOWDOWNS) {
      const motion = rounded(trajectory, 1 + slowdown);
      const increases = motion.points.every(
        ({ time_from_start: time }, i) => i === 0 || time! > motion.points[i - 1].time_from_start!,
      );
      if (increases && examineMotion(motion, limits).faults.length === 0) return motion;
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

/** Scales the duration by `factor`, and moves each point between the ends along the curve to its rounded time. */
function resampled(trajectory: Trajectory, factor: number): Trajectory {
  const rounded = scaled(trajectory, factor);
  const curve = new TrajectoryCurve(trajectory);
  const [q, velocity] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
  const points = rounded.points.map((point, i) => {
    if (!point.velocities || i === 0 || i === rounded.points.length - 1) return point;
    const time = point.time_from_start! / factor;
    curve.position(q, time);
    curve.velocity(velocity, time);
    return { ...point, positions: Array.from(q), velocities: Array.from(velocity, (value) => value / factor) };
  });
  return { ...rounded, points };
}
