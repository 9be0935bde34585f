import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../../core/kinematics/robotModel.ts';
import { framePose, type LinkFrame } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';

/** Poses in the frame of the root link's parent (the world). */
export interface ForwardPoses {
  /** By name of the link. */
  readonly links: Readonly<Record<string, Pose>>;
  /** Pose of the tool center point, if it is wanted. */
  readonly tcp?: Pose;
}

/** Creates a function that computes the pose of every link and, if it is given, of the tool center point. */
export function createForwardPoses(robot: RobotModel, tcp?: LinkFrame): (q: Configuration) => ForwardPoses {
  const state = new RobotState(robot);
  return (q) => {
    forwardKinematics(state, q);
    const links = Object.fromEntries(
      robot.links.map(({ name, index }) => [name, poseOfTransform(state.T_world_link[index])]),
    );
    return tcp === undefined ? { links } : { links, tcp: framePose(state, tcp) };
  };
}
