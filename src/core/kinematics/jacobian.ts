import type { Vec3 } from '../math/vec3.ts';
import type { RobotState } from './forwardKinematics.ts';

/**
 * Computes the geometric Jacobian of a point fixed to a link, at the q of the last `forwardKinematics`. `out`: 6 × dof,
 * row-major: linear velocity (m/s per rad/s or m/s) in rows 0–2, angular velocity in rows 3–5, world frame. `point`: in
 * the world frame, metres. Mimic joints contribute to the column of the joint that they follow.
 */
export function jacobian(out: Float64Array, state: RobotState, link: number, point: Vec3): void {
  const { model, T_world_link } = state;
  const { links, joints, dof } = model;
  out.fill(0);
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable < 0) continue;
    const T = T_world_link[l]; // the joint's own motion does not move its axis
    const { axis } = joint;
    const ax = axis[0];
    const ay = axis[1];
    const az = axis[2];
    const zx = joint.multiplier * (T[0] * ax + T[1] * ay + T[2] * az);
    const zy = joint.multiplier * (T[4] * ax + T[5] * ay + T[6] * az);
    const zz = joint.multiplier * (T[8] * ax + T[9] * ay + T[10] * az);
    const column = joint.variable;
    if (joint.type === 'prismatic') {
      out[column] += zx;
      out[dof + column] += zy;
      out[2 * dof + column] += zz;
      continue;
    }
    // v = z × (p − o)
    const x = point[0] - T[3];
    const y = point[1] - T[7];
    const z = point[2] - T[11];
    out[column] += zy * z - zz * y;
    out[dof + column] += zz * x - zx * z;
    out[2 * dof + column] += zx * y - zy * x;
    out[3 * dof + column] += zx;
    out[4 * dof + column] += zy;
    out[5 * dof + column] += zz;
  }
}
