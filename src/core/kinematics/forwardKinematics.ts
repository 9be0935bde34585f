import { InputError } from '../../errors.ts';
import type { Configuration } from '../math/configuration.ts';
import { derived } from '../math/derived.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { compose, copy, create, TRANSFORM_SIZE, type Transform } from '../math/transform.ts';
import { cos, sin, sinCos } from '../math/trigonometry.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { Joint, RobotModel } from './robotModel.ts';

/** Numbers per moving joint: K0, K1, K2 (3 × 3 each), its position and its axis, all in the frame of the parent. */
const JOINT_SIZE = 33;

/**
 * Poses of all links for the last q passed to `forwardKinematics`. One per thread; the model is shared.
 *
 * Fixed joints cost nothing: each link has a constant pose relative to its anchor, the nearest ancestor (or itself)
 * that is moved by a joint, or the root.
 */
export class RobotState {
  /** Pose of each link in the world, by index of `model.links`; views into `poses`. */
  readonly T_world_link: readonly Transform[];
  /** All poses, 12 numbers per link. */
  readonly poses: Float64Array;
  /** Anchor of each link. */
  readonly anchors: readonly Anchor[];
  /**
   * By moving joint, parents first: index of its link.
   * @internal
   */
  readonly links: Int32Array;
  /**
   * By moving joint: index of the anchor of its parent link.
   * @internal
   */
  readonly parents: Int32Array;
  /**
   * By moving joint: index of its variable in q.
   * @internal
   */
  readonly variables: Int32Array;
  /**
   * By moving joint: 1 if it is prismatic.
   * @internal
   */
  readonly slides: Uint8Array;
  /**
   * By moving joint: multiplier and offset of its value.
   * @internal
   */
  readonly factors: Float64Array;
  /**
   * By moving joint: constant part of its pose.
   * @internal
   */
  readonly constants: Float64Array;

  constructor(
    /** The robot model. */
    readonly model: RobotModel,
  ) {
    const { links, T_world_root } = model;
    this.poses = new Float64Array(TRANSFORM_SIZE * links.length);
    this.T_world_link = links.map((_, i) => this.poses.subarray(TRANSFORM_SIZE * i, TRANSFORM_SIZE * (i + 1)));
    copy(this.T_world_link[0], T_world_root);
    const { anchors, links: moved, parents, variables, slides, factors, constants } = jointTablesOf(model);
    this.anchors = anchors;
    this.links = moved;
    this.parents = parents;
    this.variables = variables;
    this.slides = slides;
    this.factors = factors;
    this.constants = constants;
  }
}

/** What all states of a model share: see the fields of `RobotState`. */
type JointTables = Pick<RobotState, 'anchors' | 'links' | 'parents' | 'variables' | 'slides' | 'factors' | 'constants'>;

const jointTablesOf = derived((model: RobotModel): JointTables => {
  const { joints } = model;
  const anchors = anchorsOf(model);
  const moving = joints.filter((joint) => joint.variable >= 0);
  const constants = new Float64Array(JOINT_SIZE * moving.length);
  const T_anchor_joint = create();
  for (const [j, joint] of moving.entries()) {
    compose(T_anchor_joint, anchors[joint.parent].T_anchor_link, joint.T_parent_joint);
    setConstants(constants, JOINT_SIZE * j, T_anchor_joint, joint);
  }
  return {
    anchors,
    links: Int32Array.from(moving, (joint) => joint.child),
    parents: Int32Array.from(moving, (joint) => anchors[joint.parent].link),
    variables: Int32Array.from(moving, (joint) => joint.variable),
    slides: Uint8Array.from(moving, (joint) => (joint.type === 'prismatic' ? 1 : 0)),
    factors: Float64Array.from(moving.flatMap((joint) => [joint.multiplier, joint.offset])),
    constants,
  };
});

/**
 * Anchor of a link, the nearest link up the tree that a joint moves (or the link itself), and the constant pose of the
 * link relative to it.
 */
export interface Anchor {
  /** Index of the anchor: the nearest ancestor that a joint moves, or the root. */
  readonly link: number;
  /** Pose of the link in the frame of its anchor. */
  readonly T_anchor_link: Transform;
}

/** Computes the anchor of every link, in the order of `model.links`. */
export const anchorsOf = derived(({ links, joints }: RobotModel): readonly Anchor[] => {
  const anchors: Anchor[] = [];
  for (const { index, joint } of links) {
    const parentJoint = joints[joint];
    const isFixed = parentJoint !== undefined && parentJoint.variable < 0;
    const T_anchor_link = create();
    if (isFixed) compose(T_anchor_link, anchors[parentJoint.parent].T_anchor_link, constantTransform(parentJoint));
    anchors.push({ link: isFixed ? anchors[parentJoint.parent].link : index, T_anchor_link });
  }
  return anchors;
});

/** T_parent_child of a joint with a constant value. */
function constantTransform({ T_parent_joint, type, offset, axis: [x, y, z] }: Joint): Transform {
  const T = create();
  if (type === 'prismatic') {
    T[3] = x * offset;
    T[7] = y * offset;
    T[11] = z * offset;
  } else if (type !== 'fixed' && offset !== 0) {
    const half = sin(offset / 2);
    setRotationFromQuaternion(T, [cos(offset / 2), x * half, y * half, z * half]);
  }
  compose(T, T_parent_joint, T);
  return T;
}

/**
 * R · R(axis, q) = K0 + sin q · K1 + cos q · K2 with (Rodrigues)
 *   K0 = R a aᵀ,  K1 = R [a]×,  K2 = R (I − a aᵀ)
 * so that a general axis costs no more than the z axis. Prismatic joints: t = t0 + q · R a, K0 = R.
 */
function setConstants(out: Float64Array, o: number, T: Transform, { axis: [x, y, z], type }: Joint): void {
  const outer = [x * x, x * y, x * z, y * x, y * y, y * z, z * x, z * y, z * z];
  const crossed = [0, -z, y, z, 0, -x, -y, x, 0];
  const slides = type === 'prismatic';
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      const k = 3 * row + column;
      const along = (m: readonly number[]) =>
        T[4 * row] * m[column] + T[4 * row + 1] * m[3 + column] + T[4 * row + 2] * m[6 + column];
      out[o + k] = slides ? T[4 * row + column] : along(outer);
      out[o + 9 + k] = slides ? 0 : along(crossed);
      out[o + 18 + k] = slides ? 0 : T[4 * row + column] - along(outer);
    }
    out[o + 27 + row] = T[4 * row + 3];
    out[o + 30 + row] = T[4 * row] * x + T[4 * row + 1] * y + T[4 * row + 2] * z;
  }
}

/**
 * Computes `state.T_world_link`, the pose of every link in the world, for q (rad, m). Throws `InputError` if q has the
 * wrong length; limits are not checked.
 */
export function forwardKinematics(state: RobotState, q: Configuration): void {
  const { anchors, T_world_link } = state;
  poseMovingLinks(state, q);
  for (let i = 0; i < anchors.length; i++) {
    const { link, T_anchor_link } = anchors[i];
    if (link !== i) compose(T_world_link[i], T_world_link[link], T_anchor_link);
  }
}

const sinAndCos = new Float64Array(2);

/**
 * As `forwardKinematics`, but updates only the poses of anchors, the links that a joint moves; those of the other links
 * remain those of an earlier call. Throws `InputError` for a wrong length of q.
 */
export function poseMovingLinks(state: RobotState, q: Configuration): void {
  const { model, poses, links, parents, variables, slides, factors, constants } = state;
  requireLength(model, q);
  const count = links.length;

  for (let j = 0; j < count; j++) {
    const o = JOINT_SIZE * j;
    const value = factors[2 * j] * q[variables[j]] + factors[2 * j + 1];
    // Local pose: L = K0 + s K1 + c K2, t = t0 + slide · a. Unrolled: this loop runs for every state that is checked.
    let s = 0;
    let c = 0;
    let slide = 0;
    if (slides[j] === 1) {
      slide = value;
    } else {
      sinCos(sinAndCos, value);
      s = sinAndCos[0];
      c = sinAndCos[1];
    }
    const l0 = constants[o] + s * constants[o + 9] + c * constants[o + 18];
    const l1 = constants[o + 1] + s * constants[o + 10] + c * constants[o + 19];
    const l2 = constants[o + 2] + s * constants[o + 11] + c * constants[o + 20];
    const l3 = constants[o + 3] + s * constants[o + 12] + c * constants[o + 21];
    const l4 = constants[o + 4] + s * constants[o + 13] + c * constants[o + 22];
    const l5 = constants[o + 5] + s * constants[o + 14] + c * constants[o + 23];
    const l6 = constants[o + 6] + s * constants[o + 15] + c * constants[o + 24];
    const l7 = constants[o + 7] + s * constants[o + 16] + c * constants[o + 25];
    const l8 = constants[o + 8] + s * constants[o + 17] + c * constants[o + 26];
    const tx = constants[o + 27] + slide * constants[o + 30];
    const ty = constants[o + 28] + slide * constants[o + 31];
    const tz = constants[o + 29] + slide * constants[o + 32];
    // T_world_child = T_world_parent · T_parent_child
    const p = TRANSFORM_SIZE * parents[j];
    const w = TRANSFORM_SIZE * links[j];
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

/** Throws `InputError` unless q has one value per planned joint. */
export function requireLength(model: RobotModel, q: Configuration): void {
  if (model.dof !== q.length)
    throw new InputError(`q has ${q.length} values, "${model.name}" has ${model.dof} planned joints`);
}

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
