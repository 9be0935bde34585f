import { norm } from '../../math/vec3.ts';
import type { ArmModel } from './armModel.ts';

/** Bounds on the torques that hold an arm at rest, at every state. */
export interface RestBounds {
  /** Magnitude of the torque of each planned joint: N m, N. */
  readonly torques: Float64Array;
  /** At [k · dof + j]: magnitude of the derivative of torque k by joint j. */
  readonly slopes: Float64Array;
}

/**
 * Returns bounds on the torques at rest. These are the derivatives of the potential energy, the sum of m g · c: a
 * joint that turns moves a center of mass c by its distance to the axis at most, and a second one turns that
 * displacement; a joint that slides moves it by 1, and nothing that slides changes what another joint contributes.
 * @param reach greatest magnitude of the value of each planned joint
 */
export function restBounds({ dof, joints, gravity }: ArmModel, reach: ArrayLike<number>): RestBounds {
  const weight = norm(Float64Array.from(gravity));
  // Sums over the bodies that a joint moves: mass, and mass times distance to the origin of its frame.
  const mass = joints.map((joint) => joint.mass);
  const moment = joints.map((joint) => norm(joint.moment));
  for (let i = joints.length - 1; i > 0; i--) {
    const { parent, T_parent_joint: T, slides, multiplier, offset, variable } = joints[i];
    if (parent < 0) continue;
    const slide = slides ? Math.abs(multiplier) * reach[variable] + Math.abs(offset) : 0;
    mass[parent] += mass[i];
    moment[parent] += moment[i] + mass[i] * (norm(Float64Array.of(T[3], T[7], T[11])) + slide);
  }
  const torques = new Float64Array(dof);
  const slopes = new Float64Array(dof * dof);
  for (const [i, { slides, variable: k, multiplier }] of joints.entries()) {
    const moved = weight * Math.abs(multiplier) * (slides ? mass[i] : moment[i]);
    torques[k] += moved;
    for (let above = i; above >= 0; above = joints[above].parent) {
      const { variable: j, multiplier: factor, slides: isSlide } = joints[above];
      if (isSlide) continue;
      slopes[k * dof + j] += Math.abs(factor) * moved;
      if (above !== i) slopes[j * dof + k] += Math.abs(factor) * moved;
    }
  }
  return { torques, slopes };
}
