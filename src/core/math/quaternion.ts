import type { Transform } from './transform.ts';
import { sinCos } from './trigonometry.ts';

/** Quaternion in the order w, x, y, z. */
export type Quaternion = readonly [number, number, number, number];

const angle = new Float64Array(2);

/** Squares of entries between these neither overflow nor lose digits. */
const [LEAST, MOST] = [1e-140, 1e140];

/**
 * Absolute deviation from length 1 up to which numbers of a file or message are a rotation: that of three decimal
 * places. A larger one is a mistake: other quantities, a missing part, a scale.
 */
const UNIT_TOLERANCE = 1e-3;

/**
 * Returns the length of four numbers of a file or message that are no rotation, in any order of their parts; undefined
 * if they are a unit quaternion. NaN counts as no rotation.
 */
export function lengthIfNotUnit(parts: readonly number[]): number | undefined {
  const length = Math.sqrt(parts.reduce((sum, part) => sum + part * part, 0));
  return Math.abs(length - 1) <= UNIT_TOLERANCE ? undefined : Number(length.toPrecision(6));
}

/** Note for quaternions that are no rotation. */
export const UNIT_QUATERNION = 'Divide its parts by its length; no rotation is 1, 0, 0, 0 (w, x, y, z).';

/** Sets the rotation of `out` from a nonzero quaternion, which is normalized; keeps the translation. */
export function setRotationFromQuaternion(out: Transform, given: Quaternion): void {
  const greatest = Math.max(Math.abs(given[0]), Math.abs(given[1]), Math.abs(given[2]), Math.abs(given[3]));
  const scale = greatest < LEAST || greatest > MOST ? greatest : 1;
  const qw = given[0] / scale,
    qx = given[1] / scale,
    qy = given[2] / scale,
    qz = given[3] / scale;
  const length = Math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz);
  const w = qw / length,
    x = qx / length,
    y = qy / length,
    z = qz / length;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[4] = 2 * (x * y + w * z);
  out[5] = 1 - 2 * (x * x + z * z);
  out[6] = 2 * (y * z - w * x);
  out[8] = 2 * (x * z - w * y);
  out[9] = 2 * (y * z + w * x);
  out[10] = 1 - 2 * (x * x + y * y);
}

/** Returns four numbers divided by their length, which must be positive: the quaternion of a file or message. */
export function normalizedQuaternion(parts: readonly number[]): [number, number, number, number] {
  const length = Math.sqrt(parts.reduce((sum, part) => sum + part * part, 0));
  return [parts[0] / length, parts[1] / length, parts[2] / length, parts[3] / length];
}

/** Sets the rotation of `out` from roll, pitch, yaw about fixed axes as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll). */
export function setRotationFromRpy(out: Transform, roll: number, pitch: number, yaw: number): void {
  sinCos(angle, roll);
  const [sr, cr] = angle;
  sinCos(angle, pitch);
  const [sp, cp] = angle;
  sinCos(angle, yaw);
  const [sy, cy] = angle;
  out[0] = cy * cp;
  out[1] = cy * sp * sr - sy * cr;
  out[2] = cy * sp * cr + sy * sr;
  out[4] = sy * cp;
  out[5] = sy * sp * sr + cy * cr;
  out[6] = sy * sp * cr - cy * sr;
  out[8] = -sp;
  out[9] = cp * sr;
  out[10] = cp * cr;
}

/**
 * Unit quaternion of the rotation, w >= 0. Computed from the largest of the four squares, to avoid the root of a small
 * number.
 */
export function quaternionOf(T: Transform): [number, number, number, number] {
  const [r00, r01, r02, , r10, r11, r12, , r20, r21, r22] = T;
  const ww = 1 + r00 + r11 + r22;
  const xx = 1 + r00 - r11 - r22;
  const yy = 1 - r00 + r11 - r22;
  const zz = 1 - r00 - r11 + r22;
  const most = Math.max(ww, xx, yy, zz);
  let q: [number, number, number, number];
  if (most === ww) q = [ww, r21 - r12, r02 - r20, r10 - r01];
  else if (most === xx) q = [r21 - r12, xx, r01 + r10, r02 + r20];
  else if (most === yy) q = [r02 - r20, r01 + r10, yy, r12 + r21];
  else q = [r10 - r01, r02 + r20, r12 + r21, zz];
  const [w, x, y, z] = q;
  const factor = (w < 0 ? -1 : 1) / Math.sqrt(w * w + x * x + y * y + z * z);
  return [w * factor, x * factor + 0, y * factor + 0, z * factor + 0];
}
