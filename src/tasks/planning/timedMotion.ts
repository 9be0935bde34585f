import { MotionProver } from '../../collision/motionProver.ts';
import type { PosedBodies } from '../../collision/posedBodies.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { blendedMotion, type FreeMotionTest } from '../../trajectory/blendedMotion.ts';
import { leastDuration } from '../../trajectory/minimumDuration.ts';
import { timeParameterize } from '../../trajectory/timeParameterization.ts';
import type { MotionLimits, Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

/** A path that has its times, or none. */
export interface TimedMotion {
  readonly trajectory: Trajectory;
  /** Corners that are passed without a stop. */
  readonly blends: number;
  /** Times that one of them was made smaller because it was not proved free. */
  readonly shrunk: number;
  /** Seconds that the limits alone ask for between these ends, without obstacles; undefined where nothing is timed. */
  readonly leastDuration: number | undefined;
}

/** What a timing needs to know of robot and scene. */
export interface TimingContext {
  readonly jointNames: readonly string[];
  readonly limits: MotionLimits;
  readonly isFree: FreeMotionTest;
}

/** One row of the table of `--corners`: how a motion gets past the corners of its path. */
export interface CornerRule {
  readonly summary: string;
  readonly time: (path: readonly ArrayLike<number>[], context: TimingContext) => TimedMotion;
}

/** A corner that is not proved free by then is made smaller: a small one is proved at once. */
const BLEND_PROOF = { resolution: 0.01, intervals: 500 };

/** What `--corners` offers. */
export const cornerRules: Readonly<Record<string, CornerRule>> = {
  blend: {
    summary: 'cut by parabolas that are proved free, passed without a stop',
    time: (path, { jointNames, limits, isFree }) => {
      const { trajectory, blends, shrunk } = blendedMotion(path, jointNames, limits, isFree);
      return { trajectory, blends, shrunk, leastDuration: leastDurationOf(path, limits) };
    },
  },
  stop: {
    summary: 'the path itself, to the last digit, with a stop at each corner',
    time: (path, { jointNames, limits }) => {
      const trajectory = timeParameterize(path, jointNames, limits);
      return { trajectory, blends: 0, shrunk: 0, leastDuration: leastDurationOf(path, limits) };
    },
  },
};

/** Joints and limits of the robot, and a prover of its scene that gives up early. */
export function timingContext(robot: RobotModel, posed: PosedBodies): TimingContext {
  const prover = new MotionProver(posed, BLEND_PROOF);
  return {
    jointNames: robot.variables.map((joint) => joint.name),
    limits: motionLimitsOf(robot),
    isFree: (trajectory) =>
      curveMotions(new TrajectoryCurve(trajectory)).every((motion) => prover.prove(motion) === 'certified'),
  };
}

/** The path as it is: straight lines without times. */
export function untimed(path: readonly ArrayLike<number>[], { jointNames }: TimingContext): TimedMotion {
  const points = path.map((q) => ({ positions: Array.from(q) }));
  return { trajectory: { jointNames, points }, blends: 0, shrunk: 0, leastDuration: undefined };
}

const leastDurationOf = (path: readonly ArrayLike<number>[], limits: MotionLimits) =>
  leastDuration(path[0], path[path.length - 1], limits);
