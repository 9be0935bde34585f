import { forwardKinematics, RobotState } from '../../kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../kinematics/pose.ts';
import type { Pose, RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';

/**
 * Creates a function that computes the pose of every link, by name, in the frame of the root link's parent (the world).
 */
export function createForwardPoses(robot: RobotModel): (q: Configuration) => Record<string, Pose> {
  const state = new RobotState(robot);
  return (q) => {
    forwardKinematics(state, q);
    return Object.fromEntries(robot.links.map(({ name, index }) => [name, poseOfTransform(state.T_world_link[index])]));
  };
}
