import type { Arc, TimeSpan } from '../../core/trajectory/retiming/arc.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';

/** Returns the times of the given trajectory at which it passes the arcs that it contains. */
export const spansOf = (arcs: readonly Arc[]): TimeSpan[] => arcs.flatMap(({ given }) => (given ? [given] : []));

/** Returns the least and the greatest time of a trajectory. */
export function rangeOfTimes({ points }: Trajectory): [number, number] {
  const times = points.map(({ time_from_start: time }) => time!);
  return [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
}

/** Returns the times of a trajectory that no span contains. */
export function complementOf(kept: readonly TimeSpan[], { points }: Trajectory): [number, number][] {
  const start = points[0].time_from_start ?? 0;
  const end = points[points.length - 1].time_from_start ?? points.length - 1;
  const gaps: [number, number][] = [];
  let from = start;
  for (const span of kept) {
    if (span.from > from) gaps.push([from, span.from]);
    from = Math.max(from, span.to);
  }
  return from < end ? [...gaps, [from, end]] : gaps;
}
