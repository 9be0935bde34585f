import { InputError } from '../errors.ts';
import type { Configuration } from '../math/configuration.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, copy, create, TRANSFORM_SIZE, type Transform } from '../math/transform.ts';
import { cos, sin, sinCos } from '../math/trigonometry.ts';
import type { Joint, RobotModel } from './robotModel.ts';

/** Numbers a joint needs in the sweep: K0, K1, K2 (3 × 3 each) and the two translations. */
const JOINT_SIZE = 33;
const FIXED = 0;
const TURNING = 1;
const SLIDING = 2;

/** What moves: the pose of every link for the last q given to `forwardKinematics`. One per thread of work; the model is shared. */
export class RobotState {
  /** Pose of link i in the world, i as in `model.links`; views into one buffer. */
  readonly T_world_link: readonly Transform[];
  /** All poses in one row, 12 numbers a link. */
  readonly poses: Float64Array;
  readonly kinds: Int8Array;
  readonly parents: Int32Array;
  readonly variables: Int32Array;
  readonly factors: Float64Array;
  readonly constants: Float64Array;

  constructor(readonly model: RobotModel) {
    const { links, joints, T_world_root } = model;
    this.poses = new Float64Array(TRANSFORM_SIZE * links.length);
    this.T_world_link = links.map((_, i) => this.poses.subarray(TRANSFORM_SIZE * i, TRANSFORM_SIZE * (i + 1)));
    copy(this.T_world_link[0], T_world_root);
    this.kinds = Int8Array.from(joints, kindOf);
    this.parents = Int32Array.from(joints, (joint) => joint.parent);
    this.variables = Int32Array.from(joints, (joint) => joint.variable);
    this.factors = Float64Array.from(joints.flatMap((joint) => [joint.multiplier, joint.offset]));
    this.constants = new Float64Array(JOINT_SIZE * joints.length);
    for (const [j, joint] of joints.entries()) setConstants(this.constants, JOINT_SIZE * j, joint);
  }
}

/** A joint that stays where it is becomes part of a fixed placement. */
function kindOf({ type, variable }: Joint): number {
  if (type === 'fixed' || variable < 0) return FIXED;
  return type === 'prismatic' ? SLIDING : TURNING;
}

/**
 * R_parent_joint · R(axis, q) = K0 + sin q · K1 + cos q · K2 with (Rodrigues)
 *   K0 = R a aᵀ,  K1 = R [a]×,  K2 = R (I − a aᵀ)
 * so a general axis costs no more than the z axis. Sliding: t = t0 + q · R a. Joints that stand still keep their pose in K0.
 */
function setConstants(out: Float64Array, o: number, joint: Joint): void {
  const T = placed(joint);
  const [x, y, z] = joint.axis;
  const outer = [x * x, x * y, x * z, y * x, y * y, y * z, z * x, z * y, z * z];
  const crossed = [0, -z, y, z, 0, -x, -y, x, 0];
  const still = kindOf(joint) !== TURNING;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      const k = 3 * row + column;
      const along = (m: readonly number[]) =>
        T[4 * row] * m[column] + T[4 * row + 1] * m[3 + column] + T[4 * row + 2] * m[6 + column];
      out[o + k] = still ? T[4 * row + column] : along(outer);
      out[o + 9 + k] = still ? 0 : along(crossed);
      out[o + 18 + k] = still ? 0 : T[4 * row + column] - along(outer);
    }
    out[o + 27 + row] = T[4 * row + 3];
    out[o + 30 + row] = T[4 * row] * x + T[4 * row + 1] * y + T[4 * row + 2] * z;
  }
}

/** T_parent_joint, with the constant displacement of a joint that does not move folded in. */
function placed({ T_parent_joint, type, variable, offset, axis: [x, y, z] }: Joint): Transform {
  if (type === 'fixed' || variable >= 0 || offset === 0) return T_parent_joint;
  const T = create();
  if (type === 'prismatic') {
    T[3] = x * offset;
    T[7] = y * offset;
    T[11] = z * offset;
  } else {
    const half = sin(offset / 2);
    setRotationFromQuaternion(T, [cos(offset / 2), x * half, y * half, z * half]);
  }
  compose(T, T_parent_joint, T);
  return T;
}

const sinAndCos = new Float64Array(2);

/**
 * Fills `state.T_world_link` for the configuration q (rad, m). Joints are stored parents first, so one sweep does it.
 * Throws InputError where q has the wrong length; values out of limits are taken as they are.
 */
export function forwardKinematics(state: RobotState, q: Configuration): void {
  const { model, poses, kinds, parents, variables, factors, constants } = state;
  if (q.length !== model.dof)
    throw new InputError(`q has ${q.length} values, "${model.name}" has ${model.dof} planned joints`);
  const count = kinds.length;

  for (let j = 0; j < count; j++) {
    const o = JOINT_SIZE * j;
    const kind = kinds[j];
    // Local pose: L = K0 + s K1 + c K2, t = t0 + slide · a. Unrolled: this loop runs for every state that is ever checked.
    let l0 = constants[o];
    let l1 = constants[o + 1];
    let l2 = constants[o + 2];
    let l3 = constants[o + 3];
    let l4 = constants[o + 4];
    let l5 = constants[o + 5];
    let l6 = constants[o + 6];
    let l7 = constants[o + 7];
    let l8 = constants[o + 8];
    let tx = constants[o + 27];
    let ty = constants[o + 28];
    let tz = constants[o + 29];
    if (kind === TURNING) {
      sinCos(sinAndCos, factors[2 * j] * q[variables[j]] + factors[2 * j + 1]);
      const s = sinAndCos[0];
      const c = sinAndCos[1];
      l0 += s * constants[o + 9] + c * constants[o + 18];
      l1 += s * constants[o + 10] + c * constants[o + 19];
      l2 += s * constants[o + 11] + c * constants[o + 20];
      l3 += s * constants[o + 12] + c * constants[o + 21];
      l4 += s * constants[o + 13] + c * constants[o + 22];
      l5 += s * constants[o + 14] + c * constants[o + 23];
      l6 += s * constants[o + 15] + c * constants[o + 24];
      l7 += s * constants[o + 16] + c * constants[o + 25];
      l8 += s * constants[o + 17] + c * constants[o + 26];
    } else if (kind === SLIDING) {
      const slide = factors[2 * j] * q[variables[j]] + factors[2 * j + 1];
      tx += slide * constants[o + 30];
      ty += slide * constants[o + 31];
      tz += slide * constants[o + 32];
    }
    // T_world_child = T_world_parent · T_parent_child; joint j leads to link j + 1.
    const p = TRANSFORM_SIZE * parents[j];
    const w = TRANSFORM_SIZE * (j + 1);
    for (let row = 0; row < TRANSFORM_SIZE; row += 4) {
      const x = poses[p + row];
      const y = poses[p + row + 1];
      const z = poses[p + row + 2];
      poses[w + row] = x * l0 + y * l3 + z * l6;
      poses[w + row + 1] = x * l1 + y * l4 + z * l7;
      poses[w + row + 2] = x * l2 + y * l5 + z * l8;
      poses[w + row + 3] = x * tx + y * ty + z * tz + poses[p + row + 3];
    }
  }
}
