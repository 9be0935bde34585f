import type { TrajectorySegment } from './trajectory.ts';

/**
 * Returns segments whose times are off by rounding so that they divide [start, end]: each begins where the one before
 * it ends. Otherwise what the motion does in a gap, however short, would belong to no segment.
 */
export function closedSegments<S extends Pick<TrajectorySegment, 'from' | 'to'>>(
  segments: readonly S[],
  start: number,
  end: number,
): S[] {
  let from = start;
  return segments.map((segment, k) => {
    const to = Math.max(from, k + 1 < segments.length ? segment.to : end);
    const closed = { ...segment, from, to };
    from = to;
    return closed;
  });
}

/** Returns the end of the last segment before a step, seconds; `start` if there is none. */
export const endBefore = (segments: readonly TrajectorySegment[], step: number, start: number): number =>
  segments.findLast((segment) => segment.step < step)?.to ?? start;
