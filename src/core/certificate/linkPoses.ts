import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import { cos, sin } from '../math/trigonometry.ts';

/**
 * Computes forward kinematics: the pose of every link in the world for the values q of the planned joints. Plain,
 * without precomputation.
 * @param T_world_link receives the poses, one per link; default: new ones
 */
export function linkPoses(
  { joints, links, T_world_root }: RobotModel,
  q: Float64Array,
  T_world_link: Transform[] = links.map(() => create()),
): Transform[] {
  T_world_link[0] = T_world_root;
  for (const joint of joints) {
    const value = joint.offset + (joint.variable < 0 ? 0 : joint.multiplier * q[joint.variable]);
    const T_world_child = T_world_link[joint.child];
    compose(T_world_child, T_world_link[joint.parent], joint.T_parent_joint);
    compose(T_world_child, T_world_child, displacement(joint, value));
  }
  return T_world_link;
}

/**
 * Returns the translation along the axis a, or the rotation about it:  R = cos θ I + sin θ [a]× + (1 − cos θ) a aᵀ;
 * identity for fixed joints.
 */
function displacement({ type, axis: [x, y, z] }: Joint, value: number): Transform {
  const turns = type === 'revolute' || type === 'continuous';
  const slide = type === 'prismatic' ? value : 0;
  const s = turns ? sin(value) : 0;
  const c = turns ? cos(value) : 1;
  const k = 1 - c;
  // biome-ignore format: rows of a matrix
  return Float64Array.of(
    c + k * x * x, k * x * y - s * z, k * x * z + s * y, slide * x,
    k * x * y + s * z, c + k * y * y, k * y * z - s * x, slide * y,
    k * x * z - s * y, k * y * z + s * x, c + k * z * z, slide * z,
  );
}
