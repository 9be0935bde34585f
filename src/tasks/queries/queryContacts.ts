import { ContactManifold } from '../../core/dynamics/contactManifold.ts';
import { rotate, transformPoint } from '../../core/math/transform.ts';
import { create } from '../../core/math/vec3.ts';
import type { Separation } from '../../core/narrowphase/solver.ts';
import { isHalfspace } from '../../core/shapes/halfspace.ts';
import type { SpatialPair } from '../../formats/streams/shapePair.ts';

/** A point of the contact patch of a pair, world frame. */
export interface QueryContact {
  /** Point halfway between both surfaces, metres. */
  readonly point: readonly number[];
  /** Gap between both surfaces along the normal, metres; negative: they overlap. */
  readonly gap: number;
}

const manifold = new ContactManifold();

/**
 * Computes the contact patch along the normal of a result in the frame of B: the vertices of the common part of the two
 * features that face each other, projected along it; at most eight. Round rims are polygons of 16 vertices. Returns
 * undefined if the result has no normal. `result` bounds the distance and the depth.
 */
export function contactsOf(
  result: Separation,
  { a, T_world_a, b, T_world_b }: SpatialPair,
): QueryContact[] | undefined {
  if (!result.hasNormal || !result.hasWitnesses) return undefined;
  const normal = create();
  rotate(normal, T_world_b, result.normal);
  const witness = create();
  for (let k = 0; k < 3; k++) witness[k] = (result.witnessA[k] + result.witnessB[k]) / 2;
  transformPoint(witness, T_world_b, witness);
  const gap = result.distance.upper > 0 ? result.distance.lower : -result.depth.upper;
  // The manifold expects a half-space as B.
  const isSwapped = isHalfspace(a);
  const back = normal.map((x) => -x);
  const query = isSwapped
    ? { a: b, T_world_a: T_world_b, b: a, T_world_b: T_world_a, normal: back, gap, witness }
    : { a, T_world_a, b, T_world_b, normal, gap, witness };
  manifold.compute(query, Number.POSITIVE_INFINITY);
  const { count, points, gaps } = manifold;
  return Array.from({ length: count }, (_, i) => ({ point: Array.from(points.slice(3 * i, 3 * i + 3)), gap: gaps[i] }));
}
