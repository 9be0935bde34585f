import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import { PI, sinCos, TWO_PI } from '../../math/trigonometry.ts';
import { type Metric, metricOf, shortestDifference, withinHalfTurn } from '../metric.ts';
import type { JointSpace, PlanningProblem } from '../planner.ts';

/** After this many rejected samples a uniform sample is used: this costs efficiency, not correctness. */
const SAMPLE_LIMIT = 1000;

/**
 * Informed set: the states that a path shorter than a given cost can contain. For each goal it is a prolate
 * hyperspheroid with start and goal as foci [Gammell14 §3], in coordinates in which the metric is Euclidean (values
 * times weights).
 *
 * With continuous joints, each state is represented within half a turn of the start, so that the edge from the start is
 * straight. The goal then has two equivalent values per continuous joint within a full turn of the start (`images`),
 * each with an ellipsoid of its own.
 */
export class InformedSet {
  private readonly space: JointSpace;
  private readonly metric: Metric;
  private readonly start: Configuration;
  private readonly goals: readonly Configuration[];
  /** Goals, and with continuous joints their equivalents a full turn away. */
  private readonly images: readonly Configuration[];
  private readonly ball: UnitBall;
  /** Distance between the foci of each ellipsoid. */
  private readonly focal: Float64Array;
  private readonly volumes: Float64Array;
  /** Cost of the samples, and the sum of the volumes for it: fields, since numbers that calls pass may be boxed. */
  private cost = Number.NaN;
  private volume = 0;
  private readonly volumeOfSpace: number;
  private readonly volumeOfBall: number;
  private readonly mirror: Float64Array;

  constructor({ space, start, goals }: { space: JointSpace; start: Configuration; goals: readonly Configuration[] }) {
    this.space = space;
    this.start = start;
    this.goals = goals;
    this.metric = metricOf(space);
    const { weights, halfTurns } = this.metric;
    this.images = goals.flatMap((goal) => imagesOf(goal, start, halfTurns));
    this.ball = new UnitBall(space.dof);
    this.focal = Float64Array.from(this.images, (image) => this.straightDistance(start, image));
    this.volumes = new Float64Array(this.images.length);
    this.volumeOfSpace = space.upper.reduce((volume, upper, i) => volume * (upper - space.lower[i]) * weights[i], 1);
    this.volumeOfBall = volumeOfUnitBall(space.dof);
    this.mirror = new Float64Array(space.dof);
  }

  /** Lower bound on the cost from the start to q. */
  costToCome(q: Configuration): number {
    return this.space.distance(this.start, q);
  }

  /** Lower bound on the cost from q to the nearest goal. */
  costToGo(q: Configuration): number {
    let least = Number.POSITIVE_INFINITY;
    for (const goal of this.goals) least = Math.min(least, this.space.distance(q, goal));
    return least;
  }

  /**
   * Uniform sample of the informed set of `cost`, projected onto the constraints if there are any; of the whole space
   * if `cost` is infinite.
   */
  sample(out: Configuration, cost: number, random: Random): void {
    const { space } = this;
    if (cost !== this.cost) this.measure(cost);
    const fromSpace = this.volume >= this.volumeOfSpace;
    for (let attempt = 0; attempt < SAMPLE_LIMIT; attempt++) {
      if (fromSpace) space.sample(out, random);
      else this.sampleEllipsoid(out, this.pick(random), random);
      if (cost === Number.POSITIVE_INFINITY) return;
      if (fromSpace) {
        if (this.costToCome(out) + this.costToGo(out) < cost) return;
      } else if (this.isWithinLimits(out) && random.next() * this.imagesWithin(out) < 1) {
        for (let i = 0; i < space.dof; i++) out[i] = withinHalfTurn(out[i], this.metric.halfTurns[i]);
        if (this.isProjected(out, cost)) return;
      }
    }
    space.sample(out, random);
  }

  /** Projects a sample onto the path constraints; returns false if that fails or leaves the informed set. */
  private isProjected(out: Configuration, cost: number): boolean {
    const { constraints } = this.space;
    return !constraints || (constraints.project(out) && this.costToCome(out) + this.costToGo(out) < cost);
  }

  /** Sets the cost, and computes the volumes of its ellipsoids and their sum. */
  private measure(cost: number): void {
    const { volumes, focal, space } = this;
    this.cost = cost;
    this.volume = 0;
    for (let i = 0; i < volumes.length; i++) {
      const minor = Math.sqrt(Math.max(0, cost * cost - focal[i] * focal[i])) / 2;
      volumes[i] = (this.volumeOfBall * cost) / 2;
      for (let k = 1; k < space.dof; k++) volumes[i] *= minor;
      this.volume += volumes[i];
    }
  }

  /** Selects an ellipsoid with probability proportional to its volume. */
  private pick(random: Random): number {
    const { volumes } = this;
    let rest = random.next() * this.volume;
    let i = 0;
    while (i < volumes.length - 1 && rest >= volumes[i]) rest -= volumes[i++];
    return i;
  }

  /**
   * x = M L b + (start + goal) / 2 [Gammell14 eq. 3]: a sample b of the unit ball, scaled to the semi-axes by L, its
   * first axis mapped onto the direction a to the goal. Instead of a rotation M is the Householder reflection 1 − 2 v
   * vᵀ / vᵀv, v = e₁ − a.
   */
  private sampleEllipsoid(out: Configuration, image: number, random: Random): void {
    const { space, ball, start, cost, mirror: v } = this;
    const { weights } = this.metric;
    const qGoal = this.images[image];
    const focal = this.focal[image];
    const minor = Math.sqrt(Math.max(0, cost * cost - focal * focal)) / 2;
    ball.sample(out, random);
    out[0] *= cost / 2;
    for (let i = 1; i < space.dof; i++) out[i] *= minor;
    let along = 0;
    let square = 0;
    for (let i = 0; i < space.dof; i++) {
      v[i] = (i === 0 ? 1 : 0) - (focal > 0 ? (weights[i] * (qGoal[i] - start[i])) / focal : i === 0 ? 1 : 0);
      along += v[i] * out[i];
      square += v[i] * v[i];
    }
    const scale = square > 0 ? (2 * along) / square : 0;
    for (let i = 0; i < space.dof; i++)
      out[i] = out[i] / weights[i] + ((start[i] + qGoal[i]) / 2 - (scale * v[i]) / weights[i]);
  }

  /** Number of ellipsoids that contain q. */
  private imagesWithin(q: Configuration): number {
    const toCome = this.straightDistance(this.start, q);
    let count = 0;
    for (const image of this.images) if (toCome + this.straightDistance(q, image) < this.cost) count++;
    return count;
  }

  /** True if q is within limits; a continuous joint if it is within half a turn of the start. */
  private isWithinLimits(q: Configuration): boolean {
    const { start } = this;
    const { lower, upper } = this.space;
    const { halfTurns } = this.metric;
    for (let i = 0; i < q.length; i++) {
      const wraps = halfTurns[i] < Number.POSITIVE_INFINITY;
      const isWithin = wraps ? Math.abs(q[i] - start[i]) <= halfTurns[i] : q[i] >= lower[i] && q[i] <= upper[i];
      if (!isWithin) return false;
    }
    return true;
  }

  /** Weighted Euclidean distance without wrapping. */
  private straightDistance(a: Configuration, b: Configuration): number {
    const { weights } = this.metric;
    let sum = 0;
    for (let i = 0; i < a.length; i++) {
      const difference = weights[i] * (b[i] - a[i]);
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }
}

/** All combinations of the two equivalent values of continuous joints nearest to the start. */
function imagesOf(goal: Configuration, start: Configuration, halfTurns: Float64Array): Configuration[] {
  let images = [goal];
  for (const [i, halfTurn] of halfTurns.entries()) {
    if (halfTurn === Number.POSITIVE_INFINITY) continue;
    const near = start[i] + shortestDifference(start[i], goal[i], halfTurn);
    const far = near > start[i] ? near - 2 * halfTurn : near + 2 * halfTurn;
    images = images.flatMap((image) => [near, far].map((value) => image.map((other, k) => (k === i ? value : other))));
  }
  return images;
}

/** V₁ = 2, V₂ = π, Vₙ = Vₙ₋₂ · 2π / n. */
function volumeOfUnitBall(n: number): number {
  if (n <= 1) return n === 1 ? 2 : 1;
  return (volumeOfUnitBall(n - 2) * 2 * PI) / n;
}

/**
 * A joint space that samples the informed set of `length`; distances and interpolation are those of the given space.
 */
export class InformedSpace implements JointSpace {
  readonly dof: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly halfTurns: Float64Array | undefined;
  readonly constraints: JointSpace['constraints'];
  private readonly informed: InformedSet;

  constructor(
    ends: Pick<PlanningProblem, 'start' | 'goals'>,
    private readonly space: JointSpace,
    private readonly length: number,
  ) {
    this.dof = space.dof;
    this.lower = space.lower;
    this.upper = space.upper;
    this.weights = space.weights;
    this.halfTurns = space.halfTurns;
    this.constraints = space.constraints;
    this.informed = new InformedSet({ space, ...ends });
  }

  sample(out: Configuration, random: Random): void {
    this.informed.sample(out, this.length, random);
  }

  distance(a: Configuration, b: Configuration): number {
    return this.space.distance(a, b);
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    this.space.interpolate(out, a, b, t);
  }
}

/**
 * Uniform samples of the unit ball, without logarithms and without rejection. On a sphere in even dimension the squared
 * lengths of coordinate pairs are distributed like the spacings of sorted uniform numbers, and their angles are
 * uniform; removing a coordinate and normalizing keeps directions uniform [Devroye86 §V.2, V.4]. The radius U^(1/n) is
 * the maximum of n uniform numbers.
 */
export class UnitBall {
  private readonly cuts: Float64Array;
  /** Random numbers of one sample: the cuts, the angles, and those of the radius. */
  private readonly numbers: Float64Array;
  private readonly angle = new Float64Array(2);

  constructor(private readonly dof: number) {
    const pairs = Math.ceil(dof / 2);
    this.numbers = new Float64Array(2 * pairs - 1 + dof);
    this.cuts = this.numbers.subarray(0, pairs - 1);
  }

  sample(out: Configuration, random: Random): void {
    const { dof, cuts, numbers, angle } = this;
    random.fill(numbers, numbers.length);
    sortFew(cuts);
    let square = 0;
    for (let pair = 0; pair <= cuts.length; pair++) {
      const length = Math.sqrt((pair < cuts.length ? cuts[pair] : 1) - (pair > 0 ? cuts[pair - 1] : 0));
      sinCos(angle, TWO_PI * numbers[cuts.length + pair]);
      for (let side = 0; side < 2 && 2 * pair + side < dof; side++) {
        const value = length * angle[side];
        out[2 * pair + side] = value;
        square += value * value;
      }
    }
    let radius = 0;
    for (let i = numbers.length - dof; i < numbers.length; i++) radius = Math.max(radius, numbers[i]);
    const scale = square > 0 ? radius / Math.sqrt(square) : 0;
    for (let i = 0; i < dof; i++) out[i] *= scale;
  }
}

/** Sorts a few numbers by insertion. */
function sortFew(values: Float64Array): void {
  for (let i = 1; i < values.length; i++) {
    const value = values[i];
    let hole = i;
    for (; hole > 0 && values[hole - 1] > value; hole--) values[hole] = values[hole - 1];
    values[hole] = value;
  }
}
