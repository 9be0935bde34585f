/** Returns the offset of a support vertex along (x, y, z) by exhaustive search. */
export function findSupportVertex(vertices: Float64Array, x: number, y: number, z: number): number {
  let best = 0;
  let maxHeight = vertices[0] * x + vertices[1] * y + vertices[2] * z;
  for (let k = 3; k < vertices.length; k += 3) {
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > maxHeight) {
      maxHeight = along;
      best = k;
    }
  }
  return best;
}
