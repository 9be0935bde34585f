import { InputError } from '../../../errors.ts';
import { derived } from '../../math/derived.ts';
import { PI } from '../../math/trigonometry.ts';
import type { JointDescription, LinkDescription, RobotDescription } from '../robotModel.ts';

/** Interval of joint values: rad or m. */
export type JointRange = readonly [lower: number, upper: number];

/**
 * How a robot moves as a whole, relative to its pose in the scene: along a rail, on a plane, or freely. Ranges are of
 * the position along an axis in metres, and of `theta` in radians; without one, the motion is unlimited.
 */
export type RobotBase =
  | { readonly type: 'rail'; readonly axis: readonly [number, number, number]; readonly range?: JointRange }
  | { readonly type: 'planar'; readonly x?: JointRange; readonly y?: JointRange; readonly theta?: JointRange }
  | { readonly type: 'floating'; readonly x?: JointRange; readonly y?: JointRange; readonly z?: JointRange };

/** A joint of a base: what it is called, and how it moves. */
type BaseJoint = Pick<JointDescription, 'name' | 'type' | 'axis' | 'lower' | 'upper'>;

const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

const onBases = derived((_: RobotDescription) => new Map<string, RobotDescription>());

/**
 * Returns the robot with the joints of a base before its root, first in the order of joints and of each group:
 * `base_rail`; or `base_x`, `base_y`, `base_theta`; or `base_x`, `base_y`, `base_z`, `base_yaw`, `base_pitch`,
 * `base_roll`. The links between them have no geometry; the first, `base_origin`, stands at the pose of the robot.
 * Equal arguments return the same object.
 * @throws InputError if the robot has links or joints of these names, or a plane, which would move with it
 */
export function withBase(robot: RobotDescription, base: RobotBase): RobotDescription {
  const known = onBases(robot);
  const key = JSON.stringify(base);
  const found = known.get(key);
  if (found !== undefined) return found;
  const result = described(robot, baseJoints(base));
  known.set(key, result);
  return result;
}

function described(robot: RobotDescription, base: readonly BaseJoint[]): RobotDescription {
  const names = base.map(({ name }) => name);
  const links = ['base_origin', ...names.slice(0, -1).map((name) => `${name}_link`), robot.root];
  const joints = base.map((joint, i) => ({ ...joint, origin: ORIGIN, parent: links[i], child: links[i + 1] }));
  const added = links.slice(0, -1).map((name): LinkDescription => ({ name, collisions: [] }));
  const floor = robot.links.find(({ collisions }) => collisions.some(({ shape }) => shape.type === 'halfspace'));
  if (floor !== undefined)
    throw new InputError(
      `robot.base: link "${floor.name}" of "${robot.name}" has a plane, which would move with the base`,
      'Take the plane out of the robot file, and make it an obstacle of type halfspace.',
    );
  refuseTaken(robot, 'link', added, robot.links);
  refuseTaken(robot, 'joint', joints, robot.joints);
  return {
    ...robot,
    root: links[0],
    links: [...added, ...robot.links],
    joints: [...joints, ...robot.joints],
    groups: Object.fromEntries(Object.entries(robot.groups).map(([name, own]) => [name, [...names, ...own]])),
  };
}

/**
 * Returns a warning about the joints of a base that are neither planned nor fixed by the scene, because `joints` lists
 * others: the robot would not move as a whole.
 */
export function baseMessages(
  name: string,
  { base, joints, fixed }: { base?: RobotBase; joints?: readonly string[]; fixed: Readonly<Record<string, number>> },
): string[] {
  if (base === undefined || joints === undefined) return [];
  const open = baseJoints(base).filter((joint) => !joints.includes(joint.name) && !Object.hasOwn(fixed, joint.name));
  if (open.length === 0) return [];
  const kept = open.map((joint) => `${joint.name} at ${nearestToZero(joint)}`).join(', ');
  return [`robot "${name}": its base stays with ${kept}: robot.joints does not list them`];
}

/** Returns the value at which a joint stays that is neither planned nor fixed. */
const nearestToZero = ({ lower = 0, upper = 0 }: BaseJoint) => Math.max(lower, Math.min(upper, 0));

type Named = { readonly name: string };

function refuseTaken(robot: RobotDescription, kind: string, added: readonly Named[], own: readonly Named[]): void {
  const taken = added.find(({ name }) => own.some((one) => one.name === name));
  if (taken === undefined) return;
  const what = `robot.base: "${robot.name}" has a ${kind} "${taken.name}" already`;
  throw new InputError(what, 'Leave base out if the robot has such joints, or rename them.');
}

function baseJoints(base: RobotBase): BaseJoint[] {
  if (base.type === 'rail') return [slide('base_rail', unit(base.axis), base.range)];
  const plane = [slide('base_x', X, base.x), slide('base_y', Y, base.y)];
  if (base.type === 'planar') return [...plane, turn('base_theta', Z, base.theta)];
  return [
    ...plane,
    slide('base_z', Z, base.z),
    turn('base_yaw', Z),
    turn('base_pitch', Y, [-PI / 2, PI / 2]),
    turn('base_roll', X),
  ];
}

const slide = (name: string, axis: JointDescription['axis'], range?: JointRange): BaseJoint => ({
  name,
  type: 'prismatic',
  axis,
  ...limitsOf(range),
});

const turn = (name: string, axis: JointDescription['axis'], range?: JointRange): BaseJoint => ({
  name,
  type: range === undefined ? 'continuous' : 'revolute',
  axis,
  ...limitsOf(range),
});

const limitsOf = (range: JointRange | undefined) => (range === undefined ? {} : { lower: range[0], upper: range[1] });

function unit([x, y, z]: readonly [number, number, number]): [number, number, number] {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const [a, b, c] = [x / size, y / size, z / size];
  const norm = Math.sqrt(a * a + b * b + c * c);
  return [a / norm, b / norm, c / norm];
}

const ORIGIN = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
