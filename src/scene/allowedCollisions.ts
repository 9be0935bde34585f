import { InputError, suggestion } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { Scene } from './scene.ts';

/** Pairs of bodies that may touch, by name and in either order, each with its reason. */
export class AllowedPairs {
  private readonly reasons = new Map<string, readonly [string, string, string]>();
  private readonly partners = new Map<string, Set<string>>();

  /** The first reason given for a pair stays. */
  add(a: string, b: string, reason: string): void {
    const key = keyOf(a, b);
    if (this.reasons.has(key)) return;
    this.reasons.set(key, [a, b, reason]);
    this.addPartner(a, b);
    this.addPartner(b, a);
  }

  has(a: string, b: string): boolean {
    return this.reasons.has(keyOf(a, b));
  }

  /** The names that a body may touch; undefined if there are none. */
  partnersOf(name: string): ReadonlySet<string> | undefined {
    return this.partners.get(name);
  }

  /** [a, b, reason] in the order they were added. */
  list(): (readonly [string, string, string])[] {
    return [...this.reasons.values()];
  }

  private addPartner(name: string, partner: string): void {
    const known = this.partners.get(name);
    if (known) known.add(partner);
    else this.partners.set(name, new Set([partner]));
  }
}

/** With the length of the first, for names may hold anything. */
function keyOf(a: string, b: string): string {
  return a < b ? `${a.length} ${a}${b}` : `${b.length} ${b}${a}`;
}

/** Of the robot alone: links next to each other (those without shapes left out), then the pairs of its SRDF. */
export function robotAllowedPairs(robot: RobotDescription): AllowedPairs {
  const allowed = new AllowedPairs();
  const solidAbove = solidLinks(robot);
  for (const joint of robot.joints) {
    const above = solidAbove.get(joint.parent);
    const isSolid = solidAbove.get(joint.child) === joint.child;
    if (above !== undefined && isSolid) allowed.add(above, joint.child, 'Adjacent');
  }
  for (const [a, b, reason] of robot.allowed) allowed.add(a, b, reason);
  return allowed;
}

/** The robot's, the scene's own, and each carried body with its link and what it touches. Throws InputError for unknown names. */
export function allowedPairs(
  robot: RobotDescription,
  scene: Pick<Scene, 'allow' | 'attached' | 'obstacles'>,
): AllowedPairs {
  const allowed = robotAllowedPairs(robot);
  const solidAbove = solidLinks(robot);
  const links = new Set(robot.links.map((link) => link.name));
  const names = new Set([...links, ...[...scene.attached, ...scene.obstacles].map((body) => body.name)]);
  for (const { name, link, touches } of scene.attached) {
    requireName(link, links, `attached "${name}": link`);
    for (const other of touches) requireName(other, names, `attached "${name}": touches`);
    for (const other of [link, solidAbove.get(link), ...touches])
      if (other !== undefined) allowed.add(name, other, 'Attached');
  }
  for (const [i, [a, b]] of scene.allow.entries()) {
    for (const name of [a, b]) requireName(name, names, `allow[${i}]`);
    allowed.add(a, b, 'Scene');
  }
  return allowed;
}

function requireName(name: string, names: ReadonlySet<string>, place: string): void {
  if (!names.has(name)) throw new InputError(`${place}: there is no body "${name}"`, suggestion(name, [...names]));
}

/** For each link the nearest link with collision geometry: itself or one above it; undefined if there is none. Linear in the links. */
function solidLinks(robot: RobotDescription): ReadonlyMap<string, string | undefined> {
  const parentOf = new Map(robot.joints.map((joint) => [joint.child, joint.parent]));
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
