import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { setFramePose, tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { create, type Transform } from '../../../core/math/transform.ts';
import { configurationOf, goalPoseOf } from '../../../core/scene/configurationOf.ts';
import { type MoveStep, stepName } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';

/**
 * Returns the goal poses of the tool center point of a free motion: the ideal ends of motions that are blended. Pose
 * goals of links are omitted.
 * @param scene scene at the end of the motion
 */
export function goalPoses(robot: RobotModel, scene: Scene, step: MoveStep): Transform[] {
  const tcp = tcpOf(robot, scene.tcp);
  const poses: Transform[] = [];
  for (const goal of step.goals) {
    if (goal.kind === 'joints') {
      const state = new RobotState(robot);
      forwardKinematics(state, configurationOf(robot, goal.joints, stepName(step)));
      const T = create();
      setFramePose(T, state, tcp);
      poses.push(T);
    } else if (goal.pose.link === undefined) poses.push(goalPoseOf(goal.pose, scene));
  }
  return poses;
}

/** Returns the pose among `goalPoses` whose origin is nearest to that of a given pose; undefined if there is none. */
export function nearestGoalPose(
  robot: RobotModel,
  scene: Scene,
  step: MoveStep,
  T_world_tcp: Transform,
): Transform | undefined {
  let nearest: Transform | undefined;
  for (const T of goalPoses(robot, scene, step))
    if (!nearest || distance(T, T_world_tcp) < distance(nearest, T_world_tcp)) nearest = T;
  return nearest;
}

/** Returns the distance between the origins of two poses, metres. */
export const distance = (A: Transform, B: Transform) =>
  Math.sqrt((A[3] - B[3]) ** 2 + (A[7] - B[7]) ** 2 + (A[11] - B[11]) ** 2);
