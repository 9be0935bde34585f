import { InputError, suggestion } from '../../errors.ts';
import type { JointDescription, RobotDescription } from '../kinematics/robotModel.ts';
import type { Scene } from './scene.ts';

/**
 * Allowed collision matrix (ACM): pairs of links and objects that are not checked, by name in either order, each with
 * its reason.
 */
export class AllowedPairs {
  private readonly reasons = new Map<string, readonly [string, string, string]>();
  private readonly partners = new Map<string, Set<string>>();

  /** Adds a pair. If it exists already, its reason is kept. */
  add(a: string, b: string, reason: string): void {
    const key = keyOf(a, b);
    if (this.reasons.has(key)) return;
    this.reasons.set(key, [a, b, reason]);
    this.addPartner(a, b);
    this.addPartner(b, a);
  }

  /** Returns true if the pair is allowed to collide. */
  has(a: string, b: string): boolean {
    return this.reasons.has(keyOf(a, b));
  }

  /** Returns the names that a link or object may touch; undefined if there are none. */
  partnersOf(name: string): ReadonlySet<string> | undefined {
    return this.partners.get(name);
  }

  /** Returns [a, b, reason] of each pair in the order they were added. */
  list(): (readonly [string, string, string])[] {
    return [...this.reasons.values()];
  }

  private addPartner(name: string, partner: string): void {
    const known = this.partners.get(name);
    if (known) known.add(partner);
    else this.partners.set(name, new Set([partner]));
  }
}

/** Key of a pair; starts with the length of the first name, because names may contain any character. */
function keyOf(a: string, b: string): string {
  return a < b ? `${a.length} ${a}${b}` : `${b.length} ${b}${a}`;
}

/**
 * Returns the allowed pairs of the robot: adjacent links (links without shapes are skipped), except those that it
 * states to be checked, then the disabled pairs of its SRDF.
 */
export function robotAllowedPairs(robot: RobotDescription): AllowedPairs {
  const allowed = new AllowedPairs();
  const solidAbove = solidLinks(robot);
  const checked = new Set(robot.checked?.map(([a, b]) => keyOf(a, b)));
  for (const joint of robot.joints) {
    const above = solidAbove.get(joint.parent);
    const isSolid = solidAbove.get(joint.child) === joint.child;
    if (above === undefined || !isSolid || checked.has(keyOf(above, joint.child))) continue;
    allowed.add(above, joint.child, 'Adjacent');
  }
  for (const [a, b, reason] of robot.allowed) allowed.add(a, b, reason);
  return allowed;
}

/**
 * Returns the allowed pairs of robot and scene, including each attached object with its link and touch links. If its
 * link has no collision geometry, it may touch the nearest link above with collision geometry, unless a joint between
 * them is not fixed. Throws `InputError` for unknown names.
 */
export function allowedPairs(
  robot: RobotDescription,
  scene: Pick<Scene, 'allow' | 'attached' | 'obstacles'>,
): AllowedPairs {
  const allowed = robotAllowedPairs(robot);
  if (scene.attached.length + scene.allow.length === 0) return allowed;
  const rigidAbove = solidLinks(robot, ({ type }) => type === 'fixed');
  const links = new Set(robot.links.map((link) => link.name));
  const names = new Set([...links, ...[...scene.attached, ...scene.obstacles].map((body) => body.name)]);
  for (const { name, link, touches } of scene.attached) {
    requireName(link, links, `attached "${name}": link`);
    for (const other of touches) requireName(other, names, `attached "${name}": touches`);
    for (const other of [link, rigidAbove.get(link)]) if (other !== undefined) allowed.add(name, other, 'attached');
    for (const other of touches) allowed.add(name, other, 'touches');
  }
  for (const [i, [a, b]] of scene.allow.entries()) {
    for (const name of [a, b]) requireName(name, names, `allow[${i}]`);
    allowed.add(a, b, 'allow');
  }
  return allowed;
}

function requireName(name: string, names: ReadonlySet<string>, place: string): void {
  if (!names.has(name))
    throw new InputError(`${place}: there is no link or object "${name}"`, suggestion(name, [...names]));
}

/**
 * Returns for each link the nearest link with collision geometry: itself or an ancestor; undefined if there is none.
 * Linear in the links.
 * @param passes returns true for the joints that are passed from child to parent; default: all
 */
function solidLinks(
  robot: RobotDescription,
  passes: (joint: JointDescription) => boolean = () => true,
): ReadonlyMap<string, string | undefined> {
  const parentOf = new Map(robot.joints.filter(passes).map((joint) => [joint.child, joint.parent]));
  const nearest = new Map<string, string | undefined>();
  for (const { name, collisions } of robot.links) if (collisions.length > 0) nearest.set(name, name);
  for (const { name } of robot.links) {
    const chain: string[] = [];
    let link: string | undefined = name;
    for (; link !== undefined && !nearest.has(link); link = parentOf.get(link)) chain.push(link);
    const solid = link === undefined ? undefined : nearest.get(link);
    for (const between of chain) nearest.set(between, solid);
  }
  return nearest;
}
