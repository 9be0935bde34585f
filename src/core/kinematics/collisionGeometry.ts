import { InputError } from '../../errors.ts';
import { independentJoints } from './createRobotModel.ts';
import type { JointDescription, RobotDescription, RobotModel } from './robotModel.ts';

/** What is wrong with a robot none of whose links has collision geometry, and how to change it. */
export interface GeometryFault {
  readonly what: string;
  readonly note: string;
}

/**
 * The fault of a robot without any collision geometry, which would count as collision-free in every state; undefined if
 * a link has some, or if every link is listed in `empty`. Attached objects do not count.
 */
export function geometryFault(
  {
    name,
    links,
  }: {
    readonly name: string;
    readonly links: readonly { readonly name: string; readonly collisions: readonly unknown[] }[];
  },
  empty: readonly string[] = [],
): GeometryFault | undefined {
  if (links.some(({ collisions }) => collisions.length > 0)) return undefined;
  const unlisted = links.filter((link) => !empty.includes(link.name)).map((link) => link.name);
  if (unlisted.length === 0) return undefined;
  const rest = empty.length === 0 ? '' : ` (robot.empty does not list ${unlisted.slice(0, 5).join(', ')})`;
  return {
    what: `robot "${name}" has no collision geometry, every state would count as collision-free${rest}`,
    note:
      'Add <collision> elements to its links, or use its visual geometry (robot: {…, geometry: visual}), or list ' +
      'all its links in robot.empty.',
  };
}

/** Returns the warning about a link with visual but without collision geometry. */
export const missingGeometryWarning = (link: string): string =>
  `link "${link}" has visual but no collision geometry: it is not checked for collisions`;

/** Throws InputError if no link of the robot has collision geometry, unless every link is listed in `robot.empty`. */
export function requireCollisionGeometry({ name, links, empty }: RobotModel): void {
  const checked = links.map((link) => ({ name: link.name, collisions: link.parts }));
  const fault = geometryFault({ name, links: checked }, empty);
  if (fault !== undefined) throw new InputError(fault.what, fault.note);
}

/**
 * A warning if planned joints move links, but none of these has collision geometry: no motion can then collide.
 * @param planned default: all joints that move independently
 */
export function geometryWarnings(
  description: RobotDescription,
  planned: readonly string[] = independentJoints(description),
  empty: readonly string[] = [],
): string[] {
  const moving = movingLinks(description, new Set(planned));
  const links = description.links.filter(({ name }) => moving.has(name));
  if (links.some(({ collisions }) => collisions.length > 0)) return [];
  const unlisted = links.filter(({ name }) => !empty.includes(name)).map(({ name }) => name);
  if (unlisted.length === 0) return [];
  const list = `${unlisted.slice(0, 5).join(', ')}${unlisted.length > 5 ? ', …' : ''}`;
  return [
    `robot "${description.name}": no link that a planned joint moves has collision geometry (${list}): only ` +
      'attached objects can collide; use its visual geometry (robot: {…, geometry: visual}), or list these links ' +
      'in robot.empty',
  ];
}

/** Names of the links below a joint whose value follows a planned one. */
function movingLinks({ root, joints }: RobotDescription, planned: ReadonlySet<string>): Set<string> {
  const named = new Map(joints.map((joint) => [joint.name, joint]));
  const moves = (joint: JointDescription): boolean => {
    let leader: JointDescription | undefined = joint;
    for (let steps = 0; leader?.mimic !== undefined && steps <= joints.length; steps++) {
      leader = named.get(leader.mimic.joint);
    }
    return leader !== undefined && leader.type !== 'fixed' && planned.has(leader.name);
  };
  const below = new Map<string, JointDescription[]>();
  for (const joint of joints) {
    const siblings = below.get(joint.parent);
    if (siblings === undefined) below.set(joint.parent, [joint]);
    else siblings.push(joint);
  }
  const moving = new Set<string>();
  const reached = new Set([root]);
  for (const link of reached) {
    for (const joint of below.get(link) ?? []) {
      reached.add(joint.child); // a Set is extended while it is iterated
      if (moving.has(link) || moves(joint)) moving.add(joint.child);
    }
  }
  return moving;
}
