import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import type { CheckedScene, MotionScene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createFaultCheck } from '../checking/checkTrajectory.ts';

type Fault = CheckResult['faults'][number];

/** Returns true for a velocity at the start of a motion: no fault of a motion that the robot begins while it moves. */
export const isStartVelocity = (fault: Fault) => fault.kind === 'velocity-jump' && fault.place === 'start';

/** Returns a fault with the index of its point in the trajectory without its lead-in. */
const withoutLeadInPoint = (fault: Fault): Fault => ('point' in fault ? { ...fault, point: fault.point - 1 } : fault);

/**
 * Returns a function that computes the faults of a motion besides collisions, as `check` reports them, for a robot that
 * may move at its start: limits, velocity jumps, TCP speed, constraints, and torques. Joints are in the order of the
 * robot. The function takes the time from which constraints on rates, and torques, are checked.
 * @param hasLeadIn true if the motion begins with a lead-in, at rest
 * @param interrupt ends a check, which then returns a fault unless the limit is proved
 */
export function startedMotionFaults(
  robot: RobotModel,
  scene: MotionScene & Pick<CheckedScene, 'attached'>,
  hasLeadIn = false,
  interrupt: Interrupt = never,
): (trajectory: Trajectory, curve?: TrajectoryCurve, from?: number) => Fault[] {
  const check = createFaultCheck(robot, scene, interrupt, { accuracy: Number.POSITIVE_INFINITY });
  return (trajectory, curve, from) => {
    const { faults } = check(trajectory, curve, from);
    return hasLeadIn ? faults.map(withoutLeadInPoint) : faults.filter((fault) => !isStartVelocity(fault));
  };
}
