import type { ShapeSpec } from '../shapes/shape.ts';
import { convexHull, type Hull } from './hull.ts';

/** Covers a mesh with convex parts. Triangles in metres, nine numbers each. */
export type MeshParts = (triangles: Float64Array) => Promise<readonly Hull[]>;

/** What `parts` of a robot or of a mesh obstacle may be. */
export type PartsName = 'hull' | 'decompose';

/** The ways to cover a mesh, by the name that scenes give them. */
export const meshParts: Readonly<Record<PartsName, MeshParts>> = {
  hull: async (triangles) => [await convexHull(triangles)],
  async decompose(triangles) {
    const { decompose } = await import('./decomposition.ts'); // seldom needed
    return (await decompose(triangles)).parts;
  },
};

/** A hull as the collision shape that stands for it. */
export function convexSpec({ points, edges }: Hull, margin = 0): ShapeSpec {
  return { type: 'convex', points, ...(edges.length === 0 ? {} : { edges }), ...(margin > 0 ? { margin } : {}) };
}
