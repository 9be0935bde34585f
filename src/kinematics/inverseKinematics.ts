import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { completed, type Slices } from '../math/slices.ts';
import type { Transform } from '../math/transform.ts';
import { PI, wrapAngle } from '../math/trigonometry.ts';
import { AnalyticArm } from './analyticArm.ts';
import { type Box, EXACT_POSE, PoseDescent, type PoseTolerance } from './dampedLeastSquares.ts';
import { turnableVariables, valuesWithin, withFullTurns } from './fullTurns.ts';
import { movingJoints, type Reach, reachOf, type Shortfall, shortfallOf } from './reach.ts';
import type { RobotModel } from './robotModel.ts';

/** Joint solution of a pose with its residual errors in metres and radians. */
export interface IkSolution {
  /** The configuration: rad, m. */
  readonly q: Configuration;
  /** Distance of the position from the target, metres. */
  readonly positionError: number;
  /** Angle of the rotation from the target to the pose, radians. */
  readonly angleError: number;
}

/** Why no solution was found, as far as it is known. */
export interface IkMiss {
  /** Set if link lengths alone prove that the pose is out of reach. */
  readonly shortfall: Shortfall | undefined;
  /** Joints out of limits in the solution with the fewest such joints; empty if there is none. */
  readonly beyondLimits: readonly string[];
  /** Configuration within limits with the smallest error. */
  readonly nearest: IkSolution;
  /** Number of start configurations tried. */
  readonly starts: number;
  /** True if the search was numerical: solutions may exist that were not found. */
  readonly isSearch: boolean;
}

/** Result of `InverseKinematics.solve`. */
export interface IkAnswer {
  /** Solutions that differ by more than full turns; each is the equivalent nearest to `near`, nearest first. */
  readonly solutions: readonly IkSolution[];
  /** Solutions that `accept` rejected, likewise. */
  readonly refused: readonly IkSolution[];
  /** Set if there are neither solutions nor rejected ones. */
  readonly miss: IkMiss | undefined;
}

/** Options of `InverseKinematics.solve`; see `ikDefaults`. */
export interface IkOptions {
  /** Maximum error of a solution: metres, radians. */
  readonly tolerance: PoseTolerance;
  /** Numerical search: stop after this many solutions. The closed form returns all. */
  readonly solutions: number;
  /** Maximum number of start configurations. */
  readonly starts: number;
  /** Additional condition, for example collision-free; may be work in slices. */
  readonly accept: (q: Configuration) => boolean | Slices<boolean>;
}

/** Default options. */
export const ikDefaults: IkOptions = {
  tolerance: { position: 1e-6, angle: 1e-6 },
  solutions: 16,
  starts: 200,
  accept: () => true,
};

/** Iteration limit of a descent; successful ones take 10 to 40. */
const DESCENT_STEPS = 100;
/** Iteration limit of the refinement of a closed-form solution. */
const REFINING_STEPS = 12;
/** Share of the tolerance that a descent aims at, so that it ends within the tolerance. */
const INSIDE = 0.9;
/** Absolute, rad and m: solutions that differ by less than this in each joint are the same. */
const DISTINCT = 1e-3;
/** Relative to the size of the arm, and rad: tolerances above this are sampled, not only their centre. */
const LOOSE = 0.05;
/** Number of starts that determine the nearest configuration of a pose that is out of reach. */
const STARTS_OUT_OF_REACH = 8;
/** Number of starts that determine which joint limits prevent a solution. */
const STARTS_BEYOND_LIMITS = 32;

/**
 * Inverse kinematics of one link: closed form if the arm has one (`AnalyticArm`), damped least squares from many starts
 * otherwise. Deterministic for a seed. One per thread.
 */
export class InverseKinematics {
  /** Outer bounds on the reachable workspace of the link. */
  readonly reach: Reach;
  private readonly arm: AnalyticArm | undefined;
  private readonly descent: PoseDescent;
  /** Length of the stretched arm in metres; 1 if unknown. */
  private readonly size: number;
  private readonly limits: Box;
  private readonly turnable: readonly boolean[];
  private readonly moves: readonly boolean[];

  constructor(
    /** The robot model. */
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

  /** True if there is a closed form, which returns all solutions. */
  get closedForm(): boolean {
    return this.arm !== undefined;
  }

  /**
   * Solves for the pose of the link.
   * @param near first start; joints that do not move the link keep its values
   */
  solve(T_world_link: Transform, near: Configuration, random: Random, given: Partial<IkOptions> = {}): IkAnswer {
    return completed(this.solving(T_world_link, near, random, given));
  }

  /** As `solve`, in slices; no other method of this object may be called in the pauses. */
  *solving(
    T_world_link: Transform,
    near: Configuration,
    random: Random,
    given: Partial<IkOptions> = {},
  ): Slices<IkAnswer> {
    const { lower, upper } = this.limits;
    const begin = Float64Array.from(near, (value, i) => Math.min(Math.max(value, lower[i]), upper[i]));
    const search = new Search(this.model, begin, this.turnable, { ...ikDefaults, ...given });
    if (this.arm) yield* this.addClosedForm(search, this.arm, T_world_link);
    const { tolerance } = search.options;
    const loose = this.isLoose(tolerance); // the closed form solves for the centre of the tolerance only
    if (search.foundAny() && !loose) return search.answer(undefined);

    const shortfall = shortfallOf(this.reach, T_world_link, tolerance);
    yield;
    const starts = shortfall ? STARTS_OUT_OF_REACH : Math.max(1, search.options.starts);
    for (let i = 0; i < starts && !search.isFull(); i++) {
      const aim = loose && (this.arm || i % 2 === 1) ? 'tolerance' : 'pose';
      const found = yield* this.descendFrom(this.start(i, begin, random), T_world_link, tolerance, aim);
      yield* search.add(found);
    }
    if (!search.foundAny() && !this.arm && !shortfall)
      yield* this.searchBeyondLimits(search, T_world_link, begin, random);
    if (search.foundAny()) return search.answer(undefined);
    const beyondLimits = search.beyond ?? [];
    return search.answer({ shortfall, beyondLimits, nearest: search.nearest!, starts, isSearch: !this.arm });
  }

  /** Descends without limits, to find out which joint limits prevent a solution. */
  private *searchBeyondLimits(
    search: Search,
    T_world_link: Transform,
    near: Configuration,
    random: Random,
  ): Slices<void> {
    const { position, angle } = search.options.tolerance;
    for (let i = 0; i < STARTS_BEYOND_LIMITS; i++) {
      const q = this.start(i, near, random);
      yield* this.descent.descending(q, T_world_link, ANYWHERE(q.length), EXACT_POSE, DESCENT_STEPS);
      const { positionError, angleError } = this.descent;
      if (positionError <= position && angleError <= angle) yield* search.add({ q, positionError, angleError });
    }
  }

  private *addClosedForm(search: Search, arm: AnalyticArm, T_world_link: Transform): Slices<void> {
    for (const q of arm.solutions(T_world_link, search.near)) {
      yield* this.descent.descending(q, T_world_link, ANYWHERE(q.length), EXACT_POSE, REFINING_STEPS);
      const { positionError, angleError } = this.descent;
      yield* search.add({ q, positionError, angleError });
    }
  }

  /** Descends to the pose; if that fails or `aim` is the tolerance, to within the tolerance. */
  private *descendFrom(
    q: Configuration,
    T_world_link: Transform,
    tolerance: PoseTolerance,
    aim: 'pose' | 'tolerance',
  ): Slices<IkSolution> {
    const { descent, limits } = this;
    const isReached = () => descent.positionError <= tolerance.position && descent.angleError <= tolerance.angle;
    if (aim === 'pose') yield* descent.descending(q, T_world_link, limits, EXACT_POSE, DESCENT_STEPS);
    if (aim === 'tolerance' || !isReached()) {
      const slack = { position: INSIDE * tolerance.position, angle: INSIDE * tolerance.angle };
      yield* descent.descending(q, T_world_link, limits, slack, DESCENT_STEPS);
    }
    return { q, positionError: descent.positionError, angleError: descent.angleError };
  }

  /** True if the tolerance is so wide that solutions all over it are wanted. */
  private isLoose({ position, angle }: PoseTolerance): boolean {
    return angle > LOOSE || position > LOOSE * this.size;
  }

  /** Start configurations: `near`, the middle of the limits, then random ones. */
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

/** Range of start values of unlimited prismatic joints, ± metres. */
const UNBOUNDED_SLIDE = 10;

const ANYWHERE = (dof: number): Box => ({
  lower: new Float64Array(dof).fill(Number.NEGATIVE_INFINITY),
  upper: new Float64Array(dof).fill(Number.POSITIVE_INFINITY),
});

/** Results of one search. */
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

  /** Records the result of a descent: a solution, a solution beyond limits, or a miss. Ignores known solutions. */
  *add(found: IkSolution): Slices<void> {
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
    const accepted = this.options.accept(q);
    const isAccepted = typeof accepted === 'boolean' ? accepted : yield* accepted;
    (isAccepted ? this.accepted : this.refused).push(solution);
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

/** Error for comparisons; one radian counts as one metre. */
const missOf = ({ positionError, angleError }: IkSolution) => positionError * positionError + angleError * angleError;

function distanceSquared(a: Configuration, b: Configuration): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}
