import { StraightMotion } from '../../collision/motion.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import { ConstraintSet } from '../../constraints/constraintSet.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { shortestDifference } from '../../planning/metric.ts';
import type { MotionScene } from '../../scene/scene.ts';
import type { CountingMotions } from './edgeValidation.ts';

/** Returns the constraints of a scene on states; undefined if there are none. */
export function constraintsOf(robot: RobotModel, { constraints = [], tcp }: MotionScene): ConstraintSet | undefined {
  const set = new ConstraintSet(robot, constraints, tcp);
  return set.isEmpty ? undefined : set;
}

/** Restricts a space to the constraints: samples are drawn from joint ranges, and steps of trees are projected. */
export function constrainSpace(space: RobotJointSpace, set: ConstraintSet): void {
  set.narrow(space.lower, space.upper);
  space.project = (q) => {
    if (!set.project(q)) return false;
    for (let j = 0; j < q.length; j++) if (!(q[j] >= space.lower[j] && q[j] <= space.upper[j])) return false;
    return true;
  };
}

/** Distance between the states of the approximate check of constraints, L2 in joint space. */
const COARSE_STEP = 0.1;

/** Edge validation that also proves the constraints on every edge, before the collision check: they cost less. */
export class ConstrainedMotions implements CountingMotions {
  private readonly motion: StraightMotion;
  private readonly qTo: Configuration;
  private readonly q: Configuration;
  isMotionLikelyValid?: (qFrom: Configuration, qTo: Configuration) => boolean;

  constructor(
    private readonly inner: CountingMotions,
    private readonly set: ConstraintSet,
    private readonly space: RobotJointSpace,
  ) {
    this.motion = new StraightMotion(space.dof);
    this.qTo = new Float64Array(space.dof);
    this.q = new Float64Array(space.dof);
    if (inner.isMotionLikelyValid)
      this.isMotionLikelyValid = (qFrom, qTo) =>
        this.areSamplesValid(qFrom, qTo) && inner.isMotionLikelyValid!(qFrom, qTo);
  }

  get counters() {
    return this.inner.counters;
  }

  isStateValid(q: Configuration): boolean {
    return this.set.isSatisfied(q) && this.inner.isStateValid(q);
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean): boolean {
    const { motion, set, inner } = this;
    if (!this.areSamplesValid(qFrom, qTo)) return false;
    motion.qFrom = qFrom;
    motion.qTo = this.unwrapped(qFrom, qTo);
    return set.violation(motion) === undefined && inner.isMotionValid(qFrom, qTo, endIsValid);
  }

  private areSamplesValid(qFrom: Configuration, qTo: Configuration): boolean {
    const { space, set, q } = this;
    const count = Math.max(1, Math.ceil(space.distance(qFrom, qTo) / COARSE_STEP));
    for (let k = 1; k <= count; k++) {
      space.interpolate(q, qFrom, qTo, k / count);
      if (!set.isSatisfied(q)) return false;
    }
    return true;
  }

  /** Returns qTo plus full turns so that the straight line from qFrom to it is the shortest path. */
  private unwrapped(qFrom: Configuration, qTo: Configuration): Configuration {
    const { space, qTo: out } = this;
    if (!space.halfTurns) return qTo;
    for (let i = 0; i < space.dof; i++) out[i] = qFrom[i] + shortestDifference(qFrom[i], qTo[i], space.halfTurns[i]);
    return out;
  }
}
