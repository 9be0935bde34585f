import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import { Components } from '../../planning/components.ts';
import { NearestNeighbors } from '../../planning/nearestNeighbors.ts';
import type { JointSpace, MotionValidator, RoadmapData } from '../../planning/planner.ts';

/** A motion that was asked about. */
export interface AskedMotion {
  readonly qFrom: Configuration;
  readonly qTo: Configuration;
}

/** Two configurations, one joined to the start and one to a goal, that no others of those come nearer to each other than. */
export interface NearestApproach {
  readonly distance: number;
  readonly fromStart: Configuration;
  readonly fromGoal: Configuration;
}

/**
 * Looks over the shoulder of a search: answers as the judge it stands in front of, and remembers which configurations the valid motions
 * join, and some of the motions that were stopped. Which planner asks does not matter. For reruns only: it takes time and memory.
 */
export class SearchRecord implements MotionValidator {
  /** Motions that were not valid. */
  stopped = 0;
  /** A fair choice of them, `most` at most: each is in it with the same chance. */
  readonly sample: AskedMotion[] = [];
  private readonly places = new Map<string, number>();
  private readonly points: NearestNeighbors;
  private readonly components = new Components();
  /** There if the judge gives quick looks. The answer is the look's, as the search goes by it; what is remembered is what the proof says. */
  readonly isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration) => boolean;

  constructor(
    private readonly motions: MotionValidator,
    private readonly space: JointSpace,
    private readonly random: Random,
    private readonly most: number,
  ) {
    this.points = new NearestNeighbors(space);
    if (motions.isMotionLikelyValid) {
      this.isMotionLikelyValid = (qFrom, qTo) => {
        const seems = motions.isMotionLikelyValid!(qFrom, qTo);
        this.isMotionValid(qFrom, qTo);
        return seems;
      };
    }
  }

  /** Takes down the motions that a search with this roadmap knows to be free, and does not ask about. */
  know({ points, free }: RoadmapData): void {
    const places = points.map((point) => this.placeOf(Float64Array.from(point)));
    for (const [from, to] of free) this.components.join(places[from], places[to]);
  }

  isStateValid(q: Configuration): boolean {
    return this.motions.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean): boolean {
    const valid = this.motions.isMotionValid(qFrom, qTo, endIsValid);
    if (valid) this.components.join(this.placeOf(qFrom), this.placeOf(qTo));
    else this.keep(qFrom, qTo);
    return valid;
  }

  /** Configurations that valid motions join to one of these, themselves among them. */
  joinedTo(ends: readonly Configuration[]): NearestNeighbors {
    const places = ends.map((q) => this.placeOf(q));
    const joined = new NearestNeighbors(this.space);
    const q = new Float64Array(this.space.dof);
    for (let i = 0; i < this.points.count; i++) {
      if (!places.some((place) => this.components.areJoined(place, i))) continue;
      this.points.read(q, i);
      joined.add(q);
    }
    return joined;
  }

  /** Reservoir sampling: the n-th motion replaces one of those kept with the chance most / n [Vitter85 algorithm R]. */
  private keep(qFrom: Configuration, qTo: Configuration): void {
    this.stopped++;
    const place = this.sample.length < this.most ? this.sample.length : this.random.below(this.stopped);
    if (place < this.most) this.sample[place] = { qFrom: qFrom.slice(), qTo: qTo.slice() };
  }

  private placeOf(q: Configuration): number {
    const key = q.join();
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.points.add(q);
    this.places.set(key, place);
    this.components.add();
    return place;
  }
}

/** Where two sets of configurations come nearest: each point of the smaller one looks for its nearest in the other. */
export function nearestApproach(
  space: JointSpace,
  ofStart: NearestNeighbors,
  ofGoals: NearestNeighbors,
): NearestApproach {
  const [few, many] = ofStart.count <= ofGoals.count ? [ofStart, ofGoals] : [ofGoals, ofStart];
  const q = new Float64Array(few.dof);
  const other = new Float64Array(few.dof);
  let least = Number.POSITIVE_INFINITY;
  let [qFew, qMany] = [q, other];
  for (let i = 0; i < few.count; i++) {
    few.read(q, i);
    many.read(other, many.nearest(q));
    const distance = space.distance(q, other);
    if (distance < least) [least, qFew, qMany] = [distance, q.slice(), other.slice()];
  }
  const [fromStart, fromGoal] = few === ofStart ? [qFew, qMany] : [qMany, qFew];
  return { distance: least, fromStart, fromGoal };
}
