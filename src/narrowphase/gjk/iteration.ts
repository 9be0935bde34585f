import type { Vec3 } from '../../math/vec3.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';

/** When a walk may end. Lengths in metres, of the cores: margins are the caller's business. */
export class StoppingCriterion {
  /** The cores are proved at least this far apart. */
  sufficientLower = Number.POSITIVE_INFINITY;
  /** A point of A ⊖ B is found this near to the origin. */
  sufficientUpper = 0;
  /** The bounds are this close, relative to the upper one less the margins. */
  relativeGap = 0;
}

/**
 * A search for the point of A ⊖ B nearest to the origin: all that tells one solver of this family from another. The bounds hold
 * whatever way it took; a positive lower bound is proved by the support plane along `normal`.
 */
export interface MinNormIteration {
  readonly lower: number;
  readonly upper: number;
  /** Unit, from A to B; proves `lower`. */
  readonly normal: Vec3;
  /** Whether it ended with a point in common. */
  readonly containsOrigin: boolean;
  readonly iterations: number;
  /** The nearest point of A ⊖ B that it found; `upper` is its norm. */
  readonly nearest: Vec3;
  /** Walks from a first look along n, from A to B; n is used up. */
  run(difference: MinkowskiDifference, n: Vec3, goal: StoppingCriterion): void;
  /** The point of A behind `nearest`. */
  witnessA(out: Vec3): void;
}

/** Momentum of an accelerated walk: where to look next, given where it stands. */
export interface Momentum {
  /** Starts anew at x₀ = −n and writes the first vector to look along, from A to B. */
  begin(n: Vec3): void;
  /** Writes the next one, for the nearest point x and the last support point s. */
  next(n: Vec3, x: Vec3, s: Vec3): void;
}
