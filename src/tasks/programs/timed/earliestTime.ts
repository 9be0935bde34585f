import { wholeNanoseconds } from '../../../core/trajectory/roundedTimes.ts';

/** Number of intervals into which a range of times is divided, and their minimum length, seconds. */
const INTERVALS = 48;
const MIN_INTERVAL = 0.02;
/** Halvings of the interval before the first time that is valid. */
const REFINEMENTS = 6;
/** Seconds: shorter intervals are not divided. */
const RESOLUTION = 1e-3;

/**
 * Returns the earliest valid time found in a range, a whole number of nanoseconds; undefined if none is found. Valid
 * times between two invalid samples are missed.
 */
export function earliestTime(first: number, last: number, isValid: (time: number) => boolean): number | undefined {
  const begin = roundedUp(first);
  if (isValid(begin)) return begin;
  const count = Math.max(1, Math.min(INTERVALS, Math.ceil((last - begin) / MIN_INTERVAL)));
  let invalid = begin;
  for (let k = 1; k <= count; k++) {
    const time = wholeNanoseconds(k === count ? last : begin + (k / count) * (last - begin));
    if (!(time > invalid)) return undefined;
    if (!isValid(time)) {
      invalid = time;
      continue;
    }
    let valid = time;
    for (let i = 0; i < REFINEMENTS && valid - invalid > RESOLUTION; i++) {
      const middle = wholeNanoseconds(0.5 * (invalid + valid));
      if (isValid(middle)) valid = middle;
      else invalid = middle;
    }
    return valid;
  }
  return undefined;
}

/** Rounds a time up to a whole number of nanoseconds. */
function roundedUp(time: number): number {
  const rounded = wholeNanoseconds(time);
  return rounded >= time ? rounded : wholeNanoseconds(time + 1e-9);
}
