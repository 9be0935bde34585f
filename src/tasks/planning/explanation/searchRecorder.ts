import type { Configuration } from '../../../core/math/configuration.ts';
import type { Random } from '../../../core/math/random.ts';
import { NearestNeighbors } from '../../../core/planning/nearestNeighbors.ts';
import type { JointSpace, MotionValidator } from '../../../core/planning/planner.ts';
import { Components } from '../../../core/planning/prm.ts';

/** A straight motion that is not valid. */
export interface InvalidMotion {
  readonly qFrom: Configuration;
  readonly qTo: Configuration;
}

/** The nearest pair of configurations of which one is connected to the start and the other to a goal. */
export interface NearestApproach {
  readonly distance: number;
  readonly fromStart: Configuration;
  readonly fromGoal: Configuration;
}

/**
 * Records a search: forwards queries to a motion validator, and stores which configurations valid edges connect and a
 * random sample of the invalid edges. Works with any planner. Used only when a search is repeated, since it costs time
 * and memory.
 */
export class SearchRecorder implements MotionValidator {
  /** Number of motions that were not valid. */
  stopped = 0;
  /** Uniform random sample of these, at most `limit`. */
  readonly sample: InvalidMotion[] = [];
  private readonly indices = new Map<string, number>();
  private readonly points: NearestNeighbors;
  private readonly components = new Components();
  /**
   * Present if the validator supports approximate checks. Returns the approximate result, which guides the search;
   * records the exact one.
   */
  readonly isMotionLikelyValid?: NonNullable<MotionValidator['isMotionLikelyValid']>;

  constructor(
    private readonly motions: MotionValidator,
    private readonly space: JointSpace,
    private readonly random: Random,
    private readonly limit: number,
  ) {
    this.points = new NearestNeighbors(space);
    if (motions.isMotionLikelyValid) {
      this.isMotionLikelyValid = (qFrom, qTo, isFine, endIsValid) => {
        const isLikely = motions.isMotionLikelyValid!(qFrom, qTo, isFine, endIsValid);
        this.isMotionValid(qFrom, qTo);
        return isLikely;
      };
    }
  }

  get isInterrupted(): boolean {
    return this.motions.isInterrupted === true;
  }

  isStateValid(q: Configuration): boolean {
    return this.motions.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean, isLikely?: boolean): boolean {
    const valid = this.motions.isMotionValid(qFrom, qTo, endIsValid, isLikely);
    if (valid) this.components.join(this.indexOf(qFrom), this.indexOf(qTo));
    else if (!this.isInterrupted) this.addInvalid(qFrom, qTo);
    return valid;
  }

  /** Returns all configurations that valid edges connect to one of `ends`, including these. */
  connectedTo(ends: readonly Configuration[]): NearestNeighbors {
    const indices = ends.map((q) => this.indexOf(q));
    const joined = new NearestNeighbors(this.space);
    const q = new Float64Array(this.space.dof);
    for (let i = 0; i < this.points.count; i++) {
      if (!indices.some((index) => this.components.areJoined(index, i))) continue;
      this.points.read(q, i);
      joined.add(q);
    }
    return joined;
  }

  /**
   * Adds an invalid motion by reservoir sampling: the n-th motion replaces one of the sample with probability limit / n
   * [Vitter85 algorithm R].
   */
  private addInvalid(qFrom: Configuration, qTo: Configuration): void {
    this.stopped++;
    const index = this.sample.length < this.limit ? this.sample.length : this.random.below(this.stopped);
    if (index < this.limit) this.sample[index] = { qFrom: qFrom.slice(), qTo: qTo.slice() };
  }

  /** Returns the index of a configuration; adds it if it is new. */
  private indexOf(q: Configuration): number {
    const key = q.join();
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    const index = this.points.add(q);
    this.indices.set(key, index);
    this.components.add();
    return index;
  }
}

/**
 * Computes the nearest approach of two sets of configurations: a nearest-neighbor query in the larger set for each
 * point of the smaller one.
 */
export function nearestApproach(
  space: JointSpace,
  ofStart: NearestNeighbors,
  ofGoals: NearestNeighbors,
): NearestApproach {
  const [smaller, larger] = ofStart.count <= ofGoals.count ? [ofStart, ofGoals] : [ofGoals, ofStart];
  const q = new Float64Array(smaller.dof);
  const other = new Float64Array(smaller.dof);
  let minDistance = Number.POSITIVE_INFINITY;
  let [qSmaller, qLarger] = [q, other];
  for (let i = 0; i < smaller.count; i++) {
    smaller.read(q, i);
    larger.read(other, larger.nearest(q));
    const distance = space.distance(q, other);
    if (distance < minDistance) [minDistance, qSmaller, qLarger] = [distance, q.slice(), other.slice()];
  }
  const [fromStart, fromGoal] = smaller === ofStart ? [qSmaller, qLarger] : [qLarger, qSmaller];
  return { distance: minDistance, fromStart, fromGoal };
}
