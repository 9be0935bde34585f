import { InputError } from '../../../errors.ts';
import { create } from '../../math/transform.ts';
import { type Leader, leadersOf } from '../mimics.ts';
import type { Joint, JointDescription, Link, Pose, RobotDescription, RobotModel } from '../robotModel.ts';

/** One robot of a composite robot. */
export interface RobotMember {
  /** The robot, with its pose in the world. */
  readonly model: RobotModel;
  /** Prefix of the names of its links and joints: empty, or the name of the robot and a slash. */
  readonly prefix: string;
}

/**
 * Returns the robot that consists of several robots: its root is a link without geometry at the origin of the world, to
 * which each robot is fixed at its own pose. q contains the planned joints of the members, one member after the other;
 * so do links (after the root) and joints. A pair of links of two members is a self-collision pair. The names of the
 * links must be distinct with their prefixes.
 */
export function compositeRobot(name: string, members: readonly RobotMember[]): RobotModel {
  const description = compositeDescription(name, members);
  const root: Link = { name: description.root, index: 0, parent: -1, joint: -1, parts: [] };
  const links: Link[] = [root];
  const joints: Joint[] = [];
  let dof = 0;
  for (const { model, prefix } of members) {
    const first = links.length;
    joints.push(baseJoint(prefix, first, model));
    for (const joint of model.joints) {
      const variable = joint.variable < 0 ? -1 : joint.variable + dof;
      const [parent, child] = [joint.parent + first, joint.child + first];
      joints.push({ ...joint, name: prefix + joint.name, parent, child, variable });
    }
    for (const link of model.links) {
      // Every link but the root has one joint above it, in the same order.
      const parent = link.parent < 0 ? 0 : link.parent + first;
      links.push({
        ...link,
        name: prefix + link.name,
        index: link.index + first,
        parent,
        joint: link.index + first - 1,
      });
    }
    dof += model.dof;
  }
  return {
    name,
    description,
    dof,
    variables: members.flatMap(({ model, prefix }) =>
      model.variables.map((variable) => ({ ...variable, name: prefix + variable.name })),
    ),
    joints,
    links,
    T_world_root: create(),
    empty: members.flatMap(({ model, prefix }) => model.empty.map((link) => prefix + link)),
    fixed: Object.assign({}, ...members.map(({ model, prefix }) => prefixed(model.fixed, prefix))),
  };
}

/** The fixed joint between the root and the first link of a member. */
function baseJoint(prefix: string, child: number, { T_world_root }: RobotModel): Joint {
  const axis = Float64Array.of(1, 0, 0);
  const still = { variable: -1, multiplier: 0, offset: 0 };
  return { name: prefix + BASE_JOINT, type: 'fixed', parent: 0, child, T_parent_joint: T_world_root, axis, ...still };
}

/**
 * Returns links, adjacency and disabled pairs of the members, from which the allowed collision matrix is made. The
 * origins of the base joints are not stated: the poses of the members are those of their models.
 */
function compositeDescription(name: string, members: readonly RobotMember[]): RobotDescription {
  const links = members.flatMap(({ model, prefix }) =>
    model.description.links.map((link) => ({ ...link, name: prefix + link.name })),
  );
  const taken = new Set(links.map((link) => link.name));
  let root = 'world';
  while (taken.has(root)) root += '_';
  return {
    name,
    root,
    links: [{ name: root, collisions: [] }, ...links],
    joints: members.flatMap(({ model: { description }, prefix }): JointDescription[] => [
      { ...FIXED, name: prefix + BASE_JOINT, parent: root, child: prefix + description.root },
      ...description.joints.map((joint) => prefixedJoint(joint, prefix)),
    ]),
    allowed: members.flatMap(({ model: { description }, prefix }) =>
      description.allowed.map(([a, b, reason]) => [prefix + a, prefix + b, reason] as const),
    ),
    checked: members.flatMap(({ model: { description }, prefix }) =>
      (description.checked ?? []).map(([a, b]) => [prefix + a, prefix + b] as const),
    ),
    states: {},
    groups: {},
    warnings: [],
  };
}

/** Returns a joint whose name, links and mimicked joint have a prefix. */
export function prefixedJoint({ mimic, ...joint }: JointDescription, prefix: string): JointDescription {
  const names = { name: prefix + joint.name, parent: prefix + joint.parent, child: prefix + joint.child };
  return { ...joint, ...names, ...(mimic && { mimic: { ...mimic, joint: prefix + mimic.joint } }) };
}

const prefixed = (values: Readonly<Record<string, number>>, prefix: string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]): [string, number] => [prefix + name, value]));

/** Name of the joint above the first link of a member. */
const BASE_JOINT = 'base of the robot';

const ORIGIN: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
const FIXED = { type: 'fixed', origin: ORIGIN, axis: [1, 0, 0] } as const;

/**
 * Returns a robot whose joints that are not planned have other values; those that follow them (mimic) follow. Throws
 * `InputError` for joints that it does not keep at a value.
 * @param values rad and m by name; joints that are not listed keep their values
 */
export function withKeptJoints(robot: RobotModel, values: Readonly<Record<string, number>>): RobotModel {
  requireKept(robot, Object.keys(values));
  return {
    ...robot,
    fixed: { ...robot.fixed, ...values },
    joints: followed(robot, (joint, { leader, multiplier, offset }) =>
      Object.hasOwn(values, leader) ? { ...joint, offset: multiplier * values[leader] + offset } : joint,
    ),
  };
}

/**
 * Returns a robot in which joints that are not planned are further variables at the end of q. Throws `InputError` for
 * joints that it does not keep at a value.
 * @param ranges smallest and largest value of each joint: rad, m
 */
export function withFurtherJoints(
  robot: RobotModel,
  ranges: ReadonlyMap<string, { readonly lower: number; readonly upper: number }>,
): RobotModel {
  const names = [...ranges.keys()];
  requireKept(robot, names);
  const { description, variables } = robot;
  const further = names.map((name): RobotModel['variables'][number] => ({
    name,
    type: description.joints.find((joint) => joint.name === name)!.type as 'revolute' | 'continuous' | 'prismatic',
    limits: { ...ranges.get(name)!, velocity: UNLIMITED, acceleration: UNLIMITED, jerk: UNLIMITED },
    effort: UNLIMITED,
    accelerationAssumed: false,
  }));
  return {
    ...robot,
    dof: robot.dof + names.length,
    variables: [...variables, ...further],
    fixed: Object.fromEntries(Object.entries(robot.fixed).filter(([name]) => !ranges.has(name))),
    joints: followed(robot, (joint, { leader, multiplier, offset }) =>
      ranges.has(leader) ? { ...joint, variable: robot.dof + names.indexOf(leader), multiplier, offset } : joint,
    ),
  };
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Returns the joints of a robot after a change of those that move, of which the leaders are given. */
function followed(
  { name, description, joints }: RobotModel,
  change: (joint: Joint, leader: Leader) => Joint,
): readonly Joint[] {
  const leaders = leadersOf(name, new Map(description.joints.map((joint) => [joint.name, joint])));
  return joints.map((joint) => (joint.type === 'fixed' ? joint : change(joint, leaders.get(joint.name)!)));
}

function requireKept({ name, fixed }: RobotModel, joints: readonly string[]): void {
  const other = joints.find((joint) => !Object.hasOwn(fixed, joint));
  if (other === undefined) return;
  const kept = Object.keys(fixed).join(', ');
  throw new InputError(
    `robot "${name}": "${other}" is no joint that is kept at a value`,
    kept === '' ? 'It has none: all its joints are planned.' : `Such joints: ${kept}.`,
  );
}
