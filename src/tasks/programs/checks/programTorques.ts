import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { createTorqueCheck, joinedTorques } from '../../forces/torqueCheck.ts';
import type { Timeline } from '../../timeline.ts';

/**
 * Checks the limits of torque in each interval, with what the robot carries then. At both sides of events, the arm must
 * also be held at rest: it may have to wait there.
 * @param motion from time 0 on, and its curve
 * @returns undefined if no scene of an interval has such limits
 */
export function programTorques(
  robot: RobotModel,
  motion: Trajectory,
  curve: TrajectoryCurve,
  intervals: Timeline,
  interrupt: Interrupt,
): ReturnType<typeof joinedTorques> | undefined {
  const clamped = (time: number) => Math.min(curve.end, Math.max(curve.start, time));
  const results = intervals.flatMap(({ from, to, world }, k) => {
    const check = createTorqueCheck(robot, world.scene, interrupt);
    const rests = [...(k > 0 ? [from] : []), ...(k < intervals.length - 1 ? [to] : [])].map(clamped);
    return check === undefined ? [] : [check(motion, clamped(from), clamped(to), rests)];
  });
  return results.length === 0 ? undefined : joinedTorques(results);
}
