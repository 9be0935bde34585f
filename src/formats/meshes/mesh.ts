/** Triangles of a mesh file. */
export interface Mesh {
  /** Vertices of the triangles, nine coordinates each, metres. Vertices may repeat. */
  readonly points: Float64Array;
  /** Number of triangles. */
  readonly triangles: number;
  /** Warnings about the file: `FILE: what`. */
  readonly warnings: readonly string[];
}
