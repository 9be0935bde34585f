import type { CollisionManager } from '../../collision/collisionManager.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import {
  fasterMotions,
  motionClearance,
  type OptimizationOptions,
  optimizationDefaults,
} from '../../optimization/trajectoryOptimization.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { leastDuration } from '../../trajectory/minimumDuration.ts';
import { accelerationAt } from '../../trajectory/polynomial.ts';
import { withRoundedTimes } from '../../trajectory/roundedTimes.ts';
import { durationOf, isStraight, type Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { trajectoryLength } from '../../trajectory/trajectoryLength.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

/** What a motion is like. */
export interface MotionFigures {
  /** Seconds. */
  readonly duration: number;
  /** Of its way in joint space, rad (L2 over the joints). */
  readonly length: number;
  /** Least distance over all pairs that may not touch at `CLEARANCE_PLACES` moments, metres; Infinity where there is no pair. */
  readonly clearance: number;
  /** Root of the mean of ‖q̈‖² over time, rad/s². */
  readonly acceleration: number;
}

/**
 * `improved`: a faster motion, proved, with no less clearance. `kept`: the motion given, for no better one is proved. `refused`: the motion
 * given, which is no timed curve from rest to rest, or is not valid itself; `reason` says which.
 */
export interface OptimizeAnswer {
  readonly status: 'improved' | 'kept' | 'refused';
  readonly reason: string;
  readonly trajectory: Trajectory;
  readonly before: MotionFigures | undefined;
  readonly after: MotionFigures | undefined;
}

/** Moments, evenly spread, at which the clearance of a motion is measured. */
export const CLEARANCE_PLACES = 400;
/** Faster motions that are tried to be proved, fastest first. */
const TRIALS = 6;
/** Pieces of the answer: as many as are usual, and where that leads to nothing, more. */
const PIECES = [optimizationDefaults.pieces, 44];
/** Gauss–Legendre with four points on [−1, 1]: node and weight. */
const GAUSS = [
  [-0.8611363115940526, 0.34785484513745385],
  [-0.33998104358485626, 0.6521451548625461],
  [0.33998104358485626, 0.6521451548625461],
  [0.8611363115940526, 0.34785484513745385],
];
/** A motion that is faster by less than this part is not better. */
const WORTH = 1e-3;

/**
 * A faster motion through the same scene: optimised, measured, and proved before it is returned; the motion given where none is proved.
 * Answers depend on nothing but motion, robot and scene.
 * @param place what errors begin with: the file that the motion was read from
 */
export function optimizeMotion(
  given: Trajectory,
  robot: RobotModel,
  manager: CollisionManager,
  options: Partial<OptimizationOptions> = {},
  place?: string,
): OptimizeAnswer {
  const names = robot.variables.map((joint) => joint.name);
  const trajectory = inJointOrder(given, names, place);
  const check = createTrajectoryChecker(robot, manager);
  const reason = whyNot(trajectory) ?? (check(trajectory).valid ? undefined : 'the motion is not valid itself');
  if (reason !== undefined)
    return { status: 'refused', reason, trajectory: given, before: undefined, after: undefined };
  const before = figuresOf(trajectory, manager);
  const kept = (why: string) => ({ status: 'kept', reason: why, trajectory: given, before, after: before }) as const;
  const limits = motionLimitsOf(robot);
  const { points } = trajectory;
  const bound = leastDuration(points[0].positions, points[points.length - 1].positions, limits);
  if (!(bound < (1 - WORTH) * before.duration)) return kept('it takes no longer than limits alone ask for');
  for (const pieces of options.pieces === undefined ? PIECES : [options.pieces]) {
    const faster = fasterMotions(trajectory, limits, manager, before.clearance, { ...options, pieces });
    for (const candidate of faster.slice(0, TRIALS)) {
      if (!(candidate.duration < (1 - WORTH) * before.duration)) break;
      const rounded = withRoundedTimes(candidate.trajectory, limits);
      if (rounded === undefined) continue;
      const after = figuresOf(rounded, manager);
      if (!(after.clearance >= before.clearance) || !check(rounded).valid) continue;
      const { interpolation: _, ...rest } = trajectory;
      const improved = { ...rest, points: rounded.points };
      return { status: 'improved', reason: 'improved', trajectory: improved, before, after };
    }
  }
  return kept('no faster motion is proved');
}

/** What a motion lacks that is to be optimised. */
function whyNot(trajectory: Trajectory): string | undefined {
  if (durationOf(trajectory) === undefined) return 'it is a path without times';
  if (!(durationOf(trajectory)! > 0)) return 'it takes no time';
  if (isStraight(trajectory)) return 'it consists of straight lines, whose speed jumps';
  const ends = [trajectory.points[0], trajectory.points.at(-1)!];
  if (ends.some(({ velocities }) => velocities?.some((v) => v !== 0))) return 'it does not begin and end at rest';
  return undefined;
}

export function figuresOf(trajectory: Trajectory, manager: CollisionManager): MotionFigures {
  return {
    duration: durationOf(trajectory)!,
    length: trajectoryLength(trajectory),
    clearance: motionClearance(manager, trajectory, CLEARANCE_PLACES),
    acceleration: meanAcceleration(new TrajectoryCurve(trajectory)),
  };
}

/** √(1/T ∫‖q̈‖² dt), by four Gauss–Legendre points a piece: exact, for the square of an acceleration is of degree 6 at most. */
function meanAcceleration(curve: TrajectoryCurve): number {
  const { polynomials, times, pieces, dof } = curve;
  let integral = 0;
  for (let k = 0; k < pieces; k++) {
    const T = times[k + 1] - times[k];
    for (let j = 0; j < dof; j++) {
      for (const [node, weight] of GAUSS) {
        const a = accelerationAt(polynomials, curve.place(k, j), (T * (1 + node)) / 2);
        integral += (T * weight * a * a) / 2;
      }
    }
  }
  return Math.sqrt(integral / (curve.end - curve.start));
}
