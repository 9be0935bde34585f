import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { completed, type Slices } from '../math/slices.ts';
import type { Transform } from '../math/transform.ts';
import { PI } from '../math/trigonometry.ts';
import { AnalyticArm } from './analyticArm.ts';
import { type Box, EXACT_POSE, PoseDescent, type PoseTolerance } from './dampedLeastSquares.ts';
import { turnableVariables } from './fullTurns.ts';
import { type IkAnswer, type IkOptions, IkSearch, type IkSolution } from './ikSearch.ts';
import { movingJoints, type Reach, reachOf, shortfallOf } from './reach.ts';
import type { RobotModel } from './robotModel.ts';

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
  readonly reach: Reach;
  private readonly arm: AnalyticArm | undefined;
  private readonly descent: PoseDescent;
  /** Length of the stretched arm in metres; 1 if unknown. */
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
    const search = new IkSearch(this.model, begin, this.turnable, { ...ikDefaults, ...given });
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
    search: IkSearch,
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

  private *addClosedForm(search: IkSearch, arm: AnalyticArm, T_world_link: Transform): Slices<void> {
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
