import type { Pose } from 'elbowroom';
import { Euler, Quaternion } from 'three';

const DEGREES = 180 / Math.PI;

/** Returns roll, pitch and yaw about fixed axes, as in URDF, degrees. */
export function rollPitchYaw({ x, y, z, w }: Quaternion): [number, number, number] {
  const { x: roll, y: pitch, z: yaw } = new Euler().setFromQuaternion(new Quaternion(x, y, z, w), 'ZYX');
  return [roll * DEGREES, pitch * DEGREES, yaw * DEGREES];
}

/** Returns the rotation of roll, pitch and yaw, degrees. */
export function fromRollPitchYaw([roll, pitch, yaw]: readonly number[]): Quaternion {
  return new Quaternion().setFromEuler(new Euler(roll / DEGREES, pitch / DEGREES, yaw / DEGREES, 'ZYX'));
}

/** Returns the pose of an object on the stage. */
export function poseOf(position: { x: number; y: number; z: number }, { x, y, z, w }: Quaternion): Pose {
  return { xyz: [position.x, position.y, position.z], quat_wxyz: [w, x, y, z] };
}

/** Returns roll, pitch and yaw of a pose as they are written into a scene, radians. */
export function writtenAngles({ quat_wxyz: [w, x, y, z] }: Pose): number[] {
  return rollPitchYaw(new Quaternion(x, y, z, w)).map((angle) => Number((angle / DEGREES).toFixed(9)));
}
