/**
 * How far (rad or m, each joint) a waypoint may lie off the straight line between its neighbours and still be no corner. Waypoints that
 * were interpolated are off by their rounding, some 1e-15; what was checked moves by a picometre at most. Larger values would cut corners.
 */
const STRAIGHTNESS = 1e-12;

/**
 * The polyline without the points at which it does not turn: repeated ones and those on the way from the corner before to the corner after.
 * The ends are kept to the bit. One point is left of a path that stays where it is.
 */
export function cornersOf(path: readonly ArrayLike<number>[]): ArrayLike<number>[] {
  const corners = [path[0]];
  for (let i = 0; i < path.length - 1; ) {
    i = endOfStraightRun(path, i);
    if (!areEqual(corners[corners.length - 1], path[i])) corners.push(path[i]);
  }
  return corners;
}

/** Corners nearer to the one before than this (rad or m, each joint) are left out, where the way without them is free. */
const TINY_STEP = 1e-6;

/**
 * The corners without the inner ones that follow another by a tiny step, if `isFreeLine` holds for every straight line that is new then; all
 * of them if not. A corner cannot be cut wider than the steps beside it are long, and so a tiny step would all but stop the motion.
 */
export function withoutTinySteps(
  corners: readonly ArrayLike<number>[],
  isFreeLine: (from: ArrayLike<number>, to: ArrayLike<number>) => boolean,
): readonly ArrayLike<number>[] {
  const last = corners.length - 1;
  const kept = [0];
  const isTiny = (i: number, k: number) => largestStep(corners[i], corners[k]) < TINY_STEP;
  for (let i = 1; i < last; i++) if (!isTiny(kept[kept.length - 1], i)) kept.push(i);
  while (kept.length > 1 && isTiny(kept[kept.length - 1], last)) kept.pop();
  if (last > 0) kept.push(last);
  if (kept.length === corners.length) return corners;
  const areFree = kept.every(
    (i, k) => k === 0 || i === kept[k - 1] + 1 || isFreeLine(corners[kept[k - 1]], corners[i]),
  );
  return areFree ? kept.map((i) => corners[i]) : corners;
}

/**
 * The last point that one straight line from path[from] reaches past all points between. Each point passed leaves a funnel of directions
 * that pass it within the tolerance, so that a point costs one look:
 *
 *     from ·────────·──────·────< funnel    a point inside goes on, one outside, or one that comes back, begins the next run
 */
function endOfStraightRun(path: readonly ArrayLike<number>[], from: number): number {
  const start = path[from];
  const least = new Float64Array(start.length).fill(Number.NEGATIVE_INFINITY);
  const most = new Float64Array(start.length).fill(Number.POSITIVE_INFINITY);
  let farthest = 0;
  for (let i = from + 1; i < path.length; i++) {
    const q = path[i];
    const length = largestStep(start, q);
    const goesOn = length >= farthest - STRAIGHTNESS && (length === 0 || isInside(least, most, start, q, length));
    if (!goesOn) return i - 1;
    farthest = Math.max(farthest, length);
    if (length > 0) narrow(least, most, start, q, length);
  }
  return path.length - 1;
}

function isInside(
  least: Float64Array,
  most: Float64Array,
  start: ArrayLike<number>,
  q: ArrayLike<number>,
  length: number,
) {
  for (let j = 0; j < least.length; j++) {
    const slope = (q[j] - start[j]) / length;
    if (slope < least[j] || slope > most[j]) return false;
  }
  return true;
}

function narrow(
  least: Float64Array,
  most: Float64Array,
  start: ArrayLike<number>,
  q: ArrayLike<number>,
  length: number,
): void {
  const width = STRAIGHTNESS / length;
  for (let j = 0; j < least.length; j++) {
    const slope = (q[j] - start[j]) / length;
    least[j] = Math.max(least[j], slope - width);
    most[j] = Math.min(most[j], slope + width);
  }
}

function largestStep(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let j = 0; j < a.length; j++) largest = Math.max(largest, Math.abs(b[j] - a[j]));
  return largest;
}

function areEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let j = 0; j < a.length; j++) if (a[j] !== b[j]) return false;
  return true;
}
