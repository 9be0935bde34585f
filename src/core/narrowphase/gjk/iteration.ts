import { type Transform, transformPoint } from '../../math/transform.ts';
import { create, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { PairCache } from '../solver.ts';

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
  /** Stop when the bounds differ by at most this, metres. */
  absoluteGap = 0;
  /** Stop after this many support points, with the bounds that they prove. */
  maxIterations = Number.POSITIVE_INFINITY;
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

/**
 * Writes the first search direction, from A to B, in the frame of B, never zero. Its length is a guess of the core
 * distance.
 */
export type InitialGuess = (n: Vec3, difference: MinkowskiDifference, T_b_a: Transform, cache: PairCache) => void;

/** Scratch of `fromMovedWitnesses`, which calls only vector functions. */
const pointA = create();

/** Uses the x axis for every pair [Montaut24 §IV-D, "No WS"]. */
const fromFixedAxis: InitialGuess = (n) => set(n, -1, 0, 0);

/**
 * Uses the vector between the centres of the bounding boxes, each in the axes of its shape [Montaut24 §IV-D, "OBB WS"].
 */
const fromBoxCenters: InitialGuess = (n, difference) => difference.boxCenterDirection(n);

/** Uses the cached separating axis, else the box centres [Montaut24 §IV-D, "WS prev"]. */
const fromPrevious: InitialGuess = (n, difference, _, cache) => {
  if (cache.hasAxis) scale(n, cache.axis, Math.max(cache.gap, difference.rounding) + difference.margins);
  else difference.boxCenterDirection(n);
};

/** Uses the cached witness points, moved with their shapes, else the box centres [Montaut24 §IV-D, "WS T(prev)"]. */
const fromMovedWitnesses: InitialGuess = (n, difference, T_b_a, cache) => {
  if (cache.hasAxis && cache.hasWitnesses) {
    transformPoint(pointA, T_b_a, cache.witnessA);
    sub(n, cache.witnessB, pointA);
    if (n[0] !== 0 || n[1] !== 0 || n[2] !== 0) return;
  }
  difference.boxCenterDirection(n);
};

/** Uses the cached separating axis, else the vector between the centres of the shapes: the default. */
export const fromCache: InitialGuess = (n, difference, T_b_a, cache) => {
  if (cache.hasAxis) fromPrevious(n, difference, T_b_a, cache);
  else difference.centerDirection(n);
};

/** Uses the cached separating axis, else the vector between the axes of round shapes, else between the centres. */
export const fromAxes: InitialGuess = (n, difference, T_b_a, cache) => {
  if (cache.hasAxis) fromPrevious(n, difference, T_b_a, cache);
  else difference.axisDirection(n);
};

/** Initial guesses of the paper by name. */
export const initialGuesses: Readonly<Record<string, InitialGuess>> = {
  none: fromFixedAxis,
  'box-centers': fromBoxCenters,
  previous: fromPrevious,
  'previous-moved': fromMovedWitnesses,
};
