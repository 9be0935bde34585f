import type { Configuration } from '../math/configuration.ts';
import type { Interrupt } from '../math/interrupt.ts';
import { withRoundedTimes } from '../trajectory/roundedTimes.ts';
import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { continued, type FollowFault, followLeg, type LegKnot } from './followLeg.ts';
import type { FrameSpeed } from './frameSpeed.ts';
import type { LegProver, PathTolerance } from './legProver.ts';
import { timeLeg } from './timeLeg.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Tools for legs of one robot and tool frame. */
export interface LegTools {
  readonly tracker: ToolTracker;
  readonly prover: LegProver;
  readonly speed: FrameSpeed;
  /** Ends paths and proofs, which then fail. */
  readonly interrupt?: Interrupt;
}

/** Requirements on the motion along a leg. */
export interface LegRules {
  /** Limits of the joints; those on jerk are not used. */
  readonly limits: MotionLimits;
  readonly tolerance: PathTolerance;
  /** Limit of the speed of the origin of the tool frame, m/s; Infinity: none. */
  readonly tcpSpeed: number;
}

/** Number of pieces of a leg before refinement. */
const PIECES = 40;
/** Share of the tolerance that the joint path may miss between two knots: the rest is for the timing. */
const PATH_SHARE = 0.25;
/** Share of the limit of the TCP speed that the ideal path uses: the cubics deviate from it. */
const TCP_SPEED_SHARE = 0.999;
/** Rounds of refinement where the timed motion deviates. */
const MAX_REFINEMENTS = 8;

/** Returns the joint path along a leg from a configuration at its start. */
export function jointPathOf(tools: LegTools, start: Configuration, leg: CartesianLeg, tolerance: PathTolerance) {
  const share = { position: PATH_SHARE * tolerance.position, angle: PATH_SHARE * tolerance.angle };
  return followLeg(tools.tracker, start, leg, 1 / PIECES, share, tools.interrupt);
}

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
  const jointNames = tools.tracker.model.variables.map((joint) => joint.name);
  const pathSpeed = leg.length > 0 ? (TCP_SPEED_SHARE * rules.tcpSpeed) / leg.length : Number.POSITIVE_INFINITY;
  let knots = path;
  for (let round = 0; round <= MAX_REFINEMENTS; round++) {
    const points = timeLeg(knots, rules.limits, pathSpeed).map(({ point }) => point);
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

/** Describes why a leg cannot be followed further. */
export function describeFollowFault(fault: FollowFault): string {
  if (fault.kind === 'joint-limit') return `${fault.joint} at its limit`;
  if (fault.kind === 'interrupted') return 'the time limit ended the search';
  return 'the arm reaches a singularity or the end of its reach';
}

/** Inserts knots in the middle of a piece and of its neighbours. */
function refinedNear(
  { tracker }: LegTools,
  leg: CartesianLeg,
  knots: readonly LegKnot[],
  piece: number,
): LegKnot[] | undefined {
  const out: LegKnot[] = [];
  for (const [k, knot] of knots.entries()) {
    out.push(knot);
    if (k + 1 >= knots.length || Math.abs(k - piece) > 1) continue;
    const middle = continued(tracker, leg, knot, 0.5 * (knot.s + knots[k + 1].s), ANY);
    if (!middle) return undefined;
    out.push(middle);
  }
  return out;
}

const ANY: PathTolerance = { position: Number.POSITIVE_INFINITY, angle: Number.POSITIVE_INFINITY };
