import { InputError } from '../errors.ts';
import { cornersOf } from './corners.ts';
import { cubeRoot, fastestPhases, type Phases, phaseEnds, type RateLimits } from './restToRest.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from './trajectory.ts';

/** Knots stand on whole microseconds: short decimals in every file, and the same curve in formats that count nanoseconds. */
const TICKS_PER_SECOND = 1e6;
/** Seconds. No phase is shorter; where nothing bounds a motion this is what is left. Controllers are asked every 1 to 8 ms. */
const SHORTEST_PHASE = 1e-3;
/** Share of each limit that is left unused: the cubics that others compute from the written decimals must still keep the limit. */
const HEADROOM = 1e-6;
/** Share of each limit that rounded positions may seem to use up, within the headroom. */
const ROUNDING_SHARE = 0.4 * HEADROOM;
/** Relative error of a rounded number. */
const ROUNDING = 2 ** -53;
/** Ticks: what a duration may exceed a whole number of them by and be rounding. */
const TICK_SLACK = 1e-6;
/** Seconds: a hold or a cruise as short as this is rounding. */
const NO_PHASE = 1e-12;

/**
 * The fastest motion along the polyline that rests at every corner and keeps all joints in step: velocity, acceleration and, where finite,
 * jerk limits hold at every moment. Knots stand where the acceleration (or jerk) changes, so that the cubic pieces between them are the
 * straight joint-space lines themselves. Waypoints at which the path does not turn are passed without a stop. It begins at time 0;
 * a path that stays where it is gives a single point.
 * @param path at least one point, all of as many finite values as there are joints
 * @param limits positive for joints that move; Infinity bounds nothing, and no phase is shorter than a millisecond even then
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

/** The fastest phases of one straight segment, lengthened to whole ticks. */
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
    hold: ramp === 0 || hold > NO_PHASE ? longEnough(hold) : 0, // without ramps it is the hold that speeds up
    cruise: cruise > NO_PHASE ? longEnough(cruise) : 0,
  };
  if (!Number.isSafeInteger(ticksOf(4 * phases.ramp + 2 * phases.hold + phases.cruise))) {
    throw new InputError(
      `limits of ${jointNames.join(', ')}: a motion from ${list(from)} to ${list(to)} would take centuries`,
      'State limits in rad/s and rad/s^2.',
    );
  }
  return phases;
}

/** What the joint that is worst off allows s. */
function rateLimitsOf(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): RateLimits {
  const least = (bounds: ArrayLike<number>) => {
    let rate = Number.POSITIVE_INFINITY;
    for (let j = 0; j < from.length; j++) {
      const way = Math.abs(to[j] - from[j]);
      if (way > 0) rate = Math.min(rate, ((1 - HEADROOM) * bounds[j]) / way);
    }
    return rate;
  };
  return { velocity: least(limits.velocity), acceleration: least(limits.acceleration), jerk: least(limits.jerk) };
}

/**
 * Positions are off by their rounding e, and a cubic of length T that is computed from them by 12e/T² in acceleration and 24e/T³ in jerk:
 * this is the T from which on that is a small share of the limits.
 */
function shortestPhaseOf(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): number {
  let shortest = SHORTEST_PHASE;
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

/** Seconds, rounded up to whole ticks. */
function wholeTicks(duration: number): number {
  return Math.ceil(duration * TICKS_PER_SECOND - TICK_SLACK) / TICKS_PER_SECOND;
}

const ticksOf = (seconds: number) => Math.round(seconds * TICKS_PER_SECOND);

/** The knot at a phase's end. Adding 0 turns −0 into 0, which no file can tell apart. */
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

function restAt(q: ArrayLike<number>, ticks: number): TrajectoryPoint {
  const zeros = Array.from(q, () => 0);
  return {
    time_from_start: ticks / TICKS_PER_SECOND,
    positions: Array.from(q, (x) => x + 0),
    velocities: zeros,
  };
}

/** Throws InputError for a path without points, or with one that has not as many finite values as there are joints. */
export function requirePath(path: readonly ArrayLike<number>[], jointNames: readonly string[]): void {
  if (path.length === 0) throw new InputError('the path has no points', 'Give at least its start.');
  for (const [i, q] of path.entries()) {
    if (q.length === jointNames.length && Array.from(q).every(Number.isFinite)) continue;
    throw new InputError(`path[${i}] is ${list(q)}`, `A point has ${jointNames.length} finite values.`);
  }
}

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
      'Give a positive limit, or leave it out where nothing bounds the joint.',
    );
  }
}

const list = (q: ArrayLike<number>) => `[${Array.from(q).join(', ')}]`;
