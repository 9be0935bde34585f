import { poseOfTransform } from '../../core/kinematics/pose.ts';
import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import { setRotationFromQuaternion } from '../../core/math/quaternion.ts';
import { compose, composed, create, type Transform } from '../../core/math/transform.ts';
import { cos, sin } from '../../core/math/trigonometry.ts';
import type { LinkDraft } from './urdfDocument.ts';
import type { JointDraft } from './urdfTree.ts';

/** Point or direction as plain numbers. */
export type Triple = readonly [number, number, number];

/** A joint whose axis is stated in the frame of the link that it moves, as in SDF and MJCF. */
export interface PivotJoint {
  /** Name, type, limits. */
  readonly joint: Omit<JointDraft, 'origin'>;
  /** Unit vector in the frame of the moved link. */
  readonly axis: Triple;
  /** A point of the axis in the frame of the moved link, metres. */
  readonly pivot: Triple;
  /** Value (rad or m) at which the moved link has its stated pose. */
  readonly reference: number;
}

/**
 * Distance (m) between the axis of a revolute joint and the origin of its child link below which the axis passes
 * through the origin. Absolute: far above rounding errors of poses, far below relevant distances.
 */
const ON_AXIS = 1e-12;

/**
 * Collects links and joints in the form of URDF, where the axis of a joint passes through the origin of its child link.
 * An axis that does not, and each further joint of the same link, gets an additional link without geometry.
 */
export class JointChains {
  readonly links: LinkDraft[] = [];
  readonly joints: JointDescription[] = [];
  private readonly linkNames: Set<string>;
  private readonly jointNames: Set<string>;

  /** @param linkNames names that the file uses @param jointNames likewise */
  constructor(linkNames: Iterable<string>, jointNames: Iterable<string>) {
    this.linkNames = new Set(linkNames);
    this.jointNames = new Set(jointNames);
  }

  /**
   * Adds a link and the joints that move it, in their order; without any, the link is fixed to its parent.
   * @param T_parent_child pose of the link in the frame of its parent while every joint has its reference value
   * @param weld name of the fixed joint that is added if `joints` is empty
   */
  addLink(
    link: LinkDraft,
    parent: string,
    T_parent_child: Transform,
    pivots: readonly PivotJoint[],
    weld: string,
  ): void {
    const T = T_parent_child.slice();
    let above = parent;
    for (const [i, { joint, axis, pivot, reference }] of pivots.entries()) {
      const offset = pivotOffset(joint.type, axis, pivot);
      compose(T, T, translation(offset));
      const origin = poseOfTransform(composed(T, motion(joint.type, axis, -reference)));
      const isLast = i === pivots.length - 1;
      const child = isLast && isZero(offset) ? link.name : this.unusedLink(`${link.name} after ${joint.name}`);
      if (child !== link.name) this.links.push({ name: child, collisions: [] });
      this.joints.push({ ...joint, parent: above, child, origin, axis });
      above = child;
      T.set(translation([-offset[0], -offset[1], -offset[2]]));
    }
    this.links.push(link);
    if (above === link.name) return;
    const name = this.unusedJoint(pivots.length === 0 ? weld : `${link.name} fixed`);
    this.joints.push({
      name,
      type: 'fixed',
      parent: above,
      child: link.name,
      origin: poseOfTransform(T),
      axis: [1, 0, 0],
    });
  }

  /** Returns the name, with underscores appended until no link has it, and reserves it. */
  unusedLink(name: string): string {
    return unused(name, this.linkNames);
  }

  /** Returns the name, with underscores appended until no joint has it, and reserves it. */
  unusedJoint(name: string): string {
    return unused(name, this.jointNames);
  }
}

/**
 * Returns the pivot of a revolute joint whose axis does not pass through the origin; otherwise zero, which gives the
 * same motion.
 */
function pivotOffset(type: JointDraft['type'], [ax, ay, az]: Triple, pivot: Triple): Triple {
  if (type !== 'revolute' && type !== 'continuous') return [0, 0, 0];
  const [px, py, pz] = pivot;
  const [x, y, z] = [py * az - pz * ay, pz * ax - px * az, px * ay - py * ax];
  return Math.sqrt(x * x + y * y + z * z) <= ON_AXIS ? [0, 0, 0] : pivot;
}

const isZero = (offset: Triple): boolean => offset.every((x) => x === 0);

function translation([x, y, z]: Triple): Transform {
  return Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z);
}

function motion(type: JointDraft['type'], [x, y, z]: Triple, value: number): Transform {
  if (type === 'prismatic') return translation([x * value, y * value, z * value]);
  const T = create();
  if (type === 'fixed' || value === 0) return T;
  const half = sin(value / 2);
  setRotationFromQuaternion(T, [cos(value / 2), x * half, y * half, z * half]);
  return T;
}

function unused(name: string, used: Set<string>): string {
  let free = name;
  while (used.has(free)) free += '_';
  used.add(free);
  return free;
}
