import type { Configuration } from '../math/configuration.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import type { BlendSphere } from './blendSphere.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { insertedKnot } from './followLeg.ts';
import { cubicKnot, type LegKnot } from './legKnot.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Joint path of a motion without its timing: knots in increasing order of a parameter s from 0. */
export interface MotionPath {
  readonly knots: readonly LegKnot[];
  /** Line or arc that the knots are on; undefined: a free motion. */
  readonly leg: CartesianLeg | undefined;
}

/** Number of knots of a free motion, about. */
const FREE_KNOTS = 40;
/** Steps of the bisection of a cut. */
const BISECTIONS = 30;
/** Rates (rad/s or m/s) up to which a joint path is at rest. */
const REST = 1e-6;

/**
 * Returns the joint path of a free motion with its arc length as parameter; undefined if the motion stops between its
 * ends, or does not move.
 */
export function freePath(motion: Trajectory): MotionPath | undefined {
  const curve = new TrajectoryCurve(motion);
  const times = [curve.start];
  for (let k = 0; k < curve.pieces; k++) {
    const [from, to] = [curve.times[k], curve.times[k + 1]];
    const count = Math.max(1, Math.ceil((FREE_KNOTS * (to - from)) / (curve.end - curve.start)));
    for (let i = 1; i <= count; i++) times.push(i === count ? to : from + (i / count) * (to - from));
  }
  const knots: LegKnot[] = [];
  let s = 0;
  for (const [i, time] of times.entries()) {
    const isEnd = i === 0 || i === times.length - 1;
    const dq = directionAt(curve, time, isEnd);
    if (!dq) return undefined;
    const q = new Float64Array(curve.dof);
    curve.position(q, time);
    if (i > 0) s += lengthBetween(curve, times[i - 1], time);
    knots.push({ s, q, dq });
  }
  return { knots, leg: undefined };
}

/** Returns the unit vector along the joint path at a time; undefined at rest between the ends. */
function directionAt(curve: TrajectoryCurve, time: number, isEnd: boolean): Float64Array | undefined {
  const rates = new Float64Array(curve.dof);
  curve.velocity(rates, time);
  if (!(norm(rates) > REST)) {
    if (!isEnd) return undefined;
    // at rest, the direction next to the end
    const piece = time === curve.start ? 0 : curve.pieces - 1;
    const inner = (curve.times[piece + 1] - curve.times[piece]) * NEXT_TO_END;
    curve.velocity(rates, time === curve.start ? time + inner : time - inner);
  }
  const speed = norm(rates);
  return speed > 0 ? rates.map((rate) => rate / speed) : undefined;
}

/** Fraction of a piece at which the direction next to a rest is evaluated. */
const NEXT_TO_END = 1e-3;

/** Length of the joint path between two times, by Simpson's rule, which is exact for speeds that are quadratic. */
function lengthBetween(curve: TrajectoryCurve, from: number, to: number): number {
  const rates = new Float64Array(curve.dof);
  const speed = (t: number) => {
    curve.velocity(rates, t);
    return norm(rates);
  };
  return ((to - from) / 6) * (speed(from) + 4 * speed(0.5 * (from + to)) + speed(to));
}

function norm(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}

/** Evaluates the cubic Hermite interpolation of a path at s. */
export function knotAt({ knots }: MotionPath, s: number): LegKnot {
  const next = knots.findIndex((knot) => knot.s >= s);
  const k = Math.max(1, next < 0 ? knots.length - 1 : next);
  return cubicKnot(knots[k - 1], knots[k], s);
}

/**
 * Returns the parameter at which the tool leaves a sphere about one end of a path, from inside, by bisection; at most
 * `MAX_SHARE` of the path from that end. Excursions between the points of a coarse grid may be missed.
 */
export function blendCut(
  tracker: ToolTracker,
  path: MotionPath,
  { centre, radius }: BlendSphere,
  isEnd: boolean,
): number {
  const { knots } = path;
  const total = knots[knots.length - 1].s;
  const isOutside = (depth: number) => {
    const T = tracker.pose(knotAt(path, isEnd ? total - depth : depth).q);
    return Math.sqrt((T[3] - centre[0]) ** 2 + (T[7] - centre[1]) ** 2 + (T[11] - centre[2]) ** 2) > radius;
  };
  const most = MAX_SHARE * total;
  let inside = 0;
  let outside = most;
  const steps = FREE_KNOTS / 2;
  for (let i = 1; i <= steps; i++) {
    outside = (i / steps) * most;
    if (isOutside(outside)) break;
    inside = outside;
  }
  for (let i = 0; i < BISECTIONS && inside < outside; i++) {
    const middle = 0.5 * (inside + outside);
    if (isOutside(middle)) outside = middle;
    else inside = middle;
  }
  return isEnd ? total - inside : inside;
}

/** Share of a path that a blend at one of its ends may use. */
const MAX_SHARE = 0.45;

/** Returns a path with knots at the given parameters, in increasing order; undefined if a correction fails. */
export function withKnotsAt(tracker: ToolTracker, path: MotionPath, cuts: readonly number[]): MotionPath | undefined {
  const { knots, leg } = path;
  const total = knots[knots.length - 1].s;
  const out: LegKnot[] = [];
  for (const s of cuts) {
    if (s === 0 || s === total) continue;
    const k = knots.findLastIndex((knot) => knot.s <= s);
    const between = () => (leg ? insertedKnot(tracker, leg, knots[k], knots[k + 1], s) : knotAt(path, s));
    const made = knots[k].s === s ? knots[k] : between();
    if (!made) return undefined;
    out.push(made);
  }
  const isKept = ({ s }: LegKnot) => s === 0 || s === total || cuts.every((cut) => Math.abs(s - cut) > CLOSE * total);
  const kept = knots.filter(isKept);
  return { leg, knots: [...kept, ...out].sort((one, other) => one.s - other.s) };
}

/** Share of a path: knots that are closer to a cut are left out. */
const CLOSE = 1e-3;

/** Returns a path that is moved by constant joint values, full turns, to begin at a configuration. */
export function shiftedPath({ knots, leg }: MotionPath, start: Configuration): MotionPath {
  const shift = start.map((value, j) => value - knots[0].q[j]);
  if (shift.every((value) => value === 0)) return { knots, leg };
  return { leg, knots: knots.map((knot) => ({ ...knot, q: knot.q.map((value, j) => value + shift[j]) })) };
}
