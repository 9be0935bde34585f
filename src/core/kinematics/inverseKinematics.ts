import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { compose, create, invert, type Transform } from '../math/transform.ts';
import { PI } from '../math/trigonometry.ts';
import { AnalyticArm } from './analyticArm.ts';
import { type Box, PoseDescent } from './dampedLeastSquares.ts';
import { turnableVariables } from './fullTurns.ts';
import { type Attempt, type IkAnswer, type IkOptions, IkSearch } from './ikSearch.ts';
import { EXACT_POSE, largestAngle, type PoseTolerance, sampledTarget, scaledTolerance } from './pose.ts';
import { movingJoints, type Reach, reachOf, shortfallOf } from './reach.ts';
import type { RobotModel } from './robotModel.ts';

/** Default options. */
export const ikDefaults: IkOptions = {
  tolerance: { position: 1e-6, angle: 1e-6 },
  solutions: 16,
  starts: 200,
  accept: () => true,
  onDescent: () => {},
};

/** Iteration limit of a descent; successful ones take 10 to 40. */
const DESCENT_STEPS = 100;
/** Iteration limit of the refinement of a closed-form solution. */
const REFINING_STEPS = 12;
/** Share of the tolerance that a descent aims at, so that it ends within the tolerance. */
const INSIDE = 0.9;
/** Relative to the size of the arm, and rad: in larger tolerances several poses are solved for, not only the target. */
const LOOSE = 0.05;
/** Number of starts that determine the nearest configuration of a pose that is out of reach. */
const STARTS_OUT_OF_REACH = 8;
/** Number of starts that determine which joint limits prevent a solution. */
const STARTS_BEYOND_LIMITS = 32;

/** Number of orientations that the closed form is evaluated for if axes are free or have a wide tolerance. */
const ORIENTATIONS = 32;

/**
 * Inverse kinematics of one link, or of a frame fixed to it: closed form if the arm has one (`AnalyticArm`), damped
 * least squares otherwise: of calibrated arms from the closed form of an arm nearby, then from many starts.
 * Deterministic for a seed. One per thread.
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
  private readonly T_frame_link = create();

  /**
   * @param link index in `model.links`
   * @param T_link_frame the frame that poses and tolerances refer to; default: the frame of the link
   */
  constructor(
    /** The robot model. */
    readonly model: RobotModel,
    link: number,
    private readonly T_link_frame: Transform = create(),
  ) {
    const { variables } = model;
    this.reach = reachOf(model, link);
    this.arm = AnalyticArm.recognise(model, link);
    const { outer } = this.reach.origin;
    this.size = outer > 0 && outer < Number.POSITIVE_INFINITY ? outer : 1;
    this.descent = new PoseDescent(model, link, this.size, T_link_frame);
    invert(this.T_frame_link, T_link_frame);
    this.limits = { lower: variables.map((one) => one.limits.lower), upper: variables.map((one) => one.limits.upper) };
    this.turnable = turnableVariables(model);
    const chain = movingJoints(model, link);
    this.moves = variables.map((_, i) => chain.some((joint) => joint.variable === i));
  }

  /** True if there is a closed form, which returns all solutions. */
  get closedForm(): boolean {
    return this.arm?.isExact === true;
  }

  /**
   * Solves for the pose of the link, or of its frame.
   * @param T_target pose in the world
   * @param near first start; joints that do not move the link keep its values
   */
  solve(T_target: Transform, near: Configuration, random: Random, given: Partial<IkOptions> = {}): IkAnswer {
    const { lower, upper } = this.limits;
    const begin = Float64Array.from(near, (value, i) => Math.min(Math.max(value, lower[i]), upper[i]));
    const search = new IkSearch(this.model, begin, this.turnable, { ...ikDefaults, ...given });
    const { tolerance } = search.options;
    if (this.arm) this.addClosedForm(search, this.arm, T_target, T_target);
    const loose = this.isLoose(tolerance); // the closed form solves for the centre of the tolerance only
    if (this.arm && typeof tolerance.angle !== 'number') this.addOrientations(search, this.arm, T_target);
    const isSampled = typeof tolerance.angle !== 'number' || !loose;
    // An arm nearby may have fewer solutions: those that are found do not suffice if all of them are refused.
    const isEnough = this.closedForm ? search.foundAny() : search.hasAccepted();
    if (isEnough && isSampled && this.arm) return search.answer(undefined);

    const [, , , x, , , , y, , , , z] = this.T_link_frame;
    const shortfall = shortfallOf(this.reach, this.linkPose(T_target), tolerance, Float64Array.of(x, y, z));
    const starts = shortfall ? STARTS_OUT_OF_REACH : Math.max(1, search.options.starts);
    for (let i = 0; i < starts && !search.isFull(); i++) {
      const aim = loose && (this.arm || i % 2 === 1) ? 'tolerance' : 'pose';
      search.options.onDescent();
      const found = this.descendFrom(this.start(i, begin, random), T_target, tolerance, i, aim);
      search.add(found);
    }
    if (!search.foundAny() && !this.closedForm && !shortfall) this.searchBeyondLimits(search, T_target, begin, random);
    if (search.foundAny()) return search.answer(undefined);
    const beyondLimits = search.beyond ?? [];
    return search.answer({ shortfall, beyondLimits, nearest: search.nearest!, starts, isSearch: !this.closedForm });
  }

  /** Descends without limits, to find out which joint limits prevent a solution. */
  private searchBeyondLimits(search: IkSearch, T_target: Transform, near: Configuration, random: Random): void {
    const { tolerance } = search.options;
    for (let i = 0; i < STARTS_BEYOND_LIMITS; i++) {
      const q = this.start(i, near, random);
      const T_sample = sampledTarget(T_target, tolerance.angle, i, LOOSE);
      search.options.onDescent();
      this.descent.descend(q, T_sample, ANYWHERE(q.length), EXACT_POSE, DESCENT_STEPS);
      const attempt = this.attemptAt(q, T_target, tolerance);
      if (attempt.isWithin) search.add(attempt);
    }
  }

  /** Adds the closed-form solutions of one pose within the tolerance. */
  private addClosedForm(search: IkSearch, arm: AnalyticArm, T_target: Transform, T_sample: Transform): void {
    for (const q of arm.solutions(this.linkPose(T_sample), search.near)) {
      search.options.onDescent();
      const steps = arm.isExact ? REFINING_STEPS : DESCENT_STEPS;
      this.descent.descend(q, T_sample, ANYWHERE(q.length), EXACT_POSE, steps);
      search.add(this.attemptAt(q, T_target, search.options.tolerance));
    }
  }

  /** Adds the closed-form solutions of orientations all over the tolerance, until there are enough. */
  private addOrientations(search: IkSearch, arm: AnalyticArm, T_target: Transform): void {
    const { angle } = search.options.tolerance;
    for (let k = 1; k < ORIENTATIONS && !search.isFull(); k++) {
      const T_sample = sampledTarget(T_target, angle, k, LOOSE);
      if (T_sample !== T_target) this.addClosedForm(search, arm, T_target, T_sample);
    }
  }

  /** Pose of the link at which its frame is at the target. */
  private linkPose(T_world_frame: Transform): Transform {
    const T_world_link = create();
    compose(T_world_link, T_world_frame, this.T_frame_link);
    return T_world_link;
  }

  private attemptAt(q: Configuration, T_target: Transform, tolerance: PoseTolerance): Attempt {
    const { descent } = this;
    const isWithin = descent.isWithin(q, T_target, tolerance);
    return { q, positionError: descent.positionError, angleError: descent.angleError, isWithin };
  }

  /**
   * Descends to sample k of the poses within the tolerance; if that fails or `aim` is the tolerance, to within the
   * tolerance.
   */
  private descendFrom(
    q: Configuration,
    T_target: Transform,
    tolerance: PoseTolerance,
    k: number,
    aim: 'pose' | 'tolerance',
  ): Attempt {
    const { descent, limits } = this;
    if (aim === 'pose') {
      const T_sample = sampledTarget(T_target, tolerance.angle, k, LOOSE);
      descent.descend(q, T_sample, limits, EXACT_POSE, DESCENT_STEPS);
    }
    if (aim === 'tolerance' || !descent.isWithin(q, T_target, tolerance))
      descent.descend(q, T_target, limits, scaledTolerance(tolerance, INSIDE), DESCENT_STEPS);
    return this.attemptAt(q, T_target, tolerance);
  }

  /** True if the tolerance is so wide that solutions all over it are wanted. */
  private isLoose({ position, angle }: PoseTolerance): boolean {
    return largestAngle(angle) > LOOSE || position > LOOSE * this.size;
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
