import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import type { Transform } from '../math/transform.ts';
import { PI, wrapAngle } from '../math/trigonometry.ts';
import { AnalyticArm } from './analyticArm.ts';
import { type Box, EXACT_POSE, PoseDescent, type PoseTolerance } from './dampedLeastSquares.ts';
import { turnableVariables, valuesWithin, withFullTurns } from './fullTurns.ts';
import { movingJoints, type Reach, reachOf, type Shortfall, shortfallOf } from './reach.ts';
import type { RobotModel } from './robotModel.ts';

/** A configuration that takes the link to the pose, and how far off it is: metres, radians. */
export interface IkSolution {
  readonly q: Configuration;
  readonly positionError: number;
  readonly angleError: number;
}

/** Why there is none, as far as is known. */
export interface IkMiss {
  /** By lengths alone it cannot be reached. */
  readonly shortfall: Shortfall | undefined;
  /** Joints that would have to leave their limits in the configuration that needs the fewest to do so; empty where none was found. */
  readonly beyondLimits: readonly string[];
  /** The nearest miss within limits. */
  readonly nearest: IkSolution;
  /** Starts of descents that led nowhere. */
  readonly starts: number;
  /** There is no closed form: what was not found may be there all the same. */
  readonly isSearch: boolean;
}

export interface IkAnswer {
  /** Distinct, not equal but for full turns; each the nearest of its full turns to `near`, and the nearest first. */
  readonly solutions: readonly IkSolution[];
  /** Solutions that `accept` refused, likewise. */
  readonly refused: readonly IkSolution[];
  /** There only where nothing was found, not even to be refused. */
  readonly miss: IkMiss | undefined;
}

/** How to look for solutions; `ikDefaults` holds what is not given. */
export interface IkOptions {
  /** How far off a solution may be; metres, radians. */
  readonly tolerance: PoseTolerance;
  /** Stop after so many; a closed form gives all there are. */
  readonly solutions: number;
  /** Stop after descents from so many starts. */
  readonly starts: number;
  /** What else a solution must be, free of collision for example. */
  readonly accept: (q: Configuration) => boolean;
}

export const ikDefaults: IkOptions = {
  tolerance: { position: 1e-6, angle: 1e-6 },
  solutions: 16,
  starts: 200,
  accept: () => true,
};

/** Steps of one descent; those that arrive need some ten to forty. */
const DESCENT_STEPS = 100;
/** Steps that take the rounding out of a closed form. */
const REFINING_STEPS = 12;
/** Share of the tolerance left unused by a descent into it, so that it ends inside. */
const INSIDE = 0.9;
/** Absolute, rad and m: solutions nearer to each other than this in each joint are one. */
const DISTINCT = 1e-3;
/** Relative to the size of the arm, and rad: from here on a tolerance is wide. */
const LOOSE = 0.05;
/** Starts spent on saying how near one gets to what is certainly out of reach. */
const STARTS_OUT_OF_REACH = 8;
/** Starts spent on finding out which limits are in the way. */
const STARTS_BEYOND_LIMITS = 32;

/**
 * Inverse kinematics of one link: in closed form where the arm allows it (`AnalyticArm`), by damped least squares from many starts otherwise.
 * Deterministic: the same random numbers give the same answer. One per thread of work.
 */
export class InverseKinematics {
  readonly reach: Reach;
  private readonly arm: AnalyticArm | undefined;
  private readonly descent: PoseDescent;
  /** Metres: length of the stretched arm, or 1 m where it has none. */
  private readonly size: number;
  private readonly limits: Box;
  private readonly turnable: readonly boolean[];
  private readonly moves: readonly boolean[];

  constructor(
    readonly model: RobotModel,
    link: number,
  ) {
    const { variables } = model;
    this.reach = reachOf(model, link);
    this.arm = AnalyticArm.recognise(model, link);
    const { outer } = this.reach.origin;
    this.size = outer > 0 && outer < Number.POSITIVE_INFINITY ? outer : 1;
    this.descent = new PoseDescent(model, link, this.size);
    this.limits = { lower: variables.map((one) => one.limits.lower), upper: variables.map((one) => one.limits.upper) };
    this.turnable = turnableVariables(model);
    const chain = movingJoints(model, link);
    this.moves = variables.map((_, i) => chain.some((joint) => joint.variable === i));
  }

  /** Is the closed form at hand? It then gives every solution. */
  get closedForm(): boolean {
    return this.arm !== undefined;
  }

  /** @param near where to begin; joints that do not move the link keep its values */
  solve(T_world_link: Transform, near: Configuration, random: Random, given: Partial<IkOptions> = {}): IkAnswer {
    const { lower, upper } = this.limits;
    const begin = Float64Array.from(near, (value, i) => Math.min(Math.max(value, lower[i]), upper[i]));
    const search = new Search(this.model, begin, this.turnable, { ...ikDefaults, ...given });
    if (this.arm) this.addClosedForm(search, this.arm, T_world_link);
    const { tolerance } = search.options;
    const loose = this.isLoose(tolerance); // the closed form knows the pose itself alone, nothing of what is allowed around it
    if (search.foundAny() && !loose) return search.answer(undefined);

    const shortfall = shortfallOf(this.reach, T_world_link, tolerance);
    const starts = shortfall ? STARTS_OUT_OF_REACH : Math.max(1, search.options.starts);
    for (let i = 0; i < starts && !search.isFull(); i++) {
      const aim = loose && (this.arm || i % 2 === 1) ? 'tolerance' : 'pose';
      search.add(this.descendFrom(this.start(i, begin, random), T_world_link, tolerance, aim));
    }
    if (!search.foundAny() && !this.arm && !shortfall) this.lookBeyondLimits(search, T_world_link, begin, random);
    if (search.foundAny()) return search.answer(undefined);
    const beyondLimits = search.beyond ?? [];
    return search.answer({ shortfall, beyondLimits, nearest: search.nearest!, starts, isSearch: !this.arm });
  }

  /** Where no descent within limits arrives, some without them tell whether it is the limits that are in the way, and of which joints. */
  private lookBeyondLimits(search: Search, T_world_link: Transform, near: Configuration, random: Random): void {
    const { position, angle } = search.options.tolerance;
    for (let i = 0; i < STARTS_BEYOND_LIMITS; i++) {
      const q = this.start(i, near, random);
      this.descent.descend(q, T_world_link, ANYWHERE(q.length), EXACT_POSE, DESCENT_STEPS);
      const { positionError, angleError } = this.descent;
      if (positionError <= position && angleError <= angle) search.add({ q, positionError, angleError });
    }
  }

  private addClosedForm(search: Search, arm: AnalyticArm, T_world_link: Transform): void {
    for (const q of arm.solutions(T_world_link, search.near)) {
      this.descent.descend(q, T_world_link, ANYWHERE(q.length), EXACT_POSE, REFINING_STEPS);
      const { positionError, angleError } = this.descent;
      search.add({ q, positionError, angleError });
    }
  }

  /** To the pose itself; where that is not to be had, or not asked for, into the tolerance around it. */
  private descendFrom(
    q: Configuration,
    T_world_link: Transform,
    tolerance: PoseTolerance,
    aim: 'pose' | 'tolerance',
  ): IkSolution {
    const { descent, limits } = this;
    const arrived = () => descent.positionError <= tolerance.position && descent.angleError <= tolerance.angle;
    if (aim === 'pose') descent.descend(q, T_world_link, limits, EXACT_POSE, DESCENT_STEPS);
    if (aim === 'tolerance' || !arrived()) {
      const slack = { position: INSIDE * tolerance.position, angle: INSIDE * tolerance.angle };
      descent.descend(q, T_world_link, limits, slack, DESCENT_STEPS);
    }
    return { q, positionError: descent.positionError, angleError: descent.angleError };
  }

  /** So wide that solutions all over it are wanted, not the one in its middle alone. */
  private isLoose({ position, angle }: PoseTolerance): boolean {
    return angle > LOOSE || position > LOOSE * this.size;
  }

  /** First the configuration asked for, then the middle of the limits, then anywhere. */
  private start(index: number, near: Configuration, random: Random): Configuration {
    const { limits, moves, turnable } = this;
    return Float64Array.from(near, (value, i) => {
      const bounded = limits.upper[i] - limits.lower[i] < Number.POSITIVE_INFINITY;
      const reach = turnable[i] ? PI : UNBOUNDED_SLIDE;
      const lower = bounded ? limits.lower[i] : Math.max(limits.lower[i], Math.min(-reach, limits.upper[i] - reach));
      const upper = bounded ? limits.upper[i] : Math.min(limits.upper[i], Math.max(reach, limits.lower[i] + reach));
      if (index === 0 || !moves[i]) return value;
      return index === 1 ? (lower + upper) / 2 : random.between(lower, upper);
    });
  }
}

/** Metres: how far from 0 a slide without limits is started. */
const UNBOUNDED_SLIDE = 10;

const ANYWHERE = (dof: number): Box => ({
  lower: new Float64Array(dof).fill(Number.NEGATIVE_INFINITY),
  upper: new Float64Array(dof).fill(Number.POSITIVE_INFINITY),
});

/** What one search has found so far. */
class Search {
  nearest: IkSolution | undefined;
  beyond: readonly string[] | undefined;
  private readonly accepted: IkSolution[] = [];
  private readonly refused: IkSolution[] = [];

  constructor(
    private readonly model: RobotModel,
    readonly near: Configuration,
    private readonly turnable: readonly boolean[],
    readonly options: IkOptions,
  ) {}

  foundAny(): boolean {
    return this.accepted.length + this.refused.length > 0;
  }

  isFull(): boolean {
    return this.accepted.length >= this.options.solutions;
  }

  /** Takes down what a descent ended with: a solution, one beyond limits, a miss, or one known already. */
  add(found: IkSolution): void {
    const { position, angle } = this.options.tolerance;
    if (!(found.positionError <= position && found.angleError <= angle)) {
      if (this.nearest === undefined || missOf(found) < missOf(this.nearest)) this.nearest = found;
      return;
    }
    const [q] = withFullTurns(this.model, found.q, this.near, { perJoint: 1 });
    if (q === undefined) {
      const beyond = this.jointsBeyond(found.q);
      if (this.beyond === undefined || beyond.length < this.beyond.length) this.beyond = beyond;
      return;
    }
    if ([...this.accepted, ...this.refused].some((known) => this.isSame(known.q, q))) return;
    const solution = { ...found, q };
    (this.options.accept(q) ? this.accepted : this.refused).push(solution);
  }

  answer(miss: IkMiss | undefined): IkAnswer {
    const { near } = this;
    const sorted = (list: readonly IkSolution[]) =>
      list
        .map((solution) => ({ solution, distance: distanceSquared(solution.q, near) }))
        .sort((a, b) => a.distance - b.distance)
        .map(({ solution }) => solution);
    return { solutions: sorted(this.accepted), refused: sorted(this.refused), miss };
  }

  private isSame(a: Configuration, b: Configuration): boolean {
    return a.every((value, i) => {
      const difference = this.turnable[i] ? wrapAngle(b[i] - value) : b[i] - value;
      return Math.abs(difference) < DISTINCT;
    });
  }

  private jointsBeyond(q: Configuration): string[] {
    const { near, turnable } = this;
    const { variables } = this.model;
    return variables
      .filter(({ limits }, i) => valuesWithin(q[i], near[i], limits, turnable[i]).length === 0)
      .map((joint) => joint.name);
  }
}

/** A radian counts as a metre here: it only has to be the same for all. */
const missOf = ({ positionError, angleError }: IkSolution) => positionError * positionError + angleError * angleError;

function distanceSquared(a: Configuration, b: Configuration): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}
