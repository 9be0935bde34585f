import type { Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { combined, load, rotated, store, sub } from './notation.ts';

/**
 * Numbers per vertex of a portal: u, v, t; then the points of A and of B whose difference it is, each relative to the
 * centre of its shape, in the frame of its shape.
 */
export const STRIDE = 9;
export const POINT_A = 3;
export const POINT_B = 6;
/**
 * Rounding error of a cross product of two points in the (u, v) plane, relative to the extent of the pair times that of
 * the points.
 */
export const SIDE_ERROR = 4 * Number.EPSILON;
const SIN_60 = 0.8660254037844386;
/** Vertices (u, v) of an equilateral triangle about the ray. */
const TRIANGLE = Float64Array.of(1, 0, -0.5, SIN_60, -0.5, -SIN_60);

/** A triangle of vertices, at three offsets of an array, and a candidate at a fourth. */
interface PortalTriangle {
  readonly vertices: Float64Array;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly freeSlot: number;
  /** Twice the areas in the (u, v) plane of the triangles between the ray and the edges opposite the vertices. */
  readonly areas: Vec3;
  /** Bound on the coordinates of M, metres: rounding errors are a few machine epsilons of it. */
  readonly extent: number;
}

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
function setInnerVertex(
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

/** Writes the points of those vertices of the first portal whose bit (0 to 2) is set, at the offset of each. */
export function setInnerVertices(
  vertices: Float64Array,
  bits: number,
  first: number,
  second: number,
  third: number,
  axesA: Float64Array,
  axesB: Float64Array,
  a: ConvexShape,
  b: ConvexShape,
): void {
  if ((bits & 1) !== 0) setInnerVertex(vertices, first, 0, axesA, axesB, a, b);
  if ((bits & 2) !== 0) setInnerVertex(vertices, second, 1, axesA, axesB, a, b);
  if ((bits & 4) !== 0) setInnerVertex(vertices, third, 2, axesA, axesB, a, b);
}

/** Computes u, v, t of the vertex at offset `at` from its points. */
export function updateRayCoordinates(
  vertices: Float64Array,
  at: number,
  axesA: Float64Array,
  axesB: Float64Array,
): void {
  const p = load(vertices, at + POINT_A);
  const q = load(vertices, at + POINT_B);
  const ofA = rotated(load(axesA, 0), load(axesA, 3), load(axesA, 6), p);
  store(vertices, at, sub(ofA, rotated(load(axesB, 0), load(axesB, 3), load(axesB, 6), q)));
}

/** Returns true if the vertices at offsets `i` and `j` have equal u, v, t. */
export function areEqual(vertices: Float64Array, i: number, j: number): boolean {
  return vertices[i] === vertices[j] && vertices[i + 1] === vertices[j + 1] && vertices[i + 2] === vertices[j + 2];
}

/**
 * Returns the vertex (1 to 3; 0: none) of a portal that the candidate w at (u, v) in its free slot replaces such that
 * the ray still passes through the triangle: it is left of all three edges. If it lies on an edge, to rounding, two
 * triangles qualify and the larger one is chosen.
 */
export function leavingVertex(portal: PortalTriangle): number {
  const { vertices, areas, first, second, third, freeSlot } = portal;
  const u = vertices[freeSlot];
  const v = vertices[freeSlot + 1];
  const u1 = vertices[first];
  const v1 = vertices[first + 1];
  const u2 = vertices[second];
  const v2 = vertices[second + 1];
  const u3 = vertices[third];
  const v3 = vertices[third + 1];
  const w1 = u1 * (v - v1) - v1 * (u - u1);
  const w2 = u2 * (v - v2) - v2 * (u - u2);
  const w3 = u3 * (v - v3) - v3 * (u - u3);
  const width = Math.abs(u1) + Math.abs(v1) + Math.abs(u2) + Math.abs(v2) + Math.abs(u3) + Math.abs(v3);
  const tolerance = SIDE_ERROR * portal.extent * (width + Math.abs(u) + Math.abs(v));
  let best = 0;
  let area = Number.NEGATIVE_INFINITY;
  if (w2 <= tolerance && w3 >= -tolerance) {
    best = 1;
    area = areas[0] - w2 + w3;
  }
  if (w3 <= tolerance && w1 >= -tolerance && areas[1] - w3 + w1 > area) {
    best = 2;
    area = areas[1] - w3 + w1;
  }
  if (w1 <= tolerance && w2 >= -tolerance && areas[2] - w1 + w2 > area) best = 3;
  return best;
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
  store(out, 0, combined(load(weights), load(vertices, i), load(vertices, j), load(vertices, k)));
}

/** Reads the points of all vertices from a cache, which holds three points of A, then three of B. */
export function loadPoints(vertices: Float64Array, stored: Float64Array): void {
  for (let k = 0; k < 3; k++) loadPointsOf(vertices, k * STRIDE, stored, k);
}

/** Reads the points of vertex k (0 to 2) from a cache. */
export function loadPointsOf(vertices: Float64Array, at: number, stored: Float64Array, k: number): void {
  const from = 3 * k;
  store(vertices, at + POINT_A, load(stored, from));
  store(vertices, at + POINT_B, load(stored, from + 9));
}

/** Writes the points of vertex k (0 to 2) to a cache. */
export function storePointsOf(vertices: Float64Array, at: number, stored: Float64Array, k: number): void {
  const to = 3 * k;
  store(stored, to, load(vertices, at + POINT_A));
  store(stored, to + 9, load(vertices, at + POINT_B));
}
