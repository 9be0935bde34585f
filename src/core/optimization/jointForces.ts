import type { RobotState } from '../kinematics/forwardKinematics.ts';
import type { Vec3 } from '../math/vec3.ts';

/**
 * Adds to `out` the joint forces of a force at `point` (world, metres) and a moment that act on a link: Jᵀ (force,
 * moment) at the q of the last `forwardKinematics`. With the derivatives of a scalar by the velocity of a point and by
 * the angular velocity of its body as force and moment, this is the chain rule: `out` is incremented by the derivative
 * of the scalar by q. Entry i of `out` is joint i of q; mimic joints contribute to the joint that they follow.
 */
export function addJointForces(
  out: Float64Array,
  state: RobotState,
  link: number,
  point: Vec3,
  force: Vec3,
  moment: Vec3,
): void {
  const { links, joints } = state.model;
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable < 0) continue;
    const T = state.T_world_link[l]; // motion of the joint leaves its own axis unchanged
    const { axis } = joint;
    const zx = T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2];
    const zy = T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2];
    const zz = T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2];
    let along = 0;
    if (joint.type === 'prismatic') along = zx * force[0] + zy * force[1] + zz * force[2];
    else {
      // z · ((p − o) × f + m)
      const x = point[0] - T[3];
      const y = point[1] - T[7];
      const z = point[2] - T[11];
      along =
        zx * (y * force[2] - z * force[1] + moment[0]) +
        zy * (z * force[0] - x * force[2] + moment[1]) +
        zz * (x * force[1] - y * force[0] + moment[2]);
    }
    out[joint.variable] += joint.multiplier * along;
  }
}
