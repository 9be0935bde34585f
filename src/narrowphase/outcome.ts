import { roundoff } from './iterationLimits.ts';
import type { Separation } from './solver.ts';

/**
 * Bodies that no plane parts, and whose distance is no more than this relative to the size of the pair, are `touching`. It is below the
 * 1e-9 that answers are good for, and above what rounding leaves open on slivers; a larger value would call resolvable gaps contact.
 */
export const contactTolerance = 1e-10;

/** Empties an answer: nothing known. */
export function clearOutcome(out: Separation): void {
  out.status = 'undecided';
  out.distance.lower = 0;
  out.distance.upper = Number.POSITIVE_INFINITY;
  out.growth.lower = 0;
  out.growth.upper = Number.POSITIVE_INFINITY;
  out.depth.lower = 0;
  out.depth.upper = Number.POSITIVE_INFINITY;
  out.hasNormal = false;
  out.hasWitnesses = false;
  out.iterations = 0;
}

/**
 * Bounds of the signed gap between two bodies, metres, below zero when they overlap by that much along the best direction known. A
 * positive lower bound is a proof; a negative upper one too.
 */
export class SignedDistanceBounds {
  lower = 0;
  upper = 0;
  /** The largest coordinate that took part, metres: the measure of rounding. */
  extent = 0;
}

/** Fills status, distance and depth. (Three numbers instead of `gap` would cost an allocation each.) */
export function setFromSignedDistance(out: Separation, gap: SignedDistanceBounds): void {
  const { upper: gapUpper, extent } = gap;
  const lower = Math.min(gap.lower, gapUpper); // rounding may have crossed them
  const floor = roundoff * extent;
  out.distance.lower = Math.max(0, lower);
  out.distance.upper = Math.max(0, gapUpper);
  out.depth.lower = Math.max(0, -gapUpper);
  out.depth.upper = Math.max(0, -lower);
  if (lower > floor) out.status = 'separated';
  else if (gapUpper <= floor) out.status = lower >= -floor ? 'touching' : 'colliding';
  else out.status = gapUpper <= contactTolerance * extent ? 'touching' : 'undecided';
}
