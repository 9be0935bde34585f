import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { MotionScene } from '../../scene/scene.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { motionFaults } from '../../trajectory/trajectoryLimits.ts';
import type { CheckResult } from '../checking/checkTrajectory.ts';
import { createConstraintCheck } from '../checking/constraintFaults.ts';
import { createTcpSpeedCheck } from '../checking/tcpSpeed.ts';
import { motionLimitsOf } from '../sceneRobot.ts';

type Fault = CheckResult['faults'][number];

/** Returns true for a velocity at the start of a motion: no fault of a motion that the robot begins while it moves. */
export const isStartVelocity = (fault: Fault) => fault.kind === 'velocity-jump' && fault.place === 'start';

/**
 * Returns a function that computes the faults of a motion besides collisions, as `check` reports them, for a robot that
 * may move at its start: limits, velocity jumps, TCP speed and constraints. Joints are in the order of the robot.
 */
export function startedMotionFaults(robot: RobotModel, scene: MotionScene): (trajectory: Trajectory) => Fault[] {
  const limits = motionLimitsOf(robot, scene);
  const tcpSpeedFaults = createTcpSpeedCheck(robot, scene);
  const constraintFaults = createConstraintCheck(robot, scene);
  return (trajectory) => {
    const faults = motionFaults(trajectory, limits).filter((fault) => !isStartVelocity(fault));
    if (faults.some(({ kind }) => kind === 'time')) return faults;
    return [...faults, ...tcpSpeedFaults(trajectory), ...constraintFaults(trajectory)];
  };
}
