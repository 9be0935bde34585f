/**
 * For how long a fixed direction separates a pair around the middle of an interval. Mutable: passed instead of numbers,
 * because floating-point arguments and results of calls that are not inlined are allocated on the heap.
 */
export interface SeparationTimes {
  /** Input: gap along the direction at the middle, metres, > 0. */
  gap: number;
  /** Output: lower bounds on the times before and after the middle for which the gap stays open, unit of t. */
  before: number;
  after: number;
}

/**
 * Returns the first t > 0 with gap − v t − A t²/2 = 0 for an approach speed v; Infinity if the gap never closes, 0 if
 * an argument is NaN. Of the two forms of the root, the one without cancellation is evaluated.
 */
export function timeToClose(gap: number, approach: number, acceleration: number): number {
  const root = Math.sqrt(approach * approach + 2 * acceleration * gap);
  if (approach > 0) return (2 * gap) / (approach + root);
  if (acceleration > 0) return (root - approach) / acceleration;
  return approach <= 0 && acceleration === 0 ? Number.POSITIVE_INFINITY : 0; // 0 if NaN
}
