/** The vertices of a tetrahedron, for files. */
export const corners = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 2, 0],
  [0, 0, 3],
];
export const faces = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
];
/** Its triangles, vertex by vertex. */
export const triangles = faces.flatMap((face) => face.flatMap((corner) => corners[corner]));
