import { ownValue } from '../../../errors.ts';
import { turnableVariables } from '../../kinematics/fullTurns.ts';
import { longestLever } from '../../kinematics/robotMagnitudes.ts';
import type { JointLimits, RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { derived } from '../../math/derived.ts';
import { MAX_JOINT_VALUE } from '../../math/magnitudes.ts';
import type { Random } from '../../math/random.ts';
import { PI, TWO_PI } from '../../math/trigonometry.ts';
import { type Metric, metricOf, shortestDifference, withinHalfTurn } from '../../planning/metric.ts';
import type { JointSpace, SpaceConstraints } from '../../planning/planner.ts';

/**
 * Sampling range of a prismatic joint without limits: ± this many metres. (Turning joints without limits: ± half a
 * turn.)
 */
const UNBOUNDED_SLIDE = 10;

/** Samples per projected sample: a state from which the projection fails is not valid, but not wrong either. */
const MAX_PROJECTIONS = 20;

/** Options of `RobotJointSpace`. */
export interface JointSpaceOptions {
  /** Weight of each joint in the metric, by name: distance per rad or m of joint travel; default 1. */
  readonly weights?: Readonly<Record<string, number>>;
  /** True: continuous joints take the shorter rotation. False (default): their values are not wrapped. */
  readonly wraps?: boolean;
}

/**
 * Joint space of a robot within its limits, with the weighted Euclidean metric. Turning joints without limits are
 * sampled over one turn about zero, prismatic ones over ± UNBOUNDED_SLIDE.
 */
export class RobotJointSpace implements JointSpace {
  /** Number of planned joints. */
  readonly dof: number;
  /** Weight of each joint in the metric. */
  readonly weights: Float64Array;
  /** π for continuous joints that wrap, Infinity for others; undefined if no joint wraps. */
  readonly halfTurns: Float64Array | undefined;
  /** Lower bound of each joint for sampling, rad or m. */
  readonly lower: Float64Array;
  /** Upper bound of each joint for sampling, rad or m. */
  readonly upper: Float64Array;

  /** Path constraints, if there are any: see `JointSpace`. */
  constraints: SpaceConstraints | undefined;

  private readonly metric: Metric;

  constructor(robot: RobotModel, { weights = {}, wraps = false }: JointSpaceOptions = {}) {
    this.dof = robot.dof;
    this.weights = Float64Array.from(robot.variables, ({ name }) => ownValue(weights, name) ?? 1);
    const isContinuous = continuousVariables(robot);
    if (wraps && isContinuous.includes(true))
      this.halfTurns = Float64Array.from(isContinuous, (turns) => (turns ? PI : Number.POSITIVE_INFINITY));
    this.metric = metricOf(this);
    const reach = robot.variables.map((joint) => (joint.type === 'prismatic' ? UNBOUNDED_SLIDE : PI));
    this.lower = Float64Array.from(robot.variables, ({ limits }, i) =>
      limits.lower > Number.NEGATIVE_INFINITY ? limits.lower : -reach[i],
    );
    this.upper = Float64Array.from(robot.variables, ({ limits }, i) =>
      limits.upper < Number.POSITIVE_INFINITY ? limits.upper : reach[i],
    );
  }

  /**
   * Writes a configuration within the bounds into `out`, uniformly distributed; with constraints the projection of such
   * a one, if one of a few can be projected.
   */
  sample(out: Configuration, random: Random): void {
    for (let attempt = 0; attempt < MAX_PROJECTIONS; attempt++) {
      for (let i = 0; i < this.dof; i++) out[i] = random.between(this.lower[i], this.upper[i]);
      if (this.constraints === undefined || this.constraints.project(out)) return;
    }
    for (let i = 0; i < this.dof; i++) out[i] = random.between(this.lower[i], this.upper[i]);
  }

  /** Returns the weighted Euclidean distance of two configurations. */
  distance(a: Configuration, b: Configuration): number {
    const { weights, halfTurns } = this.metric;
    let sum = 0;
    for (let i = 0; i < this.dof; i++) {
      const difference = weights[i] * shortestDifference(a[i], b[i], halfTurns[i]);
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  /** Writes a + t (b − a) into `out`, t in [0, 1]. */
  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    const { halfTurns } = this.metric;
    for (let i = 0; i < this.dof; i++) {
      const value = a[i] + t * shortestDifference(a[i], b[i], halfTurns[i]);
      out[i] = t === 1 ? b[i] : withinHalfTurn(value, halfTurns[i]);
    }
  }

  /** Returns q with wrapped joints normalised to within half a turn of zero; q itself if no joint wraps. */
  wrap(q: Configuration): Configuration {
    const { halfTurns } = this;
    return halfTurns ? q.map((value, i) => withinHalfTurn(value, halfTurns[i])) : q;
  }
}

/**
 * Returns for each planned joint of a robot whether it has no limits and a full turn leaves all links where they are.
 */
const continuousVariables = derived((robot: RobotModel): readonly boolean[] => {
  const turnable = turnableVariables(robot);
  return robot.variables.map(
    ({ limits }, i) =>
      turnable[i] && limits.lower === Number.NEGATIVE_INFINITY && limits.upper === Number.POSITIVE_INFINITY,
  );
});

/**
 * Returns metric weights that make prismatic and turning joints comparable. A metre counts as the angle that moves the
 * farthest point of the robot by a metre, 1 / R with R the longest lever arm of any turning joint; but the whole travel
 * of a prismatic joint counts at most as a full turn. Angles count 1. Empty (all weights 1) if the robot has only one
 * kind of joint.
 */
export function balancedWeights(robot: RobotModel): Record<string, number> {
  const isSlide = robot.variables.map((joint) => joint.type === 'prismatic');
  const lever = longestLever(robot);
  if (!isSlide.includes(true) || !isSlide.includes(false) || lever === 0) return {};
  return Object.fromEntries(
    robot.variables.flatMap(({ name, limits }, i) =>
      isSlide[i] ? [[name, Math.min(1 / lever, TWO_PI / travelOf(limits))]] : [],
    ),
  );
}

/** Returns the travel of a prismatic joint, metres; greater than 0. */
function travelOf({ lower, upper }: { readonly lower: number; readonly upper: number }): number {
  const travel = upper - lower;
  return travel < Number.POSITIVE_INFINITY ? Math.max(travel, Number.MIN_VALUE) : 2 * UNBOUNDED_SLIDE;
}

/** Returns the names of the joints whose value is out of limits, exceeds MAX_JOINT_VALUE, or is NaN. */
export function jointsOutOfLimits(robot: RobotModel, q: ArrayLike<number>): string[] {
  return robot.variables.filter(({ limits }, i) => !isWithin(q[i], limits)).map((joint) => joint.name);
}

/** Returns true if all values are within limits; does not allocate. */
export function isWithinLimits({ variables }: RobotModel, q: ArrayLike<number>): boolean {
  for (let i = 0; i < variables.length; i++) {
    if (!isWithin(q[i], variables[i].limits)) return false;
  }
  return true;
}

function isWithin(value: number, { lower, upper }: JointLimits): boolean {
  return value >= lower - LIMIT_TOLERANCE && value <= upper + LIMIT_TOLERANCE && Math.abs(value) <= MAX_JOINT_VALUE;
}

/** Absolute, rad or m: a value that was written with fewer digits than the limit still counts as within it. */
const LIMIT_TOLERANCE = 1e-9;
