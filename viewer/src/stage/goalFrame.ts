import type { Pose, PoseGoal, Scene } from 'elbowroom';
import { AxesHelper, type Color, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { place } from './figure.ts';

/** Creates the axes of a goal pose, with a point of this colour: a child of the frame that the pose is stated in. */
export function goalFrame({ relativeTo, ...pose }: PoseGoal, { obstacles }: Scene, color: Color): Group {
  const axes = new Group().add(new AxesHelper(0.15));
  axes.add(new Mesh(new SphereGeometry(0.012), new MeshBasicMaterial({ color })));
  place(axes, pose);
  const frame = new Group().add(axes);
  const obstacle = obstacles.find(({ name }) => name === relativeTo);
  if (obstacle) place(frame, obstacle.pose);
  return frame;
}

/** Returns a goal pose in the world. */
export function goalPoseIn(goal: PoseGoal, { obstacles }: Scene): Pose {
  const at = new Group();
  place(at, goal);
  const frame = new Group().add(at);
  const obstacle = obstacles.find(({ name }) => name === goal.relativeTo);
  if (obstacle) place(frame, obstacle.pose);
  frame.updateMatrixWorld(true);
  const { x, y, z } = at.getWorldPosition(new Vector3());
  const turn = at.getWorldQuaternion(new Quaternion());
  return { xyz: [x, y, z], quat_wxyz: [turn.w, turn.x, turn.y, turn.z] };
}
