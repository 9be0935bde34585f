import { InputError, ownValue, suggestion } from '../../errors.ts';
import { firstIndex } from '../math/firstIndex.ts';
import { create } from '../math/transform.ts';
import { norm } from '../math/vec3.ts';
import { createShape } from '../shapes/index.ts';
import {
  type Follower,
  followersOf,
  type JointsByName,
  type Leader,
  leadersOf,
  limitsWithFollowers,
} from './mimics.ts';
import { transformOfPose } from './pose.ts';
import { requireMagnitudes } from './robotMagnitudes.ts';
import type {
  CollisionDescription,
  CollisionPart,
  Joint,
  JointDescription,
  JointDrive,
  JointLimits,
  Link,
  PlannedJoint,
  Pose,
  RobotDescription,
  RobotModel,
} from './robotModel.ts';

/** What a scene decides about a robot; all of it optional. */
export interface RobotOptions {
  /** Planned joints in the order of q; default: all that move by themselves, in the order of the file. */
  readonly joints?: readonly string[] | undefined;
  /** Values of joints that move but are not planned; default 0, clamped into the limits. */
  readonly fixed?: Readonly<Record<string, number>>;
  /** Limits by joint name, which replace those of the description. */
  readonly limits?: Readonly<Record<string, Partial<JointLimits>>>;
  /** Maximum torques (N m) and forces (N) by joint name, which replace those of the description. */
  readonly efforts?: Readonly<Record<string, number>> | undefined;
  /** Motors by joint name, whose values replace those of the description. */
  readonly motors?: Readonly<Record<string, JointDrive>> | undefined;
  /** Pose of the root link in the world. */
  readonly pose?: Pose;
  /**
   * Links that are meant to have no collision geometry: a robot without any is refused by collision checks unless all
   * are listed.
   */
  readonly empty?: readonly string[] | undefined;
}

/** Accelerations that nobody states are this many times the velocity limit, per second. */
const ASSUMED_ACCELERATION = 4;

/**
 * The flat, immutable model of a described robot. Throws InputError for names that are not there and joints that cannot
 * be planned, and for an axis that is no unit vector.
 */
export function createRobotModel(description: RobotDescription, options: RobotOptions = {}): RobotModel {
  const { joints: planned = independentJoints(description), fixed = {}, limits = {}, pose, empty = [] } = options;
  const { efforts = {}, motors = {} } = options;
  const { name } = description;
  const byName: JointsByName = new Map(description.joints.map((joint) => [joint.name, joint]));
  for (const [place, names] of [
    ['joints', planned],
    ['fixed', Object.keys(fixed)],
    ['limits', Object.keys(limits)],
    ['limits', Object.keys(efforts)],
    ['motors', Object.keys(motors)],
  ] as const)
    requireJoints(description, byName, names, place);
  requireEmptyLinks(description, empty);
  const values = fixedValues(description, byName, planned, fixed);
  const leaders = leadersOf(name, byName);
  const followers = followersOf(description, leaders, limits);
  const variables = planned.map((one) => {
    const joint = byName.get(one)!;
    const effort = ownValue(efforts, one) ?? joint.effort ?? Number.POSITIVE_INFINITY;
    return { ...plannedJoint(joint, ownValue(limits, one) ?? {}, followers.get(one) ?? []), effort };
  });
  const sorted = parentsFirst(description);
  const linkIndices = new Map(sorted.map(({ link }, index) => [link, index]));
  const variableOf = new Map(planned.map((one, index) => [one, index]));
  const collisions = new Map(description.links.map((link) => [link.name, link.collisions]));
  const links = sorted.map(({ link, joint }, index) =>
    createLink(link, index, joint ? linkIndices.get(joint.parent)! : -1, collisions.get(link) ?? []),
  );
  const joints = sorted.flatMap(({ joint }) =>
    joint
      ? [
          createJoint(
            name,
            joint,
            leaders.get(joint.name)!,
            linkIndices,
            variableOf,
            values,
            ownValue(motors, joint.name),
          ),
        ]
      : [],
  );
  const T_world_root = pose ? transformOfPose(pose) : create();
  requireMagnitudes({ name, links, joints, variables, T_world_root, fixed: values });
  return { name, description, dof: variables.length, variables, joints, links, T_world_root, empty, fixed: values };
}

/** Joints that move by themselves, in the order of the file. */
export function independentJoints(description: RobotDescription): string[] {
  return description.joints.filter((joint) => joint.type !== 'fixed' && !joint.mimic).map((joint) => joint.name);
}

/** Value of a joint where nobody gives one: 0, or the bound nearest to it. */
function restValue({
  type,
  lower = Number.NEGATIVE_INFINITY,
  upper = Number.POSITIVE_INFINITY,
}: JointDescription): number {
  return type === 'continuous' ? 0 : Math.min(Math.max(0, lower), upper);
}

function requireJoints(
  description: RobotDescription,
  byName: JointsByName,
  names: readonly string[],
  place: string,
): void {
  const seen = new Set<string>();
  const movable = description.joints.filter((one) => one.type !== 'fixed').map((one) => one.name);
  for (const name of names) {
    const joint = byName.get(name);
    if (!joint)
      throw new InputError(`robot.${place}: "${description.name}" has no joint "${name}"`, suggestion(name, movable));
    if (joint.type === 'fixed')
      throw new InputError(
        `robot.${place}: joint "${name}" is fixed, it does not move`,
        `Joints that move: ${movable.join(', ')}.`,
      );
    if (joint.mimic && place !== 'limits' && place !== 'motors')
      throw new InputError(
        `robot.${place}: joint "${name}" follows "${joint.mimic.joint}" (mimic)`,
        `Name "${joint.mimic.joint}" instead.`,
      );
    if (seen.has(name))
      throw new InputError(`robot.${place}: joint "${name}" is listed twice`, 'Name each joint once.');
    seen.add(name);
  }
}

function requireEmptyLinks(description: RobotDescription, names: readonly string[]): void {
  const linkNamed = new Map(description.links.map((link) => [link.name, link]));
  for (const name of names) {
    const link = linkNamed.get(name);
    if (link === undefined) {
      const names = description.links.map((one) => one.name);
      throw new InputError(`robot.empty: "${description.name}" has no link "${name}"`, suggestion(name, names));
    }
    if (link.collisions.length > 0) {
      throw new InputError(`robot.empty: link "${name}" has collision geometry`, 'List links without any.');
    }
  }
}

function fixedValues(
  description: RobotDescription,
  byName: JointsByName,
  planned: readonly string[],
  given: Readonly<Record<string, number>>,
): Record<string, number> {
  const values: [string, number][] = [];
  const isPlanned = new Set(planned);
  for (const name of independentJoints(description)) {
    if (isPlanned.has(name)) {
      if (Object.hasOwn(given, name))
        throw new InputError(
          `robot.fixed: joint "${name}" is planned, it has no fixed value`,
          'Leave it out of "fixed" or out of "joints".',
        );
      continue;
    }
    values.push([name, ownValue(given, name) ?? restValue(byName.get(name)!)]);
  }
  return Object.fromEntries(values);
}

function plannedJoint(
  joint: JointDescription,
  given: Partial<JointLimits>,
  followers: readonly Follower[],
): Omit<PlannedJoint, 'effort'> {
  const bounded = joint.type !== 'continuous';
  const acceleration = given.acceleration ?? joint.acceleration;
  const own: JointLimits = {
    lower: given.lower ?? (bounded ? (joint.lower ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY),
    upper: given.upper ?? (bounded ? (joint.upper ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY),
    velocity: given.velocity ?? joint.velocity ?? Number.POSITIVE_INFINITY,
    acceleration: acceleration ?? Number.POSITIVE_INFINITY,
    jerk: given.jerk ?? joint.jerk ?? Number.POSITIVE_INFINITY,
  };
  const { limits, narrowedBy, contradictedBy } = limitsWithFollowers(own, followers);
  const assumed = acceleration === undefined ? ASSUMED_ACCELERATION * limits.velocity : Number.POSITIVE_INFINITY;
  return {
    name: joint.name,
    type: joint.type as PlannedJoint['type'],
    limits: { ...limits, acceleration: Math.min(limits.acceleration, assumed) },
    accelerationAssumed: acceleration === undefined,
    ...(narrowedBy.length > 0 && { narrowedBy }),
    ...(contradictedBy.length > 0 && { contradictedBy }),
  };
}

interface SortedLink {
  readonly link: string;
  readonly joint: JointDescription | undefined;
}

/**
 * Links with the joint above each, parents before children: next comes the first joint of the file whose parent is
 * listed.
 */
function parentsFirst({ root, joints, name }: RobotDescription): SortedLink[] {
  const below = new Map<string, number[]>();
  for (const [i, { parent }] of joints.entries()) {
    const known = below.get(parent);
    if (known) known.push(i);
    else below.set(parent, [i]);
  }
  const sorted: SortedLink[] = [{ link: root, joint: undefined }];
  const ready: number[] = []; // indices of joints whose parents are listed, in descending order
  const listed = new Set<number>();
  for (let link = root; ; ) {
    for (const i of (below.get(link) ?? []).reverse()) {
      const place = firstIndex(ready.length, (k) => ready[k] <= i);
      ready.splice(place, 0, i);
    }
    below.delete(link);
    const next = ready.pop();
    if (next === undefined) break;
    listed.add(next);
    link = joints[next].child;
    sorted.push({ link, joint: joints[next] });
  }
  if (sorted.length <= joints.length) {
    const lost = joints.find((_, i) => !listed.has(i))!;
    throw new InputError(
      `robot "${name}": joint "${lost.name}" is not connected to the tree`,
      'Every link except the root must be the child of one joint.',
    );
  }
  return sorted;
}

function createLink(name: string, index: number, parent: number, collisions: readonly CollisionDescription[]): Link {
  return {
    name,
    index,
    parent,
    joint: index - 1, // each link but the root has one joint above it, in the same order
    parts: collisions.map(createPart),
  };
}

function createPart({ shape, pose }: CollisionDescription): CollisionPart {
  return { shape: createShape(shape), T_link_part: transformOfPose(pose) };
}

/** A joint's axis is a unit vector up to this. */
const UNIT = 1e-9;

function createJoint(
  robot: string,
  joint: JointDescription,
  { leader, multiplier, offset }: Leader,
  linkIndices: ReadonlyMap<string, number>,
  variableOf: ReadonlyMap<string, number>,
  values: Readonly<Record<string, number>>,
  motor: JointDrive | undefined,
): Joint {
  const variable = joint.type === 'fixed' ? -1 : (variableOf.get(leader) ?? -1);
  const axis = Float64Array.from(joint.axis);
  if (joint.type !== 'fixed' && !(Math.abs(norm(axis) - 1) <= UNIT))
    throw new InputError(
      `robot "${robot}": the axis of joint "${joint.name}" is [${joint.axis.join(', ')}], which is no unit vector`,
      'All bounds on motions assume one: divide it by its length.',
    );
  const still = joint.type === 'fixed' ? 0 : multiplier * (ownValue(values, leader) ?? 0) + offset;
  return {
    name: joint.name,
    type: joint.type,
    parent: linkIndices.get(joint.parent)!,
    child: linkIndices.get(joint.child)!,
    T_parent_joint: transformOfPose(joint.origin),
    axis,
    variable,
    multiplier: variable < 0 ? 0 : multiplier,
    offset: variable < 0 ? still : offset,
    ...((joint.drive || motor) && { drive: { ...joint.drive, ...motor } }),
  };
}
