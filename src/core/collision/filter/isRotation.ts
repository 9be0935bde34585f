import type { RobotState } from '../../kinematics/forwardKinematics.ts';
import { norm } from '../../math/vec3.ts';

/** A joint's axis is a unit vector up to this. */
const UNIT = 1e-9;

/**
 * Returns true if the rotation of T is orthonormal up to 1e-13: the errors of the kernel are bounded for rotations, and
 * a face may be 1e7 m from the origin of its box.
 */
export function isRotation(T: ArrayLike<number>, rows: readonly [number, number, number] = [0, 4, 8]): boolean {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      let product = i === j ? -1 : 0;
      for (let k = 0; k < 3; k++) product += T[rows[i] + k] * T[rows[j] + k];
      if (!(Math.abs(product) <= 1e-13)) return false;
    }
  }
  return true;
}

/** Returns true if all joints move their links rigidly: orthonormal rotations and unit axes throughout. */
export function hasRigidJoints(state: RobotState): boolean {
  for (let j = 0; j < state.links.length; j++) {
    const K = state.constants.subarray(33 * j);
    const atZero = Float64Array.from({ length: 9 }, (_, k) => K[k] + K[18 + k]);
    if (!isRotation(atZero, [0, 3, 6]) || !(Math.abs(norm(K.subarray(30, 33)) - 1) <= UNIT)) return false;
  }
  return true;
}
