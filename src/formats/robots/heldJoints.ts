import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import type { LinkDraft } from './urdfDocument.ts';

/** A joint of the tree. */
type TreeJoint = Pick<JointDescription, 'type' | 'parent' | 'child'>;

/** Returns links with all links below them. */
function linksBelow(links: readonly string[], joints: readonly TreeJoint[]): ReadonlySet<string> {
  const childrenOf = new Map<string, string[]>();
  for (const { parent, child } of joints) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), child]);
  const below = new Set(links);
  for (const one of below) for (const child of childrenOf.get(one) ?? []) below.add(child);
  return below;
}

/** Returns true if a joint that moves is below a link. */
export function movesBelow(link: string, joints: readonly TreeJoint[]): boolean {
  const below = linksBelow([link], joints);
  return joints.some(({ type, parent }) => type !== 'fixed' && below.has(parent));
}

/**
 * Returns the pairs of loose bodies, fixed at their stated poses, and the links that no joint moves either: motions
 * change none of their distances, and an object touches what it rests on. Bodies with joints below are not loose.
 */
export function restingPairs(
  bodies: readonly string[],
  links: readonly LinkDraft[],
  joints: readonly TreeJoint[],
): [string, string, string][] {
  const objects = bodies.filter((body) => !movesBelow(body, joints));
  if (objects.length === 0) return [];
  const loose = linksBelow(objects, joints);
  const turning = joints.flatMap(({ type, child }) => (type === 'fixed' ? [] : [child]));
  const moved = linksBelow(turning, joints);
  const still = links.flatMap(({ name, collisions }) => (collisions.length > 0 && !moved.has(name) ? [name] : []));
  return still.flatMap((a, i) =>
    still
      .slice(i + 1)
      .filter((b) => loose.has(a) || loose.has(b))
      .map((b): [string, string, string] => [a, b, 'Rigid']),
  );
}

/**
 * Returns the warning about a joint of several degrees of freedom (planar, floating, free) that is fixed: what the
 * robot stands on, which `base` of a scene moves, or a loose object.
 * @param link the link that it moves
 */
export function heldJointWarning(
  type: 'planar' | 'floating' | 'free',
  link: string,
  links: readonly LinkDraft[],
  joints: readonly TreeJoint[],
): string {
  const what = type === 'free' ? 'it moves freely' : `a ${type} joint moves link "${link}"`;
  if (!movesBelow(link, joints)) return `${what}: it is fixed at its stated pose, and checked like an obstacle`;
  const below = linksBelow([link], joints);
  const other = links.find(({ name, collisions }) => collisions.length > 0 && !below.has(name));
  const also = other === undefined ? '' : `, together with link "${other.name}"`;
  const base = type === 'planar' ? 'planar' : 'floating';
  return `${what}: it is fixed at its stated pose; \`base: {type: ${base}}\` of the robot in a scene moves it${also}`;
}
