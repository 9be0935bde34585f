import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { setRotationFromQuaternion } from '../../../core/math/quaternion.ts';
import { create } from '../../../core/math/transform.ts';
import { atan2, sinCos } from '../../../core/math/trigonometry.ts';

/**
 * Computes roll, pitch and yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll). Roll is that of Rz(-yaw) R, so that
 * the three angles reproduce R up to rounding errors, even near gimbal lock (pitch ± 90°), where only the sum or
 * difference of roll and yaw is determined.
 */
export function rpyOf(quat_wxyz: Pose['quat_wxyz']): [number, number, number] {
  const R = create();
  setRotationFromQuaternion(R, quat_wxyz);
  const [r00, r01, r02, , r10, r11, r12, , r20] = R;
  const yaw = atan2(r10, r00);
  const angle = new Float64Array(2);
  sinCos(angle, yaw);
  const [sine, cosine] = angle;
  const roll = atan2(sine * r02 - cosine * r12, cosine * r11 - sine * r01);
  return [roll, atan2(-r20, Math.sqrt(r00 * r00 + r10 * r10)), yaw];
}
