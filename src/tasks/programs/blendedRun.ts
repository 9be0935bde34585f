import { type JoinedPath, joinedPath } from '../../core/cartesian/joinedPath.ts';
import type { LegTools } from '../../core/cartesian/legTools.ts';
import { hasLimit, refinedNear } from '../../core/cartesian/planLeg.ts';
import type { SmoothRules } from '../../core/cartesian/splines/pathSpline.ts';
import { smoothPieces } from '../../core/cartesian/splines/smoothPieces.ts';
import { timePieces } from '../../core/cartesian/timeLeg.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { wholeNanoseconds, withRoundedTimes } from '../../core/trajectory/roundedTimes.ts';
import type { MotionLimits, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { RunChecks } from './checks/runChecks.ts';
import type { RunMotion, TimedRun } from './programRun.ts';

/** Number of times that a run is changed where it cannot be proved. */
const MAX_CHANGES = 40;
/** Number of times that a blend is halved before the robot stops instead. */
const MAX_HALVINGS = 3;
/** Factor by which the used fraction of the limits is reduced after they were exceeded. */
const BACKED_OFF = 0.999;
/** Share of the tolerance by which splines may deviate from the joint path. */
const NEAR = 0.2;
/** Intervals between the points of splines, seconds: the next one where the path is not within its tolerance. */
const INTERVALS = [0.02, 0.01, 0.005, 0.0025];

/**
 * Times the motions of a run with blends between them: all are joined to one joint path, which is as fast as the limits
 * of each piece allow. If a part of the result is not proved, knots are added to its line or arc, or the nearest blend
 * is halved and finally replaced by a stop. Robots with jerk limits get one spline with continuous accelerations over
 * all motions. Undefined if no blend remains.
 * @param radii of the blends after each motion but the last, metres; 0: a stop
 */
export function blendedRun(
  tools: LegTools,
  limits: MotionLimits,
  given: readonly RunMotion[],
  radii: readonly number[],
  checks: RunChecks,
): TimedRun | undefined {
  const isSmooth = hasLimit(limits.jerk);
  const motions = [...given];
  const halvings = radii.map(() => 0);
  const radiiNow = [...radii];
  let share = 1;
  let interval = isSmooth ? INTERVALS[0] : 0;
  for (let change = 0; change < MAX_CHANGES && radiiNow.some((radius) => radius > 0); change++) {
    if (tools.interrupt?.()) return undefined;
    const run = timedRun(tools, limits, motions, radiiNow, share, interval);
    if (!run) return undefined;
    const fault = checks.faultOf(run, radiiNow);
    if (!fault) return run;
    if (fault.kind === 'rate') {
      share *= BACKED_OFF / (fault.factor ?? 1);
      continue;
    }
    const at = motionAt(run, fault.time);
    if (isSmooth && fault.kind === 'path' && interval > INTERVALS[INTERVALS.length - 1]) {
      interval = INTERVALS[INTERVALS.indexOf(interval) + 1];
      continue;
    }
    if (fault.kind === 'path' && at.blend === undefined && refine(tools, motions, at.motion, run, fault.time)) continue;
    const blend = nearestBlend(run, fault.time);
    if (blend < 0) return undefined;
    radiiNow[blend] = ++halvings[blend] > MAX_HALVINGS ? 0 : 0.5 * radiiNow[blend];
  }
  return undefined;
}

/**
 * Times the motions between stops, each part as fast as possible, and joins them.
 * @param interval between the points of splines for robots with jerk limits, seconds; 0 for robots without
 */
function timedRun(
  tools: LegTools,
  limits: MotionLimits,
  motions: readonly RunMotion[],
  radii: readonly number[],
  share: number,
  interval: number,
): TimedRun | undefined {
  const points: TrajectoryPoint[] = [];
  const ends: number[] = [];
  const blends: (readonly [number, number] | undefined)[] = [];
  for (let first = 0; first < motions.length; ) {
    let last = first;
    while (last < radii.length && radii[last] > 0) last++;
    const part = motions.slice(first, last + 1);
    const path = joinedPath(
      tools.tracker,
      part.map((motion) => motion.path),
      radii.slice(first, last),
      interval > 0,
    );
    const timed = path && timedPart(tools, limits, part, path, share, interval);
    if (!path || !timed) return undefined;
    const start = points.at(-1)?.time_from_start ?? 0;
    const at = (time: number) => wholeNanoseconds(start + time);
    for (const [k, point] of timed.points.entries())
      if (k > 0 || first === 0) points.push({ ...point, time_from_start: at(point.time_from_start!) });
    // the middles of blends are at points
    const nearest = (time: number) =>
      timed.points.reduce(
        (best, { time_from_start: t }) => (Math.abs(t! - time) < Math.abs(best - time) ? t! : best),
        0,
      );
    ends.push(...path.middles.map((k) => at(nearest(timed.times[k]))), points[points.length - 1].time_from_start!);
    blends.push(...path.blends.map(([from, to]) => [at(timed.times[from]), at(timed.times[to])] as const), undefined);
    first = last + 1;
  }
  blends.pop(); // after the last motion
  const jointNames = tools.tracker.model.variables.map(({ name }) => name);
  return { trajectory: { jointNames, points, interpolation: 'cubic' }, ends, blends };
}

/** The points of a motion, and the time at which each knot of its path is reached, seconds. */
interface TimedPart {
  readonly points: readonly TrajectoryPoint[];
  readonly times: ArrayLike<number>;
}

function timedPart(
  { tracker }: LegTools,
  limits: MotionLimits,
  part: readonly RunMotion[],
  { knots, motions }: JoinedPath,
  share: number,
  interval: number,
): TimedPart | undefined {
  const twist = new Float64Array(6);
  const speeds = knots.map(({ q, dq }) => {
    tracker.twist(twist, q, dq);
    return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]); // metres per unit of s
  });
  const rules = motions.map((index, k): SmoothRules => {
    const { step } = part[index];
    const tcpSpeed = share * part[index].tcpSpeed;
    const fastest = Math.max(speeds[k], speeds[k + 1]);
    const pathSpeed = fastest > 0 ? tcpSpeed / fastest : Number.POSITIVE_INFINITY;
    return { speed: share * step.speed, acceleration: share * step.acceleration, pathSpeed, tcpSpeed };
  });
  const most = (key: 'position' | 'angle') => NEAR * Math.min(...part.map(({ step }) => step.tolerance[key]));
  const near = { position: most('position'), angle: most('angle') };
  if (interval > 0) return smoothPieces(tracker, knots, limits, rules, { interval, near });
  const points = timePieces(knots, limits, rules).map(({ point }) => point);
  const jointNames = tracker.model.variables.map(({ name }) => name);
  const rounded = withRoundedTimes({ jointNames, points, interpolation: 'cubic' }, limits)?.points;
  return rounded && { points: rounded, times: rounded.map((point) => point.time_from_start!) };
}

/** Returns the motion at a time of a run, and the blend if it is in one. */
function motionAt({ ends, blends }: TimedRun, time: number): { motion: number; blend: number | undefined } {
  const motion = ends.findIndex((end) => time <= end);
  const blend = blends.findIndex((interval) => interval && time >= interval[0] && time <= interval[1]);
  return { motion: motion < 0 ? ends.length - 1 : motion, blend: blend < 0 ? undefined : blend };
}

function nearestBlend({ blends }: TimedRun, time: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [k, interval] of blends.entries()) {
    if (!interval) continue;
    const away = Math.max(interval[0] - time, time - interval[1], 0);
    if (away < least) {
      least = away;
      best = k;
    }
  }
  return best;
}

/** Adds knots to the line or arc of a motion around its position at a time; returns false if it has no line or arc. */
function refine(tools: LegTools, motions: RunMotion[], index: number, run: TimedRun, time: number): boolean {
  const motion = motions[index];
  const { leg, knots } = motion.path;
  if (!leg || knots.length > MAX_KNOTS) return false;
  const q: Configuration = new Float64Array(tools.tracker.model.dof);
  new TrajectoryCurve(run.trajectory).position(q, time);
  const away = (k: number) => knots[k].q.reduce((sum, value, j) => sum + Math.abs(value - q[j]), 0);
  let piece = 0;
  for (let k = 0; k + 1 < knots.length; k++) if (away(k) + away(k + 1) < away(piece) + away(piece + 1)) piece = k;
  const refined = refinedNear(tools, leg, knots, piece);
  if (!refined) return false;
  motions[index] = { ...motion, path: { leg, knots: refined } };
  return true;
}

/** Lines with more knots are not refined. */
const MAX_KNOTS = 160;
