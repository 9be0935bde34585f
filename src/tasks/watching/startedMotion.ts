import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { CheckedScene, MotionScene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createFaultCheck } from '../checking/checkTrajectory.ts';
import { refuseForces } from '../forces/torqueCheck.ts';

type Fault = CheckResult['faults'][number];

/** Returns true for a velocity at the start of a motion: no fault of a motion that the robot begins while it moves. */
export const isStartVelocity = (fault: Fault) => fault.kind === 'velocity-jump' && fault.place === 'start';

/** Returns a fault with the index of its point in the trajectory without its lead-in. */
const withoutLeadInPoint = (fault: Fault): Fault => ('point' in fault ? { ...fault, point: fault.point - 1 } : fault);

/**
 * Returns a function that computes the faults of a motion besides collisions, as `check` reports them, for a robot that
 * may move at its start: limits, velocity jumps, TCP speed and constraints. Joints are in the order of the robot.
 * @param hasLeadIn true if the motion begins with a lead-in, at rest
 */
export function startedMotionFaults(
  robot: RobotModel,
  scene: MotionScene & Pick<CheckedScene, 'attached'>,
  hasLeadIn = false,
): (trajectory: Trajectory, curve?: TrajectoryCurve) => Fault[] {
  refuseForces(scene, 'watch or gate');
  const check = createFaultCheck(robot, scene);
  return (trajectory, curve) => {
    const { faults } = check(trajectory, curve);
    return hasLeadIn ? faults.map(withoutLeadInPoint) : faults.filter((fault) => !isStartVelocity(fault));
  };
}
