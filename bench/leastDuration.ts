const HALVINGS = 60;
/** Squared pace of an interval without limits. */
const MAX_SQUARE = 1e12;

/** |factor · u + square · x + fixed| <= limit. */
export interface PaceRow {
  readonly factor: number;
  readonly square: number;
  readonly fixed: number;
  readonly limit: number;
}

/**
 * Least duration of the motion along a curve: dynamic programming over the squared pace x at the points of a grid. In
 * each interval, x changes linearly, by 2 u times its length, and the rows hold for x in its middle.
 * @param steps lengths of the intervals in the parameter of the curve
 * @param rows limits in the middle of each interval
 * @param most upper bounds of x at the points of the grid; reduced to those from which the motion can continue
 */
export function leastDurationOnGrid(
  steps: ArrayLike<number>,
  rows: readonly (readonly PaceRow[])[],
  most: Float64Array,
): number {
  const count = rows.length;
  // From the end: the highest x at the start of each interval from which the motion can continue; then the highest x.
  for (let i = count - 1; i >= 0; i--) {
    if (rangeOf(rows[i], steps[i], most[i], most[i + 1])) continue;
    let [low, high] = [0, Math.min(most[i], MAX_SQUARE)];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (low + high);
      if (rangeOf(rows[i], steps[i], middle, most[i + 1])) low = middle;
      else high = middle;
    }
    most[i] = low;
  }
  let duration = 0;
  for (let i = 0, x = most[0]; i < count; i++) {
    const range = rangeOf(rows[i], steps[i], x, most[i + 1]);
    const next = range ? Math.min(most[i + 1], Math.max(0, x + 2 * steps[i] * range[1])) : 0;
    duration += (2 * steps[i]) / (Math.sqrt(x) + Math.sqrt(next));
    x = next;
  }
  return duration;
}

/** The range of u for x at the start of an interval and at most `next` at its end; undefined if it is empty. */
function rangeOf(
  rows: readonly PaceRow[],
  step: number,
  x: number,
  next: number,
): readonly [number, number] | undefined {
  let [low, high] = [-x / (2 * step), (next - x) / (2 * step)];
  for (const { factor, square, fixed, limit } of rows) {
    const [slope, term] = [factor + square * step, square * x + fixed]; // x in the middle is x + u · step
    if (slope === 0 && Math.abs(term) > limit) return undefined;
    if (slope === 0) continue;
    const ends = [(-limit - term) / slope, (limit - term) / slope];
    [low, high] = [Math.max(low, Math.min(...ends)), Math.min(high, Math.max(...ends))];
  }
  return low <= high ? [low, high] : undefined;
}
