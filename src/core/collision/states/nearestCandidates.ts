import { Separation } from '../../narrowphase/solver.ts';
import { BOX_SIZE, type PosedParts } from '../model/posedParts.ts';

/**
 * Metres; a thousand times the rounding error of distances of a robot of ten metres. A larger value selects more pairs
 * than are needed.
 */
const SLACK = 1e-9;
/**
 * Relative to the largest coordinate, and to the distance: 250 times the rounding error of distance bounds
 * (`roundoff`).
 */
const RELATIVE_SLACK = 1e-12;

/**
 * Computes lower and upper bounds on the distance of a pair at the current poses; stops once it is proved to be at
 * least `stopAt`.
 */
interface PairDistances {
  pairDistance(out: Separation, pair: number, stopAt: number): void;
}

/**
 * Selects the pairs that may be the nearest at the current poses. An excluded pair is proved to be farther than the
 * nearest by more than the rounding error. The minimum of the distances of the candidates, each computed from a cold
 * start and in any order, is therefore the minimum over all pairs to the last digit, whatever the caches of
 * `PairDistances` contained.
 */
export class NearestCandidates {
  /**
   * Candidates `pairs[0]` … `pairs[count − 1]`, the one with the smallest upper bound first, and lower bounds on their
   * distances, metres.
   */
  readonly pairs: Int32Array;
  readonly lower: Float64Array;
  count = 0;
  /** Smallest upper bound on the distance over all pairs, metres; at most `stopAt`. */
  private minUpper = 0;
  /** Metres: a pair is excluded only if its lower bound exceeds `minUpper` by this and by RELATIVE_SLACK. */
  private slack = 0;
  private readonly separation = new Separation();
  /** Largest coordinate of the shapes in their own frames, metres. */
  private readonly shapeExtent: number;

  constructor(private readonly posed: PosedParts) {
    const { pairCount } = posed.model;
    this.pairs = new Int32Array(pairCount);
    this.lower = new Float64Array(pairCount);
    const extents = posed.shapes.map(({ extent }) => extent).filter(Number.isFinite);
    this.shapeExtent = extents.reduce((max, extent) => Math.max(max, extent), 0);
  }

  /**
   * Selects candidates among all pairs.
   * @param stopAt pairs at least this far apart (metres) are excluded too
   */
  select(distances: PairDistances, stopAt: number): void {
    const { pairs, lower, separation, posed } = this;
    const { robotParts, pairCount } = posed.model;
    this.slack = SLACK + RELATIVE_SLACK * (largestCoordinate(posed.boxes, robotParts.length) + 2 * this.shapeExtent);
    this.count = 0;
    this.minUpper = stopAt;
    let nearest = 0;
    for (let pair = 0; pair < pairCount; pair++) {
      const limit = this.exclusionDistance(this.minUpper);
      if (posed.model.isEnlarged(pair)) continue; // not the distance of the two
      if (posed.boxDistanceSquared(pair) >= limit * limit) continue;
      distances.pairDistance(separation, pair, limit);
      const { distance } = separation;
      if (distance.lower >= limit) continue;
      if (distance.upper < this.minUpper) {
        this.minUpper = distance.upper;
        nearest = this.count;
      }
      pairs[this.count] = pair;
      lower[this.count++] = distance.lower;
    }
    if (this.count > 0) this.swap(0, nearest);
  }

  /** Selects every pair. */
  selectAll(): void {
    const { pairCount } = this.posed.model;
    this.count = 0;
    for (let pair = 0; pair < pairCount; pair++)
      if (!this.posed.model.isEnlarged(pair)) this.pairs[this.count++] = pair;
    this.lower.fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * Returns the lower bound (metres) from which on a pair is farther than one of the given signed distance by more than
   * rounding. A negative distance counts as 0: every pair that may collide can be the deepest.
   */
  exclusionDistance(distance: number): number {
    const positive = Math.max(0, distance);
    return positive + this.slack + RELATIVE_SLACK * positive;
  }

  /**
   * Returns true if no excluded pair can be nearer than the distance found among the candidates; false if a cold start
   * converged less.
   */
  isComplete(distance: number): boolean {
    return distance <= this.minUpper + 0.5 * this.slack;
  }

  private swap(i: number, k: number): void {
    const { pairs, lower } = this;
    [pairs[i], pairs[k]] = [pairs[k], pairs[i]];
    [lower[i], lower[k]] = [lower[k], lower[i]];
  }
}

/**
 * Returns the largest magnitude among the coordinates of the first `count` boxes; unbounded ones (half-spaces) are
 * skipped.
 */
function largestCoordinate(boxes: Float64Array, count: number): number {
  let largest = 0;
  for (let i = 0; i < BOX_SIZE * count; i++) {
    const x = Math.abs(boxes[i]);
    if (x > largest && x < Number.POSITIVE_INFINITY) largest = x;
  }
  return largest;
}
