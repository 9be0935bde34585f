/** Triangles of a mesh file. */
export interface Mesh {
  /** Vertices of the triangles in metres: x, y, z each. They may repeat. */
  readonly points: Float64Array;
  readonly triangles: number;
  readonly warnings: readonly string[];
}
