import { fastestPhases } from './restToRest.ts';
import type { MotionLimits } from './trajectory.ts';

/**
 * Returns a lower bound (seconds) on the duration of any motion between two states from rest to rest: that of the
 * slowest joint alone.
 */
export function minimumDuration(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): number {
  let minDuration = 0;
  for (let j = 0; j < from.length; j++) {
    const distance = Math.abs(to[j] - from[j]);
    if (distance === 0) continue;
    const { ramp, hold, cruise } = fastestPhases({
      velocity: limits.velocity[j] / distance,
      acceleration: limits.acceleration[j] / distance,
      jerk: limits.jerk[j] / distance,
    });
    minDuration = Math.max(minDuration, 4 * ramp + 2 * hold + cruise);
  }
  return minDuration;
}
