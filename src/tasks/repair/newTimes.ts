import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';

/** Seconds: shortest time of a line. */
const SHORTEST = 1e-3;
/** Rad/s or m/s: speed of joints without a velocity limit. */
const SPEED = 1;
/** Rad or m: points that differ by less are the same state. */
const SAME = 1e-9;

/**
 * Returns a trajectory with times that increase from 0. Times that already increase are shifted to begin at 0.
 * Otherwise the result is the straight lines between the points, as fast as the velocity limits allow, without repeated
 * points.
 */
export function withNewTimes({ points: given, ...rest }: Trajectory, { velocity }: MotionLimits): Trajectory {
  const start = given[0].time_from_start!;
  if (given.every(({ time_from_start: time }, i) => i === 0 || time! > given[i - 1].time_from_start!))
    return { ...rest, points: given.map((point) => ({ ...point, time_from_start: point.time_from_start! - start })) };
  const points: TrajectoryPoint[] = [];
  for (const { positions } of given) {
    const last = points.at(-1);
    let duration = 0;
    for (const [j, x] of positions.entries()) {
      const way = Math.abs(x - (last?.positions[j] ?? x));
      if (way > SAME) duration = Math.max(duration, SHORTEST, way / (velocity[j] < Infinity ? velocity[j] : SPEED));
    }
    if (last === undefined || duration > 0)
      points.push({ time_from_start: (last?.time_from_start ?? 0) + duration, positions });
  }
  // The last state is kept exactly.
  const end = points.pop()!;
  const { positions } = given[given.length - 1];
  return { ...rest, interpolation: 'linear', points: [...points, { ...end, positions }] };
}
