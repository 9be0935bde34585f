import type { Transform } from '../../math/transform.ts';
import { transformPoint } from '../../math/transform.ts';
import { create, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';
import type { PairCache } from '../solver.ts';

/** Writes the first vector to look along, from A to B, in the frame of B. Its length is a guess of the distance; never zero. */
export type InitialGuess = (n: Vec3, difference: MinkowskiDifference, T_b_a: Transform, cache: PairCache) => void;

/** Scratch of `fromMovedPoints`, which calls nobody back. */
const pointA = create();

/** No guess at all: along x, whatever the pair [Montaut24 §IV-D, "No WS"]. */
export const fromFixedAxis: InitialGuess = (n) => set(n, -1, 0, 0);

/** From the middle of the box around A to that of the box around B [Montaut24 §IV-D, "OBB WS"]. */
export const fromBoxCenters: InitialGuess = (n, difference) => difference.boxCenterDirection(n);

/** What parted the two last; box centres where nothing did [Montaut24 §IV-D, "WS prev"]. */
export const fromPrevious: InitialGuess = (n, difference, _, cache) => {
  if (cache.hasAxis) scale(n, cache.axis, Math.max(cache.gap, difference.rounding) + difference.margins);
  else difference.boxCenterDirection(n);
};

/** The nearest points of the last answer, each moved along with its body [Montaut24 §IV-D, "WS T(prev)"]; else box centres. */
export const fromMovedWitnesses: InitialGuess = (n, difference, T_b_a, cache) => {
  if (cache.hasAxis && cache.hasNearest) {
    transformPoint(pointA, T_b_a, cache.witnessA);
    sub(n, cache.witnessB, pointA);
    if (n[0] !== 0 || n[1] !== 0 || n[2] !== 0) return;
  }
  difference.boxCenterDirection(n);
};

/** What parted the two last, else from centre to centre: the everyday choice. */
export const fromCache: InitialGuess = (n, difference, T_b_a, cache) => {
  if (cache.hasAxis) fromPrevious(n, difference, T_b_a, cache);
  else difference.centerDirection(n);
};

/** The strategies of the paper by name, for benches. */
export const initialGuesses: Readonly<Record<string, InitialGuess>> = {
  none: fromFixedAxis,
  'box-centres': fromBoxCenters,
  previous: fromPrevious,
  'previous-moved': fromMovedWitnesses,
};
