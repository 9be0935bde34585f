import { ownValue } from '../errors.ts';
import { turnableVariables } from '../kinematics/fullTurns.ts';
import { longestLever } from '../kinematics/leverArm.ts';
import type { JointLimits, RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { MAX_JOINT_VALUE } from '../math/magnitudes.ts';
import type { Random } from '../math/random.ts';
import { PI, TWO_PI } from '../math/trigonometry.ts';
import { type Metric, metricOf, shortestDifference, withinHalfTurn } from '../planning/metric.ts';
import type { JointSpace } from '../planning/planner.ts';

/** Where a joint has no limits, samples are drawn from this far to either side: a full turn for angles, this many metres for slides. */
const UNBOUNDED_SLIDE = 10;

export interface JointSpaceOptions {
  /** What travel counts, by name of the joint: radians of distance for each radian or metre; all others 1. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Joints that can turn without end take the short way round. Off: values are taken as they stand. */
  readonly wraps?: boolean;
}

/**
 * The configurations of a robot within its limits, with the Euclidean metric over q, each value times its weight. Joints without limits are
 * sampled over one turn about zero.
 */
export class RobotJointSpace implements JointSpace {
  readonly dof: number;
  readonly weights: Float64Array;
  readonly halfTurns: Float64Array | undefined;
  readonly lower: Float64Array;
  readonly upper: Float64Array;

  private readonly metric: Metric;

  constructor(robot: RobotModel, { weights = {}, wraps = false }: JointSpaceOptions = {}) {
    this.dof = robot.dof;
    this.weights = Float64Array.from(robot.variables, ({ name }) => ownValue(weights, name) ?? 1);
    const endless = endlessVariables(robot);
    if (wraps && endless.includes(true))
      this.halfTurns = Float64Array.from(endless, (turns) => (turns ? PI : Number.POSITIVE_INFINITY));
    this.metric = metricOf(this);
    const reach = robot.variables.map((joint) => (joint.type === 'prismatic' ? UNBOUNDED_SLIDE : PI));
    this.lower = Float64Array.from(robot.variables, ({ limits }, i) =>
      limits.lower > Number.NEGATIVE_INFINITY ? limits.lower : -reach[i],
    );
    this.upper = Float64Array.from(robot.variables, ({ limits }, i) =>
      limits.upper < Number.POSITIVE_INFINITY ? limits.upper : reach[i],
    );
  }

  sample(out: Configuration, random: Random): void {
    for (let i = 0; i < this.dof; i++) out[i] = random.between(this.lower[i], this.upper[i]);
  }

  distance(a: Configuration, b: Configuration): number {
    const { weights, halfTurns } = this.metric;
    let sum = 0;
    for (let i = 0; i < this.dof; i++) {
      const difference = weights[i] * shortestDifference(a[i], b[i], halfTurns[i]);
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    const { halfTurns } = this.metric;
    for (let i = 0; i < this.dof; i++) {
      const value = a[i] + t * shortestDifference(a[i], b[i], halfTurns[i]);
      out[i] = t === 1 ? b[i] : withinHalfTurn(value, halfTurns[i]);
    }
  }

  /** The value of the space that stands for q; q itself where nothing wraps. */
  within(q: Configuration): Configuration {
    const { halfTurns } = this;
    return halfTurns ? q.map((value, i) => withinHalfTurn(value, halfTurns[i])) : q;
  }
}

/** Which joints have no limits and stand for the same place after a full turn. */
function endlessVariables(robot: RobotModel): boolean[] {
  const turnable = turnableVariables(robot);
  return robot.variables.map(
    ({ limits }, i) =>
      turnable[i] && limits.lower === Number.NEGATIVE_INFINITY && limits.upper === Number.POSITIVE_INFINITY,
  );
}

/**
 * Weights that put slides beside angles: a metre counts as the angle that moves the farthest point of the robot as far, 1 / R, R being the
 * longest lever of any turning joint; but the whole travel of a slide as a full turn at most. Angles count 1, and so does all where the
 * robot has one kind of joint only.
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

/** Metres from one end of a slide to the other; never 0. */
function travelOf({ lower, upper }: { readonly lower: number; readonly upper: number }): number {
  const travel = upper - lower;
  return travel < Number.POSITIVE_INFINITY ? Math.max(travel, Number.MIN_VALUE) : 2 * UNBOUNDED_SLIDE;
}

/** Names of the joints whose value is out of limits, or beyond the bound on joint values; NaN is out of every limit. */
export function jointsOutOfLimits(robot: RobotModel, q: ArrayLike<number>): string[] {
  return robot.variables.filter(({ limits }, i) => !isWithin(q[i], limits)).map((joint) => joint.name);
}

/** As `jointsOutOfLimits`, without names, for loops. */
export function isWithinLimits({ variables }: RobotModel, q: ArrayLike<number>): boolean {
  for (let i = 0; i < variables.length; i++) {
    if (!isWithin(q[i], variables[i].limits)) return false;
  }
  return true;
}

function isWithin(value: number, { lower, upper }: JointLimits): boolean {
  return value >= lower - LIMIT_SLACK && value <= upper + LIMIT_SLACK && Math.abs(value) <= MAX_JOINT_VALUE;
}

/** Absolute, rad or m: a value written with fewer digits than the limit still counts as on it. */
const LIMIT_SLACK = 1e-9;
