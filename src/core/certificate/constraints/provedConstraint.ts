import type { Moment } from './fixedVector.ts';

/** By how much a constraint is violated, in the unit of its limit: at most 0 if it is satisfied. */
export interface Excess {
  /** In the middle of an interval. */
  readonly now: number;
  /** Upper bound over the interval, rounding errors included. */
  readonly upperBound: number;
}

/** A constraint as the checker of certificates evaluates it, with bounds of its own. */
export interface ProvedConstraint {
  /** Name in results. */
  readonly label: string;
  /** An excess up to this counts as a rounding error. */
  readonly tolerance: number;
  /** Computes the excess over an interval. */
  excess(moment: Moment): Excess;
}

/** Radians and metres: tolerance of constraints on poses and positions. */
export const POSE_TOLERANCE = 1e-9;
