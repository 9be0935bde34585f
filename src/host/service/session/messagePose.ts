import type { Pose } from '../../../core/kinematics/robotModel.ts';
import {
  lengthIfNotUnit,
  normalizedQuaternion,
  quaternionOf,
  setRotationFromRpy,
  UNIT_QUATERNION,
} from '../../../core/math/quaternion.ts';
import { create } from '../../../core/math/transform.ts';
import { InputError } from '../../../errors.ts';
import type { RawPose } from '../../../formats/schemas/serviceMessages.ts';

/**
 * Converts a pose of a message, as the reader of scene files does, to the last bit. Throws `InputError` if the
 * quaternion is not a rotation, or if `rpy` and `quat_wxyz` are both given.
 */
export function poseOf({ xyz = [0, 0, 0], rpy, quat_wxyz }: RawPose): Pose {
  if (rpy && quat_wxyz) throw new InputError('pose has rpy and quat_wxyz', 'Give one of them.');
  if (quat_wxyz) {
    const length = lengthIfNotUnit(quat_wxyz);
    if (length !== undefined)
      throw new InputError(
        `pose.quat_wxyz is [${quat_wxyz.join(', ')}], of length ${length}, must be 1`,
        UNIT_QUATERNION,
      );
    return { xyz: [xyz[0], xyz[1], xyz[2]], quat_wxyz: normalizedQuaternion(quat_wxyz) };
  }
  const T = create();
  if (rpy) setRotationFromRpy(T, rpy[0], rpy[1], rpy[2]);
  return { xyz: [xyz[0], xyz[1], xyz[2]], quat_wxyz: quaternionOf(T) };
}
