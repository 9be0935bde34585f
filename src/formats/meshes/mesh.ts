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

/** Maximum number of triangles of a file; files that place one mesh many times may exceed it and are rejected. */
export const MAX_TRIANGLES = 5_000_000;
