import { fastestPhases } from './restToRest.ts';
import type { MotionLimits } from './trajectory.ts';

/** Seconds that any motion from rest to rest takes at least, whatever its way: the joint that needs longest by its own limits. */
export function leastDuration(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): number {
  let least = 0;
  for (let j = 0; j < from.length; j++) {
    const way = Math.abs(to[j] - from[j]);
    if (way === 0) continue;
    const { ramp, hold, cruise } = fastestPhases({
      velocity: limits.velocity[j] / way,
      acceleration: limits.acceleration[j] / way,
      jerk: limits.jerk[j] / way,
    });
    least = Math.max(least, 4 * ramp + 2 * hold + cruise);
  }
  return least;
}
