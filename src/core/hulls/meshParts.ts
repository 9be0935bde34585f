import type { ShapeSpec } from '../shapes/shape.ts';
import { convexHull, type Hull } from './hull.ts';

/** Covers a mesh with convex parts. Triangles in metres, nine numbers each. */
export type MeshDecomposer = (triangles: Float64Array) => Promise<readonly Hull[]>;

/** Method that covers a mesh with convex parts, as scenes name it: its convex hull, or a convex decomposition. */
export type MeshDecomposerName = 'hull' | 'decompose';

/** The methods that cover a mesh, by the name that scenes use. */
export const meshParts: Readonly<Record<MeshDecomposerName, MeshDecomposer>> = {
  hull: async (triangles) => [await convexHull(triangles)],
  async decompose(triangles) {
    const { decompose } = await import('./decomposition.ts'); // loaded on first use
    return (await decompose(triangles)).parts;
  },
};

/** Converts a hull to a collision shape. */
export function convexSpec({ points }: Hull, margin = 0): ShapeSpec {
  return { type: 'convex', points, ...(margin > 0 ? { margin } : {}) };
}
