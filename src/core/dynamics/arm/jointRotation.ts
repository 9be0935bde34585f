import { sinCos } from '../../math/trigonometry.ts';
import type { ArmJoint } from './armModel.ts';

const pair = new Float64Array(2);

/**
 * Writes the rotation from a body to its parent at a joint value, row-major, from an index of `out` on: that of the
 * joint frame times that about the axis.
 */
export function setJointRotation(
  out: Float64Array,
  o: number,
  { axis, T_parent_joint: T, slides }: ArmJoint,
  value: number,
): void {
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  sinCos(pair, slides ? 0 : value);
  const s = pair[0];
  const c = pair[1];
  const k = 1 - c;
  const xy = k * x * y;
  const xz = k * x * z;
  const yz = k * y * z;
  for (let i = 0; i < 3; i++) {
    const a = T[4 * i];
    const b = T[4 * i + 1];
    const d = T[4 * i + 2];
    out[o + 3 * i] = a * (c + k * x * x) + b * (xy + s * z) + d * (xz - s * y);
    out[o + 3 * i + 1] = a * (xy - s * z) + b * (c + k * y * y) + d * (yz + s * x);
    out[o + 3 * i + 2] = a * (xz + s * y) + b * (yz - s * x) + d * (c + k * z * z);
  }
}
