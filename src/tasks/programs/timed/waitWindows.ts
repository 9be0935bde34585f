import type { Configuration } from '../../../core/math/configuration.ts';
import type { TimedProofs } from '../../spaceTime/timedEdges.ts';

/** An interval of time, seconds; `to` may be Infinity. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Seconds: shorter intervals in which waiting is not proved valid are not divided further. */
const RESOLUTION = 1e-3;

/**
 * Returns the intervals of time in which waiting in a state is proved valid, in order, each as long as possible up to
 * the resolution.
 * @param from earliest begin of the first interval, seconds
 * @param end time from which on everything rests
 */
export function waitWindows(proofs: TimedProofs, q: Configuration, from: number, end: number): TimeWindow[] {
  const windows: { from: number; to: number }[] = [];
  const add = (start: number, stop: number) => {
    const last = windows.at(-1);
    if (last?.to === start) last.to = stop;
    else windows.push({ from: start, to: stop });
  };
  const search = (start: number, stop: number) => {
    if (proofs.isHoldValid(q, start, stop)) {
      add(start, stop);
      return;
    }
    if (stop - start <= RESOLUTION) return;
    const middle = 0.5 * (start + stop);
    search(start, middle);
    search(middle, stop);
  };
  if (end > from) search(from, end);
  const rest = Math.max(from, end);
  if (proofs.isHoldValid(q, rest, rest)) add(rest, Number.POSITIVE_INFINITY);
  return windows;
}
