import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import {
  canOptimize,
  fasterMotions,
  motionClearance,
  type OptimizationOptions,
  optimizationDefaults,
} from '../../core/optimization/trajectoryOptimization.ts';
import { accelerationAt } from '../../core/trajectory/polynomial.ts';
import { minimumDuration } from '../../core/trajectory/restToRest.ts';
import { withRoundedTimes } from '../../core/trajectory/roundedTimes.ts';
import { durationOf, inJointOrder, isStraight, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { trajectoryLength } from '../../core/trajectory/trajectoryLength.ts';
import { createPlanChecker } from '../checking/checkTrajectory.ts';
import { isOfProgram, PROGRAM_REASON } from '../repair/repairRefusal.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

/** Figures of a motion. */
export interface MotionFigures {
  /** Seconds. */
  readonly duration: number;
  /** Length in joint space, rad (L2 over the joints). */
  readonly length: number;
  /**
   * Clearance, metres: minimum distance over all checked pairs at `CLEARANCE_SAMPLES` times; Infinity if there is no
   * pair.
   */
  readonly clearance: number;
  /** Root mean square of ‖q̈‖ over time, rad/s². */
  readonly acceleration: number;
}

/**
 * Result of `optimizeMotion`. `improved`: a faster motion, proved collision-free, with no less clearance. `kept`: the
 * input, since no better motion is proved. `refused`: the input, because it is not valid, or not a timed curve from
 * rest to rest; `reason` states which.
 */
export interface OptimizeResult {
  /** Status of the optimization. */
  readonly status: 'improved' | 'kept' | 'refused';
  /** One line that describes the status. */
  readonly reason: string;
  /** True if `interrupt` ended the optimization: another run may have another result. */
  readonly cutShort: boolean;
  /** The faster motion, or the input. */
  readonly trajectory: Trajectory;
  /** Figures of the input; undefined if it was refused. */
  readonly before: MotionFigures | undefined;
  /** Figures of the result; undefined if the input was refused. */
  readonly after: MotionFigures | undefined;
}

/** Number of evenly spaced times at which the clearance of a motion is sampled. */
const CLEARANCE_SAMPLES = 400;
/** Limit of candidates that are checked, fastest first. */
const MAX_CANDIDATES = 6;
/** Numbers of cubic pieces that are tried in turn. */
const PIECES = [optimizationDefaults.pieces, 44];
/** Gauss–Legendre quadrature with four points on [−1, 1]: node and weight. */
const GAUSS = [
  [-0.8611363115940526, 0.34785484513745385],
  [-0.33998104358485626, 0.6521451548625461],
  [0.33998104358485626, 0.6521451548625461],
  [0.8611363115940526, 0.34785484513745385],
];
/** Reason if the time limit ended the optimization before a faster motion was proved. */
const OUT_OF_TIME = 'the time limit ended the optimization';
/** Minimum relative reduction of the duration. */
const MIN_IMPROVEMENT = 1e-3;

/**
 * Optimizes the duration of a motion. Candidates are measured and proved collision-free before one is returned; the
 * input is returned if none is proved. The robot is taken to be at the first point. The result depends only on motion,
 * robot, scene and options. Throws `InputError` if the joints are not those of the robot.
 * @param place prefix of error messages: the file that the motion was read from
 */
export function optimizeMotion(
  given: Trajectory,
  robot: RobotModel,
  manager: CollisionManager,
  options: Partial<OptimizationOptions> = {},
  place?: string,
): OptimizeResult {
  const names = robot.variables.map((joint) => joint.name);
  const trajectory = inJointOrder(given, names, place);
  let cutShort = false;
  const interrupt = () => {
    cutShort ||= options.interrupt?.() ?? false;
    return cutShort;
  };
  const check = createPlanChecker(robot, manager, interrupt);
  const unchanged = (status: 'kept' | 'refused', reason: string, before?: MotionFigures) =>
    ({ status, reason, cutShort, trajectory: given, before, after: before }) as const;
  const unsupported = unsupportedReason(trajectory);
  if (unsupported !== undefined) return unchanged('refused', unsupported);
  const { valid, interrupted } = check(trajectory);
  if (interrupted) return unchanged('kept', OUT_OF_TIME);
  if (!valid) return unchanged('refused', 'the input motion is not valid');
  const counts = options.pieces === undefined ? PIECES : [options.pieces];
  const possible = counts.filter((pieces) => canOptimize(names.length, pieces));
  if (possible.length === 0)
    return unchanged('kept', `a program of ${names.length} joints and ${counts[0]} pieces is too large`);
  const before = figuresOf(trajectory, manager, interrupt);
  if (cutShort) return unchanged('kept', OUT_OF_TIME);
  const limits = motionLimitsOf(robot, manager.model.scene);
  const { points } = trajectory;
  const bound = minimumDuration(points[0].positions, points[points.length - 1].positions, limits);
  if (!(bound < (1 - MIN_IMPROVEMENT) * before.duration))
    return unchanged('kept', 'its duration is already the lower bound from the limits', before);
  for (const pieces of possible) {
    const faster = fasterMotions(trajectory, limits, manager, before.clearance, { ...options, pieces, interrupt });
    for (const candidate of faster.slice(0, MAX_CANDIDATES)) {
      if (!(candidate.duration < (1 - MIN_IMPROVEMENT) * before.duration)) break;
      const rounded = withRoundedTimes(candidate.trajectory, limits);
      if (rounded === undefined) continue;
      const after = figuresOf(rounded, manager, interrupt);
      if (!(after.clearance >= before.clearance) || !check(rounded).valid) continue;
      const { interpolation: _, ...rest } = trajectory;
      const improved = { ...rest, points: rounded.points };
      return { status: 'improved', reason: 'improved', cutShort, trajectory: improved, before, after };
    }
  }
  return unchanged('kept', cutShort ? OUT_OF_TIME : 'no faster motion is proved', before);
}

/** Returns why the motion cannot be optimized; undefined if it is a timed curve from rest to rest. */
function unsupportedReason(trajectory: Trajectory): string | undefined {
  if (durationOf(trajectory) === undefined) return 'it is a path without times';
  if (!(durationOf(trajectory)! > 0)) return 'its duration is zero';
  if (isOfProgram(trajectory)) return PROGRAM_REASON;
  if (isStraight(trajectory)) return 'it consists of straight lines, whose velocity jumps';
  const ends = [trajectory.points[0], trajectory.points.at(-1)!];
  if (ends.some(({ velocities }) => velocities?.some((v) => v !== 0))) return 'it does not begin and end at rest';
  return undefined;
}

/** Computes the figures of a motion; the clearance is NaN if it is interrupted. */
export function figuresOf(
  trajectory: Trajectory,
  manager: CollisionManager,
  interrupt: Interrupt = never,
): MotionFigures {
  return {
    duration: durationOf(trajectory)!,
    length: trajectoryLength(trajectory),
    clearance: motionClearance(manager, trajectory, CLEARANCE_SAMPLES, interrupt),
    acceleration: rmsAcceleration(new TrajectoryCurve(trajectory)),
  };
}

/**
 * Computes √(1/T ∫‖q̈‖² dt) with four Gauss–Legendre points per piece: exact, since the squared acceleration has degree
 * 6 at most.
 */
function rmsAcceleration(curve: TrajectoryCurve): number {
  const { polynomials, times, pieces, dof } = curve;
  let integral = 0;
  for (let k = 0; k < pieces; k++) {
    const T = times[k + 1] - times[k];
    for (let j = 0; j < dof; j++) {
      for (const [node, weight] of GAUSS) {
        const a = accelerationAt(polynomials, curve.polynomialIndex(k, j), (T * (1 + node)) / 2);
        integral += (T * weight * a * a) / 2;
      }
    }
  }
  return Math.sqrt(integral / (curve.end - curve.start));
}
