import type { Configuration } from '../math/configuration.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { create } from '../math/transform.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { cubicKnot, type LegKnot } from './legKnot.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Why a leg cannot be followed further. */
export type FollowFault =
  | { readonly kind: 'joint-limit'; readonly joint: string }
  /** No inverse-kinematics solution continues the IK branch: the end of the reach, or a singularity. */
  | { readonly kind: 'singular' }
  | { readonly kind: 'interrupted' };

/** Joint path along a leg: knots in increasing order of s; `fault` is set if they end before s = 1. */
export interface FollowedLeg {
  readonly knots: readonly LegKnot[];
  readonly fault: FollowFault | undefined;
}

/** Steps in s that are smaller end the path: the IK branch ends there. */
const MIN_STEP = 1e-5;
/** Absolute, rad or m: joint values exceed limits by at most this. */
const LIMIT_TOLERANCE = 1e-10;
/** Tolerance of each component of a tangent's twist (m, rad per unit of s), relative to the norm of the twist. */
const TANGENT_TOLERANCE = 1e-6;

/**
 * Computes the joint path along a leg that begins at `start`, where the tool frame must be at the start of the leg, by
 * continuation: each knot is predicted along the tangent of the previous one and corrected by Newton's method. A step
 * is halved if the middle of its cubic interpolation deviates from the leg by more than `tolerance` (metres, radians),
 * or if a joint changes by more than the tangents at its ends predict: the path stays on one IK branch.
 * @param step maximum difference of s between knots
 * @param interrupt ends the path early
 * @param avoidsLimits moves redundant arms such that their joints keep away from their limits, not with least norm
 */
export function followLeg(
  tracker: ToolTracker,
  start: Configuration,
  leg: CartesianLeg,
  step: number,
  tolerance: { readonly position: number; readonly angle: number },
  interrupt: Interrupt = never,
  avoidsLimits = false,
): FollowedLeg {
  const first = knotAt(tracker, leg, 0, Float64Array.from(start), avoidsLimits);
  if (!first) return { knots: [], fault: { kind: 'singular' } };
  const knots = [first];
  let size = step;
  for (let knot = first; knot.s < 1; ) {
    if (interrupt()) return { knots, fault: { kind: 'interrupted' } };
    const s = knot.s + size > 1 - 1e-9 ? 1 : knot.s + size;
    const next = continued(tracker, leg, knot, s, tolerance);
    const joint = next && jointBeyondLimits(tracker, next.q);
    if (next && joint === undefined) {
      knots.push(next);
      knot = next;
      size = Math.min(step, 2 * size);
      continue;
    }
    size = 0.5 * (s - knot.s);
    if (size >= MIN_STEP) continue;
    return { knots, fault: joint === undefined ? { kind: 'singular' } : { kind: 'joint-limit', joint } };
  }
  return { knots, fault: undefined };
}

/** Accepts any deviation between two knots. */
const ANY_TOLERANCE = { position: Number.POSITIVE_INFINITY, angle: Number.POSITIVE_INFINITY } as const;

/** Returns the knot at s, between two others; undefined if it is not found. */
export function insertedKnot(
  tracker: ToolTracker,
  leg: CartesianLeg,
  from: LegKnot,
  to: LegKnot,
  s: number,
): LegKnot | undefined {
  return from.isSearched ? knotBetween(tracker, leg, from, to, s) : continued(tracker, leg, from, s, ANY_TOLERANCE);
}

/** Returns the knot at s that continues the IK branch of another knot; undefined if the step is too large. */
export function continued(
  tracker: ToolTracker,
  leg: CartesianLeg,
  from: LegKnot,
  s: number,
  tolerance: { readonly position: number; readonly angle: number },
): LegKnot | undefined {
  let next = knotByRates(tracker, leg, from, s, from.dq);
  // The self-motion along the knots is integrated by Heun's method: so it agrees with the cubics between them.
  if (next && from.avoidsLimits) {
    const { dq } = next;
    const mean = from.dq.map((rate, j) => 0.5 * (rate + dq[j]));
    next = knotByRates(tracker, leg, from, s, mean);
  }
  if (!next) return undefined;
  return isCubicOnLeg(tracker, leg, from, next, tolerance) ? next : undefined;
}

/** True if the middle of the cubic between two knots is within a tolerance of the leg. */
export function isCubicOnLeg(
  tracker: ToolTracker,
  leg: CartesianLeg,
  from: LegKnot,
  to: LegKnot,
  tolerance: { readonly position: number; readonly angle: number },
): boolean {
  const h = to.s - from.s;
  const middle = from.q.map((value, j) => 0.5 * (value + to.q[j]) + (h / 8) * (from.dq[j] - to.dq[j]));
  const T = tracker.pose(middle);
  const wanted = create();
  leg.poseAt(wanted, 0.5 * (from.s + to.s));
  const position = Math.sqrt((T[3] - wanted[3]) ** 2 + (T[7] - wanted[7]) ** 2 + (T[11] - wanted[11]) ** 2);
  return position <= tolerance.position && rotationBetween(T, wanted) <= tolerance.angle;
}

/** Returns the knot at s that is next to the configuration reached by constant rates from another knot. */
function knotByRates(
  tracker: ToolTracker,
  leg: CartesianLeg,
  { s: before, q, avoidsLimits }: LegKnot,
  s: number,
  rates: Float64Array,
): LegKnot | undefined {
  const reached = q.map((value, j) => value + (s - before) * rates[j]);
  return knotAt(tracker, leg, s, reached, avoidsLimits);
}

/** Returns the knot at s whose configuration is next to q, which is changed; undefined if there is none. */
export function knotAt(
  tracker: ToolTracker,
  leg: CartesianLeg,
  s: number,
  q: Configuration,
  avoidsLimits = false,
): LegKnot | undefined {
  const T = create();
  leg.poseAt(T, s);
  if (!tracker.correct(q, T)) return undefined;
  const twist = new Float64Array(6);
  leg.twistAt(twist, s);
  const dq = new Float64Array(q.length);
  const speed = leg.length + leg.angle;
  const accepted = TANGENT_TOLERANCE * speed;
  if (!avoidsLimits) return tracker.tangent(dq, q, twist, accepted) <= accepted ? { s, q, dq } : undefined;
  const missed = tracker.avoidingTangent(dq, q, twist, accepted, speed);
  return missed <= accepted ? { s, q, dq, avoidsLimits } : undefined;
}

/** Returns the knot at s on the cubic between two searched knots, corrected to the leg; undefined if that fails. */
export function knotBetween(
  tracker: ToolTracker,
  leg: CartesianLeg,
  from: LegKnot,
  to: LegKnot,
  s: number,
): LegKnot | undefined {
  const { q, dq } = cubicKnot(from, to, s);
  const T = create();
  leg.poseAt(T, s);
  return tracker.correct(q, T) ? searchedKnot(tracker, leg, s, q, dq) : undefined;
}

/** Returns the knot of a searched path at s with the joint rates next to the given ones, which are changed. */
export function searchedKnot(
  tracker: ToolTracker,
  leg: CartesianLeg,
  s: number,
  q: Configuration,
  dq: Float64Array,
): LegKnot | undefined {
  const twist = new Float64Array(6);
  leg.twistAt(twist, s);
  const accepted = TANGENT_TOLERANCE * (leg.length + leg.angle);
  return tracker.completeTangent(dq, q, twist, accepted) <= accepted ? { s, q, dq, isSearched: true } : undefined;
}

export function jointBeyondLimits({ model }: ToolTracker, q: Configuration): string | undefined {
  return model.variables.find(
    ({ limits }, j) => !(q[j] >= limits.lower - LIMIT_TOLERANCE && q[j] <= limits.upper + LIMIT_TOLERANCE),
  )?.name;
}

/** Upper bound on the angle between two orientations, radians: from the Frobenius norm, 2 √2 sin(θ / 2). */
function rotationBetween(A: Float64Array, B: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < 12; row += 4) for (let k = row; k < row + 3; k++) sum += (A[k] - B[k]) * (A[k] - B[k]);
  const half = Math.sqrt(sum / 8); // sin(θ / 2)
  return half < 0.5 ? half * 2.1 : Math.PI;
}
