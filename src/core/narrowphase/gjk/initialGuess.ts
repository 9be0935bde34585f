import type { Transform } from '../../math/transform.ts';
import { transformPoint } from '../../math/transform.ts';
import { create, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import type { PairCache } from '../solver.ts';

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

/** Initial guesses of the paper by name, for benchmarks. */
export const initialGuesses: Readonly<Record<string, InitialGuess>> = {
  none: fromFixedAxis,
  'box-centres': fromBoxCenters,
  previous: fromPrevious,
  'previous-moved': fromMovedWitnesses,
};
