import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { AllowedPairs, robotAllowedPairs } from '../../core/scene/allowedCollisions.ts';

/** Two links that are not checked although several joints that move are between them. */
export interface DistantNeighbours {
  /** The link nearer to the root, and the one beyond the joints. */
  readonly links: readonly [string, string];
  /** The joints between them that move, from `links[0]` on. */
  readonly joints: readonly string[];
}

/**
 * Returns the pairs of adjacent links between which two or more joints move: all links between them are without
 * collision geometry, so that nothing else prevents their collision. Pairs that the SRDF names are left out.
 */
export function distantNeighbours(robot: RobotDescription): DistantNeighbours[] {
  const jointOf = new Map(robot.joints.map((joint) => [joint.child, joint]));
  const solid = new Set(robot.links.filter(({ collisions }) => collisions.length > 0).map(({ name }) => name));
  const adjacent = new AllowedPairs();
  for (const [a, b, reason] of robotAllowedPairs(robot).list()) if (reason === 'Adjacent') adjacent.add(a, b, reason);
  const named = new AllowedPairs();
  for (const [a, b, reason] of robot.allowed) named.add(a, b, reason);
  const found: DistantNeighbours[] = [];
  for (const link of solid) {
    const joints: string[] = [];
    let above: string | undefined = link;
    do {
      const joint = jointOf.get(above);
      if (joint !== undefined && joint.type !== 'fixed') joints.unshift(joint.name);
      above = joint?.parent;
    } while (above !== undefined && !solid.has(above));
    if (above !== undefined && joints.length > 1 && adjacent.has(above, link) && !named.has(above, link))
      found.push({ links: [above, link], joints });
  }
  return found;
}
