import type { Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

/**
 * Numbers per vertex of a portal: u, v, t; then the points of A and of B whose difference it is, each relative to the
 * centre of its shape, in the frame of its shape.
 */
export const STRIDE = 9;
export const POINT_A = 3;
export const POINT_B = 6;
const SIN_60 = 0.8660254037844386;
/** Vertices (u, v) of an equilateral triangle about the ray. */
const TRIANGLE = Float64Array.of(1, 0, -0.5, SIN_60, -0.5, -SIN_60);

/**
 * Writes the first portal: an equilateral triangle orthogonal to the ray, its vertices on the inner spheres of A and B.
 * Axes as of `fillAxes`. `areas` receives twice the areas of the triangles between the ray and the edges.
 */
export function setInnerTriangle(
  vertices: Float64Array,
  areas: Float64Array,
  axesA: Float64Array,
  axesB: Float64Array,
  a: ConvexShape,
  b: ConvexShape,
): void {
  for (let k = 0; k < 3; k++) {
    const at = k * STRIDE;
    setInnerVertex(vertices, at, k, axesA, axesB, a, b);
    vertices[at] = (a.innerRadius + b.innerRadius) * TRIANGLE[2 * k];
    vertices[at + 1] = (a.innerRadius + b.innerRadius) * TRIANGLE[2 * k + 1];
    vertices[at + 2] = 0;
    areas[k] = SIN_60 * (a.innerRadius + b.innerRadius) * (a.innerRadius + b.innerRadius);
  }
}

/** Writes the points of vertex k (0 to 2) of the first portal at offset `at`. */
export function setInnerVertex(
  vertices: Float64Array,
  at: number,
  k: number,
  axesA: Float64Array,
  axesB: Float64Array,
  a: ConvexShape,
  b: ConvexShape,
): void {
  const u = TRIANGLE[2 * k];
  const v = TRIANGLE[2 * k + 1];
  for (let i = 0; i < 3; i++) {
    vertices[at + POINT_A + i] = a.innerRadius * (u * axesA[i] + v * axesA[3 + i]);
    vertices[at + POINT_B + i] = -b.innerRadius * (u * axesB[i] + v * axesB[3 + i]);
  }
}

/** Computes u, v, t of the vertex at offset `at` from its points. */
export function updateRayCoordinates(
  vertices: Float64Array,
  at: number,
  axesA: Float64Array,
  axesB: Float64Array,
): void {
  const a = at + POINT_A;
  const b = at + POINT_B;
  const px = vertices[a],
    py = vertices[a + 1],
    pz = vertices[a + 2];
  const qx = vertices[b],
    qy = vertices[b + 1],
    qz = vertices[b + 2];
  for (let i = 0; i < 3; i++) {
    const j = 3 * i;
    vertices[at + i] =
      axesA[j] * px + axesA[j + 1] * py + axesA[j + 2] * pz - (axesB[j] * qx + axesB[j + 1] * qy + axesB[j + 2] * qz);
  }
}

/** Returns true if the vertices at offsets `i` and `j` have equal u, v, t. */
export function areEqual(vertices: Float64Array, i: number, j: number): boolean {
  return vertices[i] === vertices[j] && vertices[i + 1] === vertices[j + 1] && vertices[i + 2] === vertices[j + 2];
}

/** Computes the weighted sum of the three points at offsets i, j and k of `vertices`. */
export function interpolatePoints(
  out: Vec3,
  vertices: Float64Array,
  weights: Vec3,
  i: number,
  j: number,
  k: number,
): void {
  for (let axis = 0; axis < 3; axis++)
    out[axis] = weights[0] * vertices[i + axis] + weights[1] * vertices[j + axis] + weights[2] * vertices[k + axis];
}

/** Reads the points of vertex k (0 to 2) from a cache, which holds three points of A, then three of B. */
export function loadPoints(vertices: Float64Array, at: number, stored: Float64Array, k: number): void {
  for (let i = 0; i < 3; i++) {
    vertices[at + POINT_A + i] = stored[3 * k + i];
    vertices[at + POINT_B + i] = stored[9 + 3 * k + i];
  }
}

/** Writes the points of vertex k (0 to 2) to a cache. */
export function storePoints(vertices: Float64Array, at: number, stored: Float64Array, k: number): void {
  for (let i = 0; i < 3; i++) {
    stored[3 * k + i] = vertices[at + POINT_A + i];
    stored[9 + 3 * k + i] = vertices[at + POINT_B + i];
  }
}
