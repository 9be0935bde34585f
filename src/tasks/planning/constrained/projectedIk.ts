import { ToolTracker } from '../../../core/cartesian/toolTracker.ts';
import { isWithinLimits } from '../../../core/collision/validators/robotJointSpace.ts';
import type { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Transform } from '../../../core/math/transform.ts';

const MAX_ROUNDS = 300;
/**
 * A round whose largest projection step is not below this fraction of the one before ends the search: the two sets do
 * not intersect nearby.
 */
const PROGRESS = 0.999;
/** Fraction of the range of a joint constraint that projections keep from each of its ends. */
const INSIDE = 0.25;

/**
 * Returns the IK solution of a redundant arm near another one that satisfies the path constraints, within limits:
 * projects onto the constraints and onto the pose in turn. Undefined if none is found.
 */
export function projectedIkSolution(
  robot: RobotModel,
  frame: LinkFrame,
  T_world_frame: Transform,
  set: ConstraintSet,
  solution: Configuration,
): Configuration | undefined {
  const tracker = new ToolTracker(robot, frame);
  const bounds = innerBounds(robot, set);
  const q = solution.slice();
  const before = solution.slice();
  for (let round = 0, last = Number.POSITIVE_INFINITY; round < MAX_ROUNDS; round++) {
    before.set(q);
    if (!set.project(q, bounds)) return undefined;
    const moved = q.reduce((most, value, j) => Math.max(most, Math.abs(value - before[j])), 0);
    if (!(moved < PROGRESS * last) || !tracker.correct(q, T_world_frame)) return undefined;
    if (set.isSatisfied(q) && isWithinLimits(robot, q)) return q;
    last = moved;
  }
  return undefined;
}

/**
 * Computes the bounds of the projections: joint limits, and the ranges of joint constraints reduced at both ends, since
 * alternating projections approach a bound but never reach it.
 */
function innerBounds({ variables, dof }: RobotModel, set: ConstraintSet) {
  const lower = new Float64Array(dof).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(dof).fill(Number.POSITIVE_INFINITY);
  set.narrow(lower, upper);
  for (const [j, { limits }] of variables.entries()) {
    const width = upper[j] - lower[j];
    if (width < Number.POSITIVE_INFINITY) {
      lower[j] += INSIDE * width;
      upper[j] -= INSIDE * width;
    }
    lower[j] = Math.max(lower[j], limits.lower);
    upper[j] = Math.min(upper[j], limits.upper);
  }
  return { lower, upper };
}
