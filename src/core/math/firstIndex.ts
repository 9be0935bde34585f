/**
 * Returns the first index below `size` at which a condition holds, by bisection; `size` if it holds nowhere. The
 * condition must hold at all indices after one at which it holds.
 */
export function firstIndex(size: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
