import type { Hull } from '../../core/hulls/hull.ts';

/** Triangles of a mesh file. */
export interface Mesh {
  /** Vertices of the triangles, nine coordinates each, metres. Vertices may repeat. */
  readonly points: Float64Array;
  /** Number of triangles. */
  readonly triangles: number;
  /** Warnings about the file: `FILE: what`. */
  readonly warnings: readonly string[];
  /**
   * Hulls of the scaled mesh that are known already, by the factors of the scale: `1 1 1`. `length`: the longest side
   * of its bounding box, metres.
   * @internal
   */
  readonly hulls?: ReadonlyMap<string, { readonly hull: Hull; readonly length: number }>;
}
