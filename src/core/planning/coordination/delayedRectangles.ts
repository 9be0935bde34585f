import type { TimeRectangle } from './freeRectangles.ts';

/**
 * Returns the part of the free rectangles in which either robot may be late by `delay`: all points up to so far to the
 * left, and all points up to so far below, are free, too. The result is a list of closed rectangles with disjoint
 * interiors.
 * @param blocked the rest of the diagram
 * @param delay seconds, 0 or more
 */
export function delayedRectangles(
  free: readonly TimeRectangle[],
  blocked: readonly TimeRectangle[],
  delay: number,
): TimeRectangle[] {
  const shadows = blocked.flatMap(([x0, x1, y0, y1]): TimeRectangle[] => [
    [x0, x1 + delay, y0, y1],
    [x0, x1, y0, y1 + delay],
  ]);
  return free.flatMap((rectangle) => {
    let pieces = [rectangle];
    for (const shadow of shadows) {
      if (isApart(rectangle, shadow)) continue;
      pieces = pieces.flatMap((piece) => (isApart(piece, shadow) ? [piece] : difference(piece, shadow)));
    }
    return pieces;
  });
}

/** Returns true if two rectangles have no inner point in common. */
const isApart = ([x0, x1, y0, y1]: TimeRectangle, [a0, a1, b0, b1]: TimeRectangle): boolean =>
  a1 <= x0 || x1 <= a0 || b1 <= y0 || y1 <= b0;

/** The part of a rectangle outside the interior of another one: at most four rectangles. */
function difference([x0, x1, y0, y1]: TimeRectangle, [a0, a1, b0, b1]: TimeRectangle): TimeRectangle[] {
  const [from, to] = [Math.max(x0, a0), Math.min(x1, a1)];
  const parts: TimeRectangle[] = [];
  if (x0 < from) parts.push([x0, from, y0, y1]);
  if (to < x1) parts.push([to, x1, y0, y1]);
  if (y0 < b0) parts.push([from, to, y0, b0]);
  if (b1 < y1) parts.push([from, to, b1, y1]);
  return parts;
}
