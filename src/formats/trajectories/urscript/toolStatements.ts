import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { poseError } from '../../../core/kinematics/pose.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { setFramePose, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { create, relative } from '../../../core/math/transform.ts';
import type { MotionSetting } from '../trajectoryFormat.ts';
import { decimal } from './stepCalls.ts';

/** Link of the tool output flange in the descriptions of Universal Robots, to which `set_tcp` refers. */
export const FLANGE = 'tool0';

/**
 * Returns the statement that sets the tool center point of the controller to that of the scene: `set_tcp` with its pose
 * in the frame of the flange, the orientation as a rotation vector. Empty if the scene states none, or if the tool
 * center point is not fixed to the flange. Motions of joints do not depend on it.
 */
export function toolStatements(setting: MotionSetting | undefined): string[] {
  if (setting?.scene.tcp === undefined) return [];
  const { robot, scene } = setting;
  const flange = robot.links.findIndex(({ name }) => name === FLANGE);
  const tcp = tcpOf(robot, scene.tcp);
  if (flange < 0 || movedLink(robot, flange) !== movedLink(robot, tcp.link)) return [];
  const state = new RobotState(robot);
  forwardKinematics(state, new Float64Array(robot.dof));
  const T_world_tcp = create();
  const T_flange_tcp = create();
  setFramePose(T_world_tcp, state, tcp);
  relative(T_flange_tcp, state.T_world_link[flange], T_world_tcp);
  const pose = new Float64Array(6);
  poseError(pose, create(), T_flange_tcp);
  return [`set_tcp(p[${Array.from(pose, decimal).join(', ')}])`];
}

/** Returns the anchor of a link: the nearest ancestor, or the link itself, that a joint moves; 0, the root, if none. */
function movedLink({ links, joints }: RobotModel, link: number): number {
  let at = link;
  while (links[at].parent >= 0 && joints[links[at].joint].variable < 0) at = links[at].parent;
  return at;
}
