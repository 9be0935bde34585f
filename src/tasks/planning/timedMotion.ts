import { MotionProver } from '../../collision/motionProver.ts';
import type { PosedParts } from '../../collision/posedBodies.ts';
import { proveUnlessInterrupted } from '../../collision/slicedProof.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import { blendedMotion, type MotionTest } from '../../trajectory/blendedMotion.ts';
import { minimumDuration } from '../../trajectory/minimumDuration.ts';
import { timeParameterize } from '../../trajectory/timeParameterization.ts';
import type { MotionLimits, Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

/** A trajectory, or a path without times, with figures of its time parameterization. */
export interface TimedMotion {
  readonly trajectory: Trajectory;
  /** Number of blended corners. */
  readonly blends: number;
  /** Number of times that a blend was shrunk because it was not proved collision-free. */
  readonly shrunk: number;
  /**
   * Lower bound on the duration from the limits alone, without obstacles, seconds; undefined for a path without times.
   */
  readonly leastDuration: number | undefined;
}

/** Data of robot and scene for time parameterization. */
export interface TimingContext {
  readonly jointNames: readonly string[];
  readonly limits: MotionLimits;
  readonly isFree: MotionTest;
  /** Ends the computation of blends. */
  readonly interrupt: Interrupt;
}

/** One rule of corner blending: how a trajectory passes the interior waypoints of its path. */
export interface BlendRule {
  readonly summary: string;
  readonly time: (path: readonly ArrayLike<number>[], context: TimingContext) => TimedMotion;
}

/**
 * Limits of the proof of a blend. A blend that is not proved within these is shrunk; small blends are proved quickly.
 */
const BLEND_PROOF = { resolution: 0.01, intervals: 500 };

/** Rules of corner blending by the name that `--corners` takes. */
export const blendRules: Readonly<Record<string, BlendRule>> = {
  blend: {
    summary: 'parabolic blends, proved collision-free, without stops',
    time: (path, { jointNames, limits, isFree, interrupt }) => {
      const { trajectory, blends, shrunk } = blendedMotion(path, jointNames, limits, isFree, interrupt);
      return { trajectory, blends, shrunk, leastDuration: leastDurationOf(path, limits) };
    },
  },
  stop: {
    summary: 'no blends: the exact path, with a stop at each waypoint',
    time: (path, { jointNames, limits }) => {
      const trajectory = timeParameterize(path, jointNames, limits);
      return { trajectory, blends: 0, shrunk: 0, leastDuration: leastDurationOf(path, limits) };
    },
  },
};

/** Creates the context: joints and limits of the robot, and a motion prover with a small budget. */
export function timingContext(robot: RobotModel, posed: PosedParts, interrupt: Interrupt): TimingContext {
  const prover = new MotionProver(posed, BLEND_PROOF);
  return {
    jointNames: robot.variables.map((joint) => joint.name),
    limits: motionLimitsOf(robot),
    interrupt,
    isFree: (trajectory) =>
      curveMotions(new TrajectoryCurve(trajectory)).every(
        (motion) => proveUnlessInterrupted(prover, motion, interrupt) === 'certified',
      ),
  };
}

/** Returns the path as straight lines without times. */
export function untimed(path: readonly ArrayLike<number>[], { jointNames }: TimingContext): TimedMotion {
  const points = path.map((q) => ({ positions: Array.from(q) }));
  return { trajectory: { jointNames, points }, blends: 0, shrunk: 0, leastDuration: undefined };
}

const leastDurationOf = (path: readonly ArrayLike<number>[], limits: MotionLimits) =>
  minimumDuration(path[0], path[path.length - 1], limits);
