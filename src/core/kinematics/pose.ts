import { quaternionOf, setRotationFromQuaternion } from '../math/quaternion.ts';
import { create, type Transform } from '../math/transform.ts';
import type { Pose } from './robotModel.ts';

/** Converts a pose to a transform. */
export function transformOfPose({ xyz, quat_wxyz }: Pose): Transform {
  const T = create();
  setRotationFromQuaternion(T, quat_wxyz);
  T[3] = xyz[0];
  T[7] = xyz[1];
  T[11] = xyz[2];
  return T;
}

/** Converts a transform to a pose; the quaternion has unit length and w >= 0. */
export function poseOfTransform(T: Transform): Pose {
  return { xyz: [T[3], T[7], T[11]], quat_wxyz: quaternionOf(T) };
}
