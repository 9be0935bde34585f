import type { Vec3 } from '../../math/vec3.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';

/**
 * Stopping criterion of an iteration; any of its conditions suffices. Lengths in metres, of the cores: margins are not
 * included.
 */
export class StoppingCriterion {
  /** Stop when the lower bound reaches this. */
  sufficientLower = Number.POSITIVE_INFINITY;
  /** Stop when the upper bound falls to this. */
  sufficientUpper = 0;
  /** Stop when the bounds differ by at most this, relative to the upper bound less the margins. */
  relativeGap = 0;
  /** Stop when the duality gap 2⟨x, x − s⟩ of the iterate x and its support point s is at most this, m². */
  dualityGap = Number.NEGATIVE_INFINITY;
}

/**
 * Iteration that searches the point of A ⊖ B of minimum norm; the solvers of the GJK family differ only in it. Its
 * bounds hold for any sequence of search directions. A positive lower bound is proved by the support plane along
 * `normal`.
 */
export interface MinNormIteration {
  /** Bounds of the distance of the cores, metres; `lower` is negative if no separating plane was found. */
  readonly lower: number;
  readonly upper: number;
  /** Unit vector from A to B that proves `lower`. */
  readonly normal: Vec3;
  /** Whether a common point of the cores was found. */
  readonly containsOrigin: boolean;
  readonly iterations: number;
  /** The point of A ⊖ B of smallest norm found so far; its norm is `upper`. */
  readonly nearest: Vec3;
  /** Computes the result in closed form, without a search direction; returns false if there is none that is proved. */
  solveDirectly?(difference: MinkowskiDifference, criterion: StoppingCriterion): boolean;
  /** Iterates until a criterion is met. `n` is the first search direction, from A to B; it is overwritten. */
  run(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion): void;
  /** Writes the point of A that belongs to `nearest`; that of B is this minus `nearest`. */
  witnessA(out: Vec3): void;
}
