import { InputError } from '../../errors.ts';
import { cubeRoot, fastestPhases, type Phases, phaseEnds, type RateLimits } from './restToRest.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from './trajectory.ts';

/** Knot times are whole microseconds: short decimals in every file, and the same curve in formats with nanoseconds. */
const TICKS_PER_SECOND = 1e6;
/** Minimum duration of a phase, seconds, also of a motion without limits. Control cycles take 1 to 8 ms. */
const MIN_PHASE = 1e-3;
/**
 * Fraction of each limit that is not used, so that cubics computed from the written decimals still satisfy the limit.
 */
const HEADROOM = 1e-6;
/** Fraction of each limit that the rounding of positions may use, within the headroom. */
const ROUNDING_SHARE = 0.4 * HEADROOM;
/** Relative error of a rounded number. */
const ROUNDING = 2 ** -53;
/** Ticks: a duration that exceeds a whole number of ticks by less than this is rounded down. */
const TICK_TOLERANCE = 1e-6;
/** Seconds: a shorter hold or cruise is a rounding error and is omitted. */
const NEGLIGIBLE_PHASE = 1e-12;

/**
 * Time parameterization: computes the fastest motion along a polyline that stops at every corner, with all joints
 * synchronised. Velocity, acceleration and finite jerk limits hold at every instant. Knots are placed where the
 * acceleration (or jerk) changes, so that the cubics between them are exactly the straight joint-space lines. Collinear
 * waypoints are passed without a stop. The motion starts at time 0; a path without motion gives a single point.
 * @param path at least one waypoint, each with one finite value per joint
 * @param limits positive for joints that move; Infinity: unlimited (phases still take at least a millisecond)
 */
export function timeParameterize(
  path: readonly ArrayLike<number>[],
  jointNames: readonly string[],
  limits: MotionLimits,
): Trajectory {
  requirePath(path, jointNames);
  const corners = cornersOf(path);
  const points: TrajectoryPoint[] = [];
  let ticks = 0;
  for (let i = 1; i < corners.length; i++) {
    const phases = phasesOf(corners[i - 1], corners[i], jointNames, limits);
    const ends = phaseEnds(phases);
    for (const end of ends.slice(0, -1)) points.push(pointAt(corners[i - 1], corners[i], end, ticks));
    ticks += ticksOf(ends[ends.length - 1].time);
  }
  points.push(restAt(corners[corners.length - 1], ticks));
  return { jointNames, points };
}

/** Returns the fastest phases of one straight segment, rounded up to whole ticks. */
function phasesOf(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  jointNames: readonly string[],
  limits: MotionLimits,
): Phases {
  requireMovable(from, to, jointNames, limits);
  const { ramp, hold, cruise } = fastestPhases(rateLimitsOf(from, to, limits));
  const shortest = shortestPhaseOf(from, to, limits);
  const longEnough = (phase: number) => wholeTicks(Math.max(phase, shortest));
  const phases = {
    ramp: ramp > 0 ? longEnough(ramp) : 0,
    // without ramps, the hold is the acceleration phase
    hold: ramp === 0 || hold > NEGLIGIBLE_PHASE ? longEnough(hold) : 0,
    cruise: cruise > NEGLIGIBLE_PHASE ? longEnough(cruise) : 0,
  };
  if (!Number.isSafeInteger(ticksOf(4 * phases.ramp + 2 * phases.hold + phases.cruise))) {
    throw new InputError(
      `limits of ${jointNames.join(', ')}: a motion from ${list(from)} to ${list(to)} would take centuries`,
      'State limits in rad/s and rad/s^2, of prismatic joints in m/s and m/s^2.',
    );
  }
  return phases;
}

/** Returns the limits on the derivatives of s: the minimum over all moving joints. */
function rateLimitsOf(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): RateLimits {
  const minRate = (bounds: ArrayLike<number>) => {
    let rate = Number.POSITIVE_INFINITY;
    for (let j = 0; j < from.length; j++) {
      const way = Math.abs(to[j] - from[j]);
      if (way > 0) rate = Math.min(rate, ((1 - HEADROOM) * bounds[j]) / way);
    }
    return rate;
  };
  const lineRate = limits.lineRate?.(from, to) ?? Number.POSITIVE_INFINITY;
  const velocity = Math.min(minRate(limits.velocity), (1 - HEADROOM) * lineRate);
  return { velocity, acceleration: minRate(limits.acceleration), jerk: minRate(limits.jerk) };
}

/**
 * Returns the minimum duration T of a phase for which rounding is negligible: rounding errors e of the positions change
 * a cubic of duration T by 12e/T² in acceleration and 24e/T³ in jerk, which must be at most ROUNDING_SHARE of the
 * limits.
 */
function shortestPhaseOf(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): number {
  let shortest = MIN_PHASE;
  for (let j = 0; j < from.length; j++) {
    const way = Math.abs(to[j] - from[j]);
    if (way === 0) continue;
    const e = ROUNDING * (Math.max(Math.abs(from[j]), Math.abs(to[j])) + way);
    const ofAcceleration = Math.sqrt((12 * e) / (ROUNDING_SHARE * limits.acceleration[j]));
    const ofJerk = cubeRoot((24 * e) / (ROUNDING_SHARE * limits.jerk[j]));
    shortest = Math.max(shortest, ofAcceleration, ofJerk);
  }
  return shortest;
}

/** Rounds a duration (seconds) up to whole ticks. */
function wholeTicks(duration: number): number {
  return Math.ceil(duration * TICKS_PER_SECOND - TICK_TOLERANCE) / TICKS_PER_SECOND;
}

const ticksOf = (seconds: number) => Math.round(seconds * TICKS_PER_SECOND);

/** Returns the knot at the end of a phase. Adding 0 turns −0 into 0, which file formats do not distinguish. */
function pointAt(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  end: { time: number; s: number; velocity: number },
  startTicks: number,
): TrajectoryPoint {
  const joints = Array.from(from, (start, j) => ({ start, way: to[j] - start }));
  return {
    time_from_start: (startTicks + ticksOf(end.time)) / TICKS_PER_SECOND,
    positions: joints.map(({ start, way }) => start + end.s * way + 0),
    velocities: joints.map(({ way }) => end.velocity * way + 0),
  };
}

/** Returns a knot at rest. */
function restAt(q: ArrayLike<number>, ticks: number): TrajectoryPoint {
  const zeros = Array.from(q, () => 0);
  return {
    time_from_start: ticks / TICKS_PER_SECOND,
    positions: Array.from(q, (x) => x + 0),
    velocities: zeros,
  };
}

/** Throws `InputError` if the path is empty, or if a waypoint does not have one finite value per joint. */
export function requirePath(path: readonly ArrayLike<number>[], jointNames: readonly string[]): void {
  if (path.length === 0) throw new InputError('the path has no points', 'Give at least the start state.');
  for (const [i, q] of path.entries()) {
    if (q.length === jointNames.length && Array.from(q).every(Number.isFinite)) continue;
    throw new InputError(`path[${i}] is ${list(q)}`, `A point has ${jointNames.length} finite values.`);
  }
}

/** Throws `InputError` if a joint that moves has a limit that is not positive. */
function requireMovable(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  jointNames: readonly string[],
  limits: MotionLimits,
): void {
  for (const rate of ['velocity', 'acceleration', 'jerk'] as const) {
    const j = jointNames.findIndex((_, i) => from[i] !== to[i] && !(limits[rate][i] > 0));
    if (j < 0) continue;
    throw new InputError(
      `limits.${jointNames[j]}.${rate} is ${limits[rate][j]}, and the path moves the joint`,
      'Give a positive limit, or omit it if the joint has none.',
    );
  }
}

const list = (q: ArrayLike<number>) => `[${Array.from(q).join(', ')}]`;

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
