import { InputError, suggestion } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { Scene } from './scene.ts';

/**
 * Allowed collision matrix (ACM): pairs of links and objects that are not checked, by name in either order, each with
 * its reason.
 */
export class AllowedPairs {
  private readonly reasons = new Map<string, readonly [string, string, string]>();

  /** Adds a pair. If it exists already, its reason is kept. */
  add(a: string, b: string, reason: string): void {
    const key = keyOf(a, b);
    if (!this.reasons.has(key)) this.reasons.set(key, [a, b, reason]);
  }

  /** Returns true if the pair is allowed to collide. */
  has(a: string, b: string): boolean {
    return this.reasons.has(keyOf(a, b));
  }

  /** Returns [a, b, reason] of each pair in the order they were added. */
  list(): (readonly [string, string, string])[] {
    return [...this.reasons.values()];
  }
}

/** Key of a pair; starts with the length of the first name, because names may contain any character. */
function keyOf(a: string, b: string): string {
  return a < b ? `${a.length} ${a}${b}` : `${b.length} ${b}${a}`;
}

/**
 * Returns the allowed pairs of the robot: adjacent links (links without shapes are skipped), then the disabled pairs of
 * its SRDF.
 */
export function robotAllowedPairs(robot: RobotDescription): AllowedPairs {
  const allowed = new AllowedPairs();
  for (const joint of robot.joints) {
    const above = solidAbove(robot, joint.parent);
    if (above !== undefined && isSolid(robot, joint.child)) allowed.add(above, joint.child, 'Adjacent');
  }
  for (const [a, b, reason] of robot.allowed) allowed.add(a, b, reason);
  return allowed;
}

/**
 * Returns the allowed pairs of robot and scene, including each attached object with its link and touch links. Throws
 * `InputError` for unknown names.
 */
export function allowedPairs(
  robot: RobotDescription,
  scene: Pick<Scene, 'allow' | 'attached' | 'obstacles'>,
): AllowedPairs {
  const allowed = robotAllowedPairs(robot);
  const links = robot.links.map((link) => link.name);
  const names = [
    ...links,
    ...scene.attached.map((object) => object.name),
    ...scene.obstacles.map((object) => object.name),
  ];
  for (const { name, link, touches } of scene.attached) {
    requireName(link, links, `attached "${name}": link`);
    for (const other of touches) requireName(other, names, `attached "${name}": touches`);
    for (const other of [link, solidAbove(robot, link), ...touches])
      if (other !== undefined) allowed.add(name, other, 'Attached');
  }
  for (const [i, [a, b]] of scene.allow.entries()) {
    for (const name of [a, b]) requireName(name, names, `allow[${i}]`);
    allowed.add(a, b, 'Scene');
  }
  return allowed;
}

function requireName(name: string, names: readonly string[], place: string): void {
  if (!names.includes(name)) throw new InputError(`${place}: there is no body "${name}"`, suggestion(name, names));
}

function isSolid(robot: RobotDescription, link: string): boolean {
  return (robot.links.find((one) => one.name === link)?.collisions.length ?? 0) > 0;
}

/** Returns the link itself if it has shapes, otherwise its nearest ancestor with shapes. */
function solidAbove(robot: RobotDescription, link: string): string | undefined {
  for (let name: string | undefined = link; name !== undefined; ) {
    if (isSolid(robot, name)) return name;
    name = robot.joints.find((joint) => joint.child === name)?.parent;
  }
  return undefined;
}
