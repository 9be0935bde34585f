import { poseError } from '../kinematics/poseError.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { create, rotateBack, type Transform } from '../math/transform.ts';
import { PI } from '../math/trigonometry.ts';
import { constraintLabel, type OrientationConstraint } from '../scene/constraints.ts';
import { EXCESS_TOLERANCE, type FrameConstraint, insideOf, THIN } from './frameConstraint.ts';

/**
 * A component of the rotation vector changes at most this many times as fast as the orientation: (θ/2) / sin(θ/2) for
 * θ <= π.
 */
const MAX_RATE = PI / 2;

/**
 * Creates the function of an orientation constraint: the largest excess of a component of the rotation vector from the
 * orientation, in its axes, over its limit, radians.
 */
export function orientation(given: OrientationConstraint, frame: LinkFrame): FrameConstraint {
  const T_wanted = create();
  setRotationFromQuaternion(T_wanted, given.quat_wxyz);
  const error = new Float64Array(6);
  const vector = error.subarray(3, 6);
  /** Computes the rotation vector; returns the component with the largest excess, −1 if all are free. */
  const worstAt = (T: Transform) => {
    poseError(error, T_wanted, T);
    rotateBack(vector, T_wanted, vector);
    let worst = -1;
    for (let i = 0; i < 3; i++) {
      const excess = Math.abs(vector[i]) - given.within[i];
      if (given.within[i] < PI && (worst < 0 || excess > Math.abs(vector[worst]) - given.within[worst])) worst = i;
    }
    return worst;
  };
  const excessAt = (T: Transform) => {
    const worst = worstAt(T);
    return worst < 0 ? -PI : Math.abs(vector[worst]) - given.within[worst];
  };
  return {
    label: constraintLabel(given),
    frame,
    excess: excessAt,
    gradient(out, T) {
      const worst = worstAt(T);
      out.fill(0);
      if (worst < 0) return;
      const sign = vector[worst] < 0 ? -1 : 1;
      // For small rotations the vector changes by the angular velocity, in the axes of the orientation.
      for (let i = 0; i < 3; i++) out[3 + i] = sign * T_wanted[4 * i + worst];
    },
    inside: insideOf(Math.min(...given.within)),
    thinRows(out) {
      let count = 0;
      for (let i = 0; i < 3; i++) {
        if (given.within[i] > THIN) continue;
        out[count].fill(0);
        for (let k = 0; k < 3; k++) out[count][3 + k] = T_wanted[4 * k + i];
        count++;
      }
      return count;
    },
    holdsOver: ({ T, bounds, half }) => excessAt(T) + MAX_RATE * bounds.angularSpeed * half <= EXCESS_TOLERANCE,
  };
}
