import { withKeptJoints } from '../../kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { isJointMove, type Trajectory } from '../../trajectory/trajectory.ts';

/**
 * Returns the robot at a time of a program: joints that are not planned have the values that its events give them, on
 * the way to which they move linearly. The robot itself if no event moves any by then. Of drawings; proves nothing.
 */
export function robotAt(robot: RobotModel, { events = [], segments = [] }: Trajectory, time: number): RobotModel {
  const moves = events.filter((event) => event.time <= time && isJointMove(event));
  if (moves.length === 0) return robot;
  const values: Record<string, number> = {};
  for (const { step, set } of moves) {
    const { from, to } = segments.find((segment) => segment.step === step) ?? { from: time, to: time };
    const share = to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 1;
    for (const [joint, end] of Object.entries((set as { readonly joints: Record<string, number> }).joints)) {
      const start = values[joint] ?? robot.fixed[joint];
      values[joint] = start + share * (end - start);
    }
  }
  return withKeptJoints(robot, values);
}
