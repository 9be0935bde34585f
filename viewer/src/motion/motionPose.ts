import type { ObstacleMotion } from 'elbowroom';
import { type Object3D, Quaternion, Vector3 } from 'three';

const from = new Vector3();
const to = new Vector3();
const turned = new Quaternion();

/** Sets the pose of an object to that of a moving obstacle at a time: positions linear, orientations slerp. */
export function placeAt(object: Object3D, { times, poses }: ObstacleMotion, time: number): void {
  const last = times.length - 1;
  let low = 0;
  let high = Math.max(0, last - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, last);
  const span = times[next] - times[low];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  object.position.copy(from.set(...poses[low].xyz).lerp(to.set(...poses[next].xyz), share));
  const [w, x, y, z] = poses[low].quat_wxyz;
  const [w1, x1, y1, z1] = poses[next].quat_wxyz;
  object.quaternion.set(x, y, z, w).slerp(turned.set(x1, y1, z1, w1), share);
}
