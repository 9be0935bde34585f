import { segmentKinds, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { requireSamples } from '../trajectoryFormat.ts';

/** Seconds. Control cycle of the e-Series. */
export const CYCLE = 0.002;

/**
 * Returns the times of the curve at which set points are written, in order: one per control cycle. Each interval
 * between two instants of rest is stretched to a whole number of cycles, so that a waypoint at rest is always a set
 * point and no corner is cut. Slowing down keeps all limits. Throws `InputError` for motions that take too many.
 */
export function setPointTimes(trajectory: Trajectory): number[] {
  const rests = restTimes(trajectory);
  requireSamples(Math.ceil((rests[rests.length - 1] - rests[0]) / CYCLE), CYCLE);
  const times = [rests[0]];
  for (let i = 1; i < rests.length; i++) {
    const duration = rests[i] - rests[i - 1];
    const cycles = Math.ceil(duration / CYCLE - 1e-9);
    for (let k = 1; k < cycles; k++) times.push(rests[i - 1] + (k / cycles) * duration);
    times.push(rests[i]);
  }
  return times;
}

/**
 * Returns the times of the waypoints at rest, of both ends, and of the ends of linear segments, which may be corners of
 * the path.
 */
function restTimes(trajectory: Trajectory): number[] {
  const { points } = trajectory;
  const kinds = segmentKinds(trajectory);
  const rests = points.filter(({ velocities }, i) => {
    const isEnd = i === 0 || i === points.length - 1;
    return isEnd || kinds[i - 1] === 'linear' || kinds[i] === 'linear' || velocities!.every((v) => v === 0);
  });
  return rests.map((point) => point.time_from_start!);
}
