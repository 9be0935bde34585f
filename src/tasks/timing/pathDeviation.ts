import { distanceBetween } from '../../core/math/configuration.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Samples of each piece of the curve. */
const SAMPLES = 8;
/** Steps of the refinement between samples; each leaves two thirds of an interval. */
const REFINEMENTS = 60;

/**
 * Returns how far a motion with blended corners deviates from the polyline that it passes, L2 over the joints, rad and
 * m: the largest distance of a waypoint to the curve, found by samples and refined, so that it is never stated as less.
 * Every point of a blend is nearer to its two segments than their corner is to the blend.
 */
export function pathDeviation(trajectory: Trajectory, path: readonly ArrayLike<number>[]): number {
  const curve = new TrajectoryCurve(trajectory);
  const times = sampleTimes(curve);
  const q = new Float64Array(curve.dof);
  const distanceAt = (time: number, waypoint: ArrayLike<number>) => {
    curve.position(q, time);
    return distanceBetween(q, waypoint);
  };
  let deviation = 0;
  let from = 0; // the samples near the waypoint before
  for (const [i, waypoint] of path.entries()) {
    // The curve is no longer than the polyline: the next waypoint is passed after about the length of the segment.
    const reach = i === 0 ? 0 : 2 * (distanceBetween(path[i - 1], waypoint) + deviation);
    let best = from;
    let nearest = distanceAt(times[from], waypoint);
    let passed = 0;
    for (let k = from + 1; k < times.length && (passed <= reach || k <= from + SAMPLES); k++) {
      curve.position(q, times[k - 1]);
      passed += distanceAt(times[k], q.slice());
      const distance = distanceAt(times[k], waypoint);
      if (distance < nearest) [nearest, best] = [distance, k];
    }
    let [low, high] = [times[Math.max(0, best - 1)], times[Math.min(times.length - 1, best + 1)]];
    for (let n = 0; n < REFINEMENTS; n++) {
      const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
      if (distanceAt(a, waypoint) <= distanceAt(b, waypoint)) high = b;
      else low = a;
    }
    deviation = Math.max(deviation, Math.min(nearest, distanceAt((low + high) / 2, waypoint)));
    from = Math.max(0, best - 1);
  }
  return deviation;
}

/** Returns the times of knots, and equally spaced ones between them. */
function sampleTimes({ times, pieces, end }: TrajectoryCurve): number[] {
  const samples: number[] = [];
  for (let k = 0; k < pieces; k++)
    for (let n = 0; n < SAMPLES; n++) samples.push(times[k] + ((times[k + 1] - times[k]) * n) / SAMPLES);
  return [...samples, end];
}
