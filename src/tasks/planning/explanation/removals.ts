import { isSamePair } from '../../../core/scene/clearances.ts';
import { constraintLabel } from '../../../core/scene/constraints.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { PlanMotionStatus } from '../planStats.ts';

/** Result of planning without one obstacle, one attached object, or the check of one pair. */
export interface Removal {
  /** What was left out: an obstacle, an attached object, the check of a pair, or a path constraint. */
  readonly kind: 'obstacle' | 'attached' | 'pair' | 'constraint';
  /** Name of the object or constraint; for a pair, both names. */
  readonly names: readonly string[];
  /** Status of the plan without it. */
  readonly status: PlanMotionStatus;
  /** Number of waypoints of the motion; null if no motion was found. */
  readonly waypoints: number | null;
  /** Length of the path, rad (L2); null if no motion was found. */
  readonly path_length: number | null;
}

/** An object, a pair or a constraint that can be left out. */
export type RemovableObject = Pick<Removal, 'kind' | 'names'>;

/**
 * Returns the objects of these pairs that can be removed, each once: obstacles, then attached objects, then
 * self-collision pairs, then constraints.
 */
export function removableObjects(
  { obstacles, attached, constraints = [] }: Scene,
  pairs: readonly (readonly [string, string])[],
): RemovableObject[] {
  const named = (kind: 'obstacle' | 'attached', objects: readonly { readonly name: string }[]) => {
    const names = new Set(objects.map(({ name }) => name));
    const colliding = new Set(pairs.flat().filter((name) => names.has(name)));
    return [...colliding].map((name): RemovableObject => ({ kind, names: [name] }));
  };
  const obstacleNames = new Set(obstacles.map(({ name }) => name));
  const own = pairs.filter(([a, b]) => !obstacleNames.has(a) && !obstacleNames.has(b));
  const distinct = new Map(own.map((pair) => [pair.join('\n'), pair]));
  return [
    ...named('obstacle', obstacles),
    ...named('attached', attached),
    ...[...distinct.values()].map((pair): RemovableObject => ({ kind: 'pair', names: pair })),
    ...[...new Set(constraints.map(constraintLabel))].map(
      (name): RemovableObject => ({ kind: 'constraint', names: [name] }),
    ),
  ];
}

/** Returns the scene without the object, or with the pair allowed to collide. */
export function withoutObject(scene: Scene, { kind, names }: RemovableObject): Scene {
  if (kind === 'pair') {
    const [a, b] = names as [string, string];
    const clearances = scene.clearances?.filter((one) => !isSamePair(one, { a, b }));
    return { ...scene, allow: [...scene.allow, [a, b]], ...(clearances && { clearances }) };
  }
  if (kind === 'constraint')
    return { ...scene, constraints: scene.constraints?.filter((one) => constraintLabel(one) !== names[0]) ?? [] };
  const isRemoved = (name: string) => name === names[0];
  return {
    ...scene,
    obstacles: scene.obstacles.filter(({ name }) => !isRemoved(name)),
    attached: scene.attached
      .filter(({ name }) => !isRemoved(name))
      .map((attached) => ({ ...attached, touches: attached.touches.filter((name) => !isRemoved(name)) })),
    allow: scene.allow.filter((pair) => !pair.some(isRemoved)),
    ...(scene.clearances && { clearances: scene.clearances.filter(({ a, b }) => !isRemoved(a) && !isRemoved(b)) }),
  };
}

/** Returns `without shelf`, or `with a and b allowed to touch`. */
export const describeObject = ({ kind, names }: RemovableObject) =>
  kind === 'pair' ? `with ${names.join(' and ')} allowed to touch` : `without ${names[0]}`;
