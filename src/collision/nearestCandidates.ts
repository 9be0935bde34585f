import { Separation } from '../narrowphase/solver.ts';
import { BOX_SIZE, type PosedBodies } from './posedBodies.ts';

/** Metres; a thousand times the rounding of the distances of a robot of ten metres. Larger selects more pairs than are needed. */
const SLACK = 1e-9;
/** Relative to the largest coordinate, and to the distance: 250 times what bounds of a distance may be off by (`roundoff`). */
const RELATIVE_SLACK = 1e-12;

/** Computes lower and upper bounds of the distance of a pair at the current poses; stops once it is proved to be at least `stopAt`. */
interface PairDistances {
  pairDistance(out: Separation, pair: number, stopAt: number): void;
}

/**
 * The pairs that may be the nearest at the current poses. A pair that is left out is proved to be farther than the nearest by more
 * than rounding, so that computing the distances of the candidates from a cold start, in any order, yields the minimum over all pairs, to the
 * last digit, whatever the caches of `PairDistances` held.
 */
export class NearestCandidates {
  /** `pairs[0]` … `pairs[count − 1]`, the one with the least upper bound first, and lower bounds of their distances, metres. */
  readonly pairs: Int32Array;
  readonly lower: Float64Array;
  count = 0;
  /** Least upper bound of the distance over all pairs, metres; `stopAt` if it is not less. */
  private least = 0;
  /** Metres: two pairs whose bounds are farther apart than this, and relatively, are ordered by these. */
  private slack = 0;
  private readonly separation = new Separation();
  /** Largest coordinate of the shapes in their own frames, metres. */
  private readonly shapeExtent: number;

  constructor(private readonly posed: PosedBodies) {
    const { pairCount } = posed.model;
    this.pairs = new Int32Array(pairCount);
    this.lower = new Float64Array(pairCount);
    const extents = posed.shapes.map(({ extent }) => extent).filter(Number.isFinite);
    this.shapeExtent = extents.reduce((most, extent) => Math.max(most, extent), 0);
  }

  /**
   * Selects among the pairs `from` … `end` − 1.
   * @param stopAt pairs at least this far apart, metres, are left out too
   */
  select(distances: PairDistances, stopAt: number, from: number, end: number): void {
    const { pairs, lower, separation, posed } = this;
    const { moving } = posed.model;
    this.slack = SLACK + RELATIVE_SLACK * (largestCoordinate(posed.boxes, moving.length) + 2 * this.shapeExtent);
    this.count = 0;
    this.least = stopAt;
    let nearest = 0;
    for (let pair = from; pair < end; pair++) {
      const limit = this.beyond(this.least);
      if (posed.boxDistanceSquared(pair) >= limit * limit) continue;
      distances.pairDistance(separation, pair, limit);
      const { distance } = separation;
      if (distance.lower >= limit) continue;
      if (distance.upper < this.least) {
        this.least = distance.upper;
        nearest = this.count;
      }
      pairs[this.count] = pair;
      lower[this.count++] = distance.lower;
    }
    if (this.count > 0) this.swap(0, nearest);
  }

  /** Selects every pair from `from` to `end` − 1. */
  selectAll(from: number, end: number): void {
    this.count = end - from;
    for (let i = 0; i < this.count; i++) this.pairs[i] = from + i;
    this.lower.fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * Metres: a pair whose lower bound is at least this is farther than one of that signed distance, by more than rounding. Below 0 every pair
   * that may collide can be the deepest.
   */
  beyond(distance: number): number {
    const least = Math.max(0, distance);
    return least + this.slack + RELATIVE_SLACK * least;
  }

  /** True if no pair left out may be nearer than the distance found among the candidates. False if a cold start converged no further. */
  covers(distance: number): boolean {
    return distance <= this.least + 0.5 * this.slack;
  }

  private swap(i: number, k: number): void {
    const { pairs, lower } = this;
    [pairs[i], pairs[k]] = [pairs[k], pairs[i]];
    [lower[i], lower[k]] = [lower[k], lower[i]];
  }
}

/** Of the first `count` boxes, half-spaces left out: they have none. */
function largestCoordinate(boxes: Float64Array, count: number): number {
  let largest = 0;
  for (let i = 0; i < BOX_SIZE * count; i++) {
    const x = Math.abs(boxes[i]);
    if (x > largest && x < Number.POSITIVE_INFINITY) largest = x;
  }
  return largest;
}
