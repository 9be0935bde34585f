import type { Configuration } from '../math/configuration.ts';
import { cubeRoot } from '../trajectory/restToRest.ts';
import { withRoundedTimes } from '../trajectory/roundedTimes.ts';
import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { examineMotion } from '../trajectory/trajectoryLimits.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { fastestLeg } from './fastestLeg.ts';
import { type FollowedLeg, type FollowFault, followLeg, insertedKnot } from './followLeg.ts';
import type { LegKnot } from './legKnot.ts';
import { bestKnots } from './legKnots.ts';
import type { LegRules, LegTools } from './legTools.ts';
import type { PathTolerance } from './pathTolerance.ts';
import { smoothLeg } from './smoothLeg.ts';
import { timeLeg } from './timeLeg.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Number of pieces of a leg before refinement. */
const PIECES = 40;
/** Fraction of the tolerance that the joint path may use between two knots; the rest is reserved for the timing. */
const PATH_SHARE = 0.25;
/** Share of the limit of the TCP speed that the ideal path uses: the cubics deviate from it. */
const TCP_SPEED_SHARE = 0.999;
/** Rounds of refinement where the timed motion deviates. */
const MAX_REFINEMENTS = 8;

/**
 * Returns the joint path along a leg from a configuration at its start: that of steps of least norm; if a joint limit
 * ends it and the arm is redundant, the one that keeps away from joint limits, if it gets farther.
 */
export function jointPathOf(
  { tracker, interrupt }: LegTools,
  start: Configuration,
  leg: CartesianLeg,
  tolerance: PathTolerance,
): FollowedLeg {
  const share = pathShare(tolerance);
  const path = followLeg(tracker, start, leg, 1 / PIECES, share, interrupt);
  if (path.fault?.kind !== 'joint-limit' || !tracker.isRedundant) return path;
  const other = followLeg(tracker, start, leg, 1 / PIECES, share, interrupt, true);
  return fractionOf(other) > fractionOf(path) ? other : path;
}

/** Returns the share of a tolerance that a joint path may use. */
export const pathShare = ({ position, angle }: PathTolerance): PathTolerance => ({
  position: PATH_SHARE * position,
  angle: PATH_SHARE * angle,
});

const fractionOf = ({ knots }: FollowedLeg) => knots.at(-1)?.s ?? 0;

/**
 * Computes the motion from rest to rest along a joint path on a leg, and proves that the tool frame follows the leg;
 * knots are inserted where it deviates. Undefined if that is not proved, or if it is interrupted before.
 */
export function timedLeg(
  tools: LegTools,
  leg: CartesianLeg,
  path: readonly LegKnot[],
  rules: LegRules,
): Trajectory | undefined {
  return hasLimit(rules.limits.jerk) ? smoothMotion(tools, leg, path, rules) : fastestMotion(tools, leg, path, rules);
}

/** Returns true if a joint has a finite limit. */
export const hasLimit = (limits: ArrayLike<number>) =>
  Array.from(limits).some((limit) => limit < Number.POSITIVE_INFINITY);

/** Computes the motion for robots without jerk limits. */
function fastestMotion(
  tools: LegTools,
  leg: CartesianLeg,
  path: readonly LegKnot[],
  rules: LegRules,
): Trajectory | undefined {
  const jointNames = tools.tracker.model.variables.map((joint) => joint.name);
  const pathSpeed = leg.length > 0 ? (TCP_SPEED_SHARE * rules.tcpSpeed) / leg.length : Number.POSITIVE_INFINITY;
  let { knots, points } = bestKnots(tools, leg, path, rules.limits, pathSpeed);
  for (let round = 0; round <= MAX_REFINEMENTS; round++) {
    if (round > 0) points = timeLeg(knots, rules.limits, pathSpeed).map(({ point }) => point);
    const trajectory = withRoundedTimes({ jointNames, points, interpolation: 'cubic' }, rules.limits);
    if (!trajectory) return undefined;
    const curve = new TrajectoryCurve(trajectory);
    const verdict = tools.prover.prove(curve, { leg, from: curve.start, to: curve.end }, rules.tolerance);
    const fault = verdict.kind === 'proved' ? tools.speed.excess(curve, rules.tcpSpeed) : verdict;
    if (!fault) return trajectory;
    if (tools.interrupt?.()) return undefined;
    const refined = refinedNear(tools, leg, knots, curve.pieceAt(fault.time));
    if (!refined) return undefined;
    knots = refined;
  }
  return undefined;
}

/**
 * Windows of the moving average that are tried if the time-optimal motion is not found, as shares of the duration
 * without jerk limits.
 */
const WINDOWS = [0.1, 0.2, 0.4, 0.8];
/** Number of pieces of a spline, multiplied until it is within the tolerance. */
const SPLINE_PIECES = [96, 192, 384];
/** Relative: a motion is this much slower than its limits allow, so that rounded times keep them. */
const SLOWDOWN_MARGIN = 2e-5;

/**
 * Computes the motion for robots with jerk limits: the time-optimal one; if that fails, the shortest of several whose
 * accelerations are averaged over time.
 */
function smoothMotion(
  tools: LegTools,
  leg: CartesianLeg,
  path: readonly LegKnot[],
  rules: LegRules,
): Trajectory | undefined {
  const { limits, tolerance, tcpSpeed } = rules;
  const pathSpeed = leg.length > 0 ? (TCP_SPEED_SHARE * tcpSpeed) / leg.length : Number.POSITIVE_INFINITY;
  const times = timeLeg(path, limits, pathSpeed).map(({ point }) => point.time_from_start);
  for (const pieces of SPLINE_PIECES) {
    const fastest = fastestLeg(tools.tracker, leg, path, limits, pathSpeed, pieces);
    let best = fastest && withinLimits(tools, fastest, limits, tcpSpeed);
    for (const share of best ? [] : WINDOWS) {
      const smooth = smoothLeg(tools.tracker, leg, path, times, share * times[times.length - 1], pieces);
      const motion = smooth && withinLimits(tools, smooth, limits, tcpSpeed);
      if (motion && !(endOf(motion) >= endOf(best))) best = motion;
    }
    if (!best) return undefined;
    const curve = new TrajectoryCurve(best);
    if (tools.prover.prove(curve, { leg, from: curve.start, to: curve.end }, tolerance).kind === 'proved') return best;
  }
  return undefined;
}

const endOf = (motion: Trajectory | undefined) => motion?.points.at(-1)?.time_from_start ?? Number.POSITIVE_INFINITY;

/** Scales the duration of a motion such that one limit is reached; undefined if that cannot be proved. */
function withinLimits(
  tools: LegTools,
  motion: Trajectory,
  limits: MotionLimits,
  tcpSpeed: number,
): Trajectory | undefined {
  const { ratios } = examineMotion(motion, limits);
  const speed = tcpSpeed < Number.POSITIVE_INFINITY ? tools.speed.bound(new TrajectoryCurve(motion)) / tcpSpeed : 0;
  const slowest = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration), cubeRoot(ratios.jerk), speed);
  if (!(slowest > 0 && slowest < Number.POSITIVE_INFINITY)) return undefined;
  // All pieces take the same whole number of nanoseconds: rounding would make the accelerations jump.
  const pieces = motion.points.length - 1;
  const before = motion.points[pieces].time_from_start! / pieces;
  const ticks = Math.ceil(before * slowest * (1 + SLOWDOWN_MARGIN) * TICKS);
  const factor = ticks / TICKS / before;
  const points = motion.points.map((point, k) => ({
    ...point,
    time_from_start: (k * ticks) / TICKS,
    velocities: point.velocities!.map((velocity) => velocity / factor),
  }));
  const scaled = { ...motion, points };
  const isValid = examineMotion(scaled, limits).faults.length === 0;
  return isValid && tools.speed.excess(new TrajectoryCurve(scaled), tcpSpeed) === undefined ? scaled : undefined;
}

/** Nanoseconds per second: the resolution of times in files. */
const TICKS = 1e9;

/** Describes why a leg cannot be followed further. */
export function describeFollowFault(fault: FollowFault, { joints }: Pick<ToolTracker, 'joints'>): string {
  if (fault.kind === 'joint-limit') return `${fault.joint} at its limit`;
  if (fault.kind === 'interrupted') return 'the time limit ended the search';
  const reason = 'the arm reaches a singularity or the end of its reach';
  return joints < 6 ? `${reason}, or its ${joints} joints cannot move the tool that way` : reason;
}

/** Inserts knots in the middle of a piece and of its neighbours. */
export function refinedNear(
  { tracker }: LegTools,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  piece: number,
): LegKnot[] | undefined {
  const out: LegKnot[] = [];
  for (const [k, knot] of knots.entries()) {
    out.push(knot);
    if (k + 1 >= knots.length || Math.abs(k - piece) > 1) continue;
    const middle = insertedKnot(tracker, leg, knot, knots[k + 1], 0.5 * (knot.s + knots[k + 1].s));
    if (!middle) return undefined;
    out.push(middle);
  }
  return out;
}
