import { roundoff } from './iterationLimits.ts';
import type { Separation } from './solver.ts';

/**
 * Largest distance, relative to the extent of the pair, at which shapes without a separating plane are `touching`. It
 * is below the relative accuracy of 1e-9 of the results, and above the bounds that rounding leaves on slivers. A larger
 * value would report resolvable gaps as contact.
 */
export const contactTolerance = 1e-10;

/** Resets a result: status `undecided`, all bounds [0, ∞], no normal, no witness points. */
export function clearSeparation(out: Separation): void {
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
 * Bounds of the signed distance of a pair, metres: positive is the distance, negative the overlap along the best
 * direction found so far. A positive lower bound proves separation, a negative upper bound a collision.
 */
export class SignedDistanceBounds {
  lower = 0;
  upper = 0;
  /** The largest coordinate involved, metres: the scale of rounding. */
  extent = 0;
}

/**
 * Sets status, distance and depth from a signed distance. Takes a record, since three numbers would be allocated on the
 * heap.
 */
export function setFromSignedDistance(out: Separation, bounds: SignedDistanceBounds): void {
  const { upper, extent } = bounds;
  const lower = Math.min(bounds.lower, upper); // rounding may have crossed the bounds
  const rounding = roundoff * extent;
  out.distance.lower = Math.max(0, lower);
  out.distance.upper = Math.max(0, upper);
  out.depth.lower = Math.max(0, -upper);
  out.depth.upper = Math.max(0, -lower);
  if (lower > rounding) out.status = 'separated';
  else if (upper <= rounding) out.status = lower >= -rounding ? 'touching' : 'colliding';
  else out.status = upper <= contactTolerance * extent ? 'touching' : 'undecided';
}
