import { InputError, suggestion } from '../../../errors.ts';
import { derived } from '../../math/derived.ts';
import { createRobotModel } from '../createRobotModel.ts';
import type { JointDescription, Pose, RobotDescription } from '../robotModel.ts';
import { tipLinks } from '../toolCenterPoint.ts';
import { prefixedJoint } from './compositeRobot.ts';

/** A robot that is mounted on a link of another robot: a gripper, a camera, a tool. */
export interface Mount {
  /** The mounted robot. */
  readonly robot: RobotDescription;
  /** Link that it is fixed to; undefined: the end of the robot, as for the tool center point. */
  readonly link?: string;
  /** Pose of its root in the frame of that link. */
  readonly pose: Pose;
  /** Prefix of the names of its links, joints and groups; may be empty. */
  readonly prefix: string;
}

const mountsOf = derived((_: RobotDescription) =>
  derived((__: RobotDescription) => new Map<string, RobotDescription>()),
);

/**
 * Returns the robot with another one mounted on a link. Links and joints of the mount come after those of the robot;
 * named states of the same name are merged. Pairs of a link of the mount and one of the robot are allowed if only fixed
 * joints connect them, since no motion changes their distance; so are adjacent links, as if both were one file (links
 * without geometry are left out), and the pairs that each allows. All other pairs are checked.
 * Equal arguments return the same object.
 * @throws InputError for an unknown link, an end that is ambiguous, and names that both have
 */
export function withMount(host: RobotDescription, mount: Mount): RobotDescription {
  const { robot, link, pose, prefix } = mount;
  const ofRobot = mountsOf(host)(robot);
  const key = JSON.stringify([link ?? null, pose.xyz, pose.quat_wxyz, prefix]);
  const found = ofRobot.get(key) ?? mounted(host, mount);
  ofRobot.set(key, found);
  return found;
}

function mounted(host: RobotDescription, mount: Mount): RobotDescription {
  const { robot, pose, prefix } = mount;
  const link = mount.link ?? endOf(host);
  const named = (name: string) => prefix + name;
  const names = host.links.map(({ name }) => name);
  if (!names.includes(link)) throw new InputError(`"${host.name}" has no link "${link}"`, suggestion(link, names));
  const links = robot.links.map((one) => ({ ...one, name: named(one.name) }));
  const root = named(robot.root);
  const joint: JointDescription = {
    name: `${root}_mount`,
    type: 'fixed',
    parent: link,
    child: root,
    origin: pose,
    axis,
  };
  const joints = [joint, ...robot.joints.map((one) => prefixedJoint(one, prefix))];
  refuseTaken('link', links, host.links);
  refuseTaken('joint', joints, host.joints);
  const pair = ([a, b]: readonly [string, string]) => [named(a), named(b)] as const;
  const groups = withPrefix(robot.groups, named, (own) => own.map(named));
  const states = withPrefix(robot.states, String, (values) => withPrefix(values, named, Number));
  const groupStates = withPrefix(robot.groupStates ?? {}, named, (own) =>
    withPrefix(own, String, (values) => withPrefix(values, named, Number)),
  );
  const calibration = [host, robot].flatMap((one) => one.calibration ?? []).join(', ');
  return {
    ...host,
    ...(calibration === '' ? {} : { calibration }),
    links: [...host.links, ...links],
    joints: [...host.joints, ...joints],
    allowed: [
      ...host.allowed,
      ...robot.allowed.map(([a, b, reason]) => [...pair([a, b]), reason] as const),
      ...rigidPairs(host, link, links, joints),
    ],
    checked: [...(host.checked ?? []), ...(robot.checked ?? []).map(pair)],
    states: merged(host.states, states),
    groupStates: { ...host.groupStates, ...groupStates },
    groups: { ...host.groups, ...groups },
    endEffectors: [
      ...(host.endEffectors ?? []),
      ...(robot.endEffectors ?? []).map(({ name, group, parentLink }) => ({
        name: named(name),
        group: named(group),
        parentLink: named(parentLink),
      })),
    ],
    passive: [...(host.passive ?? []), ...(robot.passive ?? []).map(named)],
    warnings: [...host.warnings, ...robot.warnings],
  };
}

/** Axis of a fixed joint, which has no meaning. */
const axis = [1, 0, 0] as const;

/** Returns the end of a robot. */
function endOf(robot: RobotDescription): string {
  const model = createRobotModel(robot);
  const ends = tipLinks(model).map((index) => model.links[index].name);
  if (ends.length === 1) return ends[0];
  throw new InputError(`"${robot.name}" has several ends: ${ends.join(', ')}`, 'State the link.');
}

type Named = { readonly name: string };

function refuseTaken(kind: string, added: readonly Named[], own: readonly Named[]): void {
  const taken = new Set(own.map(({ name }) => name));
  const twice = added.find(({ name }) => taken.has(name));
  if (twice === undefined) return;
  throw new InputError(`the robot has a ${kind} "${twice.name}" already`, 'Give a prefix, for example prefix: tool_.');
}

/** Returns the pairs of a link of the mount and one of the robot that only fixed joints connect. */
function rigidPairs(
  host: RobotDescription,
  link: string,
  links: RobotDescription['links'],
  [mount, ...joints]: readonly JointDescription[],
): [string, string, string][] {
  const rigid = (all: RobotDescription['links'], fixed: ReadonlySet<string>) =>
    all.filter(({ name, collisions }) => collisions.length > 0 && fixed.has(name)).map(({ name }) => name);
  const above = rigid(host.links, fixedTo(link, host.joints));
  const own = rigid(links, fixedTo(mount.child, joints));
  return own.flatMap((b) => above.map((a): [string, string, string] => [a, b, 'Rigid']));
}

/** Returns the link and all links that only fixed joints connect to it. */
function fixedTo(link: string, joints: readonly JointDescription[]): Set<string> {
  const found = new Set([link]);
  const neighbors = new Map<string, string[]>();
  for (const { type, parent, child } of joints) {
    if (type !== 'fixed') continue;
    neighbors.set(parent, [...(neighbors.get(parent) ?? []), child]);
    neighbors.set(child, [...(neighbors.get(child) ?? []), parent]);
  }
  for (const one of found) for (const next of neighbors.get(one) ?? []) found.add(next);
  return found;
}

const withPrefix = <T, S>(values: Readonly<Record<string, T>>, named: (name: string) => string, map: (value: T) => S) =>
  Object.fromEntries(Object.entries(values).map(([name, value]): [string, S] => [named(name), map(value)]));

/** Merges the values of named states: those of the same name become one. */
function merged(own: RobotDescription['states'], added: RobotDescription['states']): RobotDescription['states'] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(added)])];
  return Object.fromEntries(names.map((name) => [name, { ...own[name], ...added[name] }]));
}
