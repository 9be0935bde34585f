/**
 * Tolerance (rad or m, each joint): a waypoint this near to the straight line between its neighbors is not a corner.
 * Interpolated waypoints deviate by rounding errors of about 1e-15; the path that was checked changes by at most a
 * picometre. Larger values would cut corners.
 */
const STRAIGHTNESS = 1e-12;

/**
 * Returns the corners of a polyline: removes repeated waypoints and those on the straight line between the previous and
 * the next corner. Both ends are kept exactly. A path without motion is reduced to a single point.
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
 * Corners nearer to the previous one than this (rad or m, each joint) are removed if the path without them is
 * collision-free.
 */
const TINY_STEP = 1e-6;

/**
 * Removes inner corners that follow another one at less than TINY_STEP, if `isFreeLine` holds for every new straight
 * line; otherwise returns all corners. A blend cannot be longer than the segments beside it, so that a tiny segment
 * would almost stop the motion.
 */
export function removeTinySegments(
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
 * Returns the index of the last waypoint of the straight run that starts at path[from]. The funnel is the set of
 * directions that pass all waypoints so far within the tolerance, so that each waypoint is tested once:
 *
 *     from ·────────·──────·────< funnel
 *
 * A waypoint inside the funnel continues the run; one outside, or one that moves back, starts the next run.
 */
function endOfStraightRun(path: readonly ArrayLike<number>[], from: number): number {
  const start = path[from];
  const minSlope = new Float64Array(start.length).fill(Number.NEGATIVE_INFINITY);
  const maxSlope = new Float64Array(start.length).fill(Number.POSITIVE_INFINITY);
  let farthest = 0;
  for (let i = from + 1; i < path.length; i++) {
    const q = path[i];
    const length = largestStep(start, q);
    const continuesRun =
      length >= farthest - STRAIGHTNESS && (length === 0 || isInside(minSlope, maxSlope, start, q, length));
    if (!continuesRun) return i - 1;
    farthest = Math.max(farthest, length);
    if (length > 0) narrow(minSlope, maxSlope, start, q, length);
  }
  return path.length - 1;
}

/** Returns true if the direction from `start` to q is inside the funnel. */
function isInside(
  minSlope: Float64Array,
  maxSlope: Float64Array,
  start: ArrayLike<number>,
  q: ArrayLike<number>,
  length: number,
) {
  for (let j = 0; j < minSlope.length; j++) {
    const slope = (q[j] - start[j]) / length;
    if (slope < minSlope[j] || slope > maxSlope[j]) return false;
  }
  return true;
}

/** Intersects the funnel with the directions that pass q within the tolerance. */
function narrow(
  minSlope: Float64Array,
  maxSlope: Float64Array,
  start: ArrayLike<number>,
  q: ArrayLike<number>,
  length: number,
): void {
  const width = STRAIGHTNESS / length;
  for (let j = 0; j < minSlope.length; j++) {
    const slope = (q[j] - start[j]) / length;
    minSlope[j] = Math.max(minSlope[j], slope - width);
    maxSlope[j] = Math.min(maxSlope[j], slope + width);
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
