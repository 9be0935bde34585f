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
