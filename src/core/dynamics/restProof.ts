import { create as createTransform, relative } from '../math/transform.ts';
import { create } from '../math/vec3.ts';
import { createDepthSolver, createDistanceSolver } from '../narrowphase/index.ts';
import { PairCache, Separation } from '../narrowphase/solver.ts';
import type { BodyWorld } from './bodyWorld.ts';
import { contactFinders } from './contactFinder.ts';
import type { Collider } from './contactPair.ts';

/**
 * Largest overlap of a pair at rest, metres, and largest distance of a body from what it touches: of bodies with half
 * extents of a millimetre or more.
 */
export const CONTACT_TOLERANCE = 1e-4;
/** The same relative to half of the smallest extent of the smallest body. */
const RELATIVE_TOLERANCE = 0.1;

/** Returns the tolerance of the contacts of a world, metres. */
export const contactTolerance = ({ size }: Pick<BodyWorld, 'size'>): number =>
  Math.min(CONTACT_TOLERANCE, RELATIVE_TOLERANCE * size);

/** Properties of the contacts of a world that the narrow phase proves. */
export interface ContactProof {
  /** Upper bound of the penetration depth of all pairs, metres. */
  readonly depth: number;
  /** Pairs of bodies whose depth may exceed the tolerance: indices of free bodies, −1 − i for the fixed part i. */
  readonly overlapping: readonly (readonly [number, number])[];
  /** Indices of the free bodies that are not proved to touch anything. */
  readonly floating: readonly number[];
}

/**
 * Proves with minimum distance (GJK) and penetration depth (EPA), from cold starts, which pairs overlap by at most the
 * tolerance and which bodies touch something within it. If EPA does not converge, the overlap of the support planes
 * along the normal of the growth distance bounds the depth: a translation by it separates the pair.
 */
export function proveContacts(world: BodyWorld, tolerance = contactTolerance(world)): ContactProof {
  const distance = createDistanceSolver();
  const depth = createDepthSolver();
  const out = new Separation();
  const T_b_a = createTransform();
  const index = new Map(world.bodies.map((body, i) => [body, i]));
  const isTouching = new Uint8Array(world.bodies.length);
  const overlapping: [number, number][] = [];
  let deepest = 0;
  for (const { a, b, fixedIndex } of world.nearPairs(tolerance)) {
    relative(T_b_a, b.T_world, a.T_world);
    distance.distance(out, a.shape, T_b_a, b.shape, Number.POSITIVE_INFINITY, new PairCache());
    const i = index.get(a.body!)!;
    const j = b.body === undefined ? -1 - fixedIndex : index.get(b.body)!;
    if (out.status === 'separated') {
      if (!(out.distance.upper <= tolerance)) continue;
    } else {
      depth.depth(out, a.shape, T_b_a, b.shape);
      // EPA may stop early on smooth shapes; an overlap along any direction is an upper bound, too.
      const bound = out.depth.upper <= tolerance ? out.depth.upper : Math.min(out.depth.upper, overlapOf(a, b));
      deepest = Math.max(deepest, bound);
      if (!(bound <= tolerance)) overlapping.push([i, j]);
    }
    isTouching[i] = 1;
    if (j >= 0) isTouching[j] = 1;
  }
  const floating = world.bodies.flatMap((_, i) => (isTouching[i] === 1 ? [] : [i]));
  return { depth: deepest, overlapping, floating };
}

/** Overlap of the support planes along the normal of the growth distance, metres; Infinity if there is none. */
function overlapOf(a: Collider, b: Collider): number {
  const query = {
    a: a.shape,
    T_world_a: a.T_world,
    b: b.shape,
    T_world_b: b.T_world,
    normal: create(),
    gap: Number.NEGATIVE_INFINITY,
    witness: create(),
  };
  contactFinders['growth-distance'].create().find(query, Number.POSITIVE_INFINITY, new PairCache());
  return Math.max(0, -query.gap);
}
