import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { PI } from '../math/trigonometry.ts';
import type { JointSpace } from '../planning/planner.ts';

/** Where a joint has no limits, samples are drawn from this far to either side: a full turn for angles, this many metres for slides. */
const UNBOUNDED_SLIDE = 10;

/**
 * The configurations of a robot within its limits, with the Euclidean metric over q (rad and m alike). Joints without limits are sampled
 * over one turn about zero.
 */
export class RobotJointSpace implements JointSpace {
  readonly dof: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;

  constructor(robot: RobotModel) {
    this.dof = robot.dof;
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
    let sum = 0;
    for (let i = 0; i < this.dof; i++) sum += (b[i] - a[i]) * (b[i] - a[i]);
    return Math.sqrt(sum);
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    for (let i = 0; i < this.dof; i++) out[i] = t === 1 ? b[i] : a[i] + t * (b[i] - a[i]);
  }
}

/** Names of the joints whose value is out of limits; NaN is out of every limit. */
export function jointsOutOfLimits(robot: RobotModel, q: ArrayLike<number>): string[] {
  return robot.variables
    .filter(({ limits }, i) => !(q[i] >= limits.lower - LIMIT_SLACK && q[i] <= limits.upper + LIMIT_SLACK))
    .map((joint) => joint.name);
}

/** As `jointsOutOfLimits`, without names, for loops. */
export function isWithinLimits({ variables }: RobotModel, q: ArrayLike<number>): boolean {
  for (let i = 0; i < variables.length; i++) {
    const { limits } = variables[i];
    if (!(q[i] >= limits.lower - LIMIT_SLACK && q[i] <= limits.upper + LIMIT_SLACK)) return false;
  }
  return true;
}

/** Absolute, rad or m: a value written with fewer digits than the limit still counts as on it. */
const LIMIT_SLACK = 1e-9;
