import type { ConvexShape } from '../shapes/shape.ts';
import { hullFaces } from './quickHull.ts';

/** Faces of a polytope: coplanar triangles are merged to convex polygons. */
export interface FaceList {
  /** Three vertex indices per triangle of the hull, counterclockwise seen from outside. */
  readonly triangles: Int32Array;
  /** Unit outward normal of each polygon: x, y, z. */
  readonly normals: Float64Array;
  /** Vertex indices of each polygon, counterclockwise seen from outside. */
  readonly loops: readonly Int32Array[];
}

/** Largest height of a vertex above the plane of a face, relative to the size, at which it belongs to the face. */
const COPLANAR = 1e-6;
/** Largest number of vertices of a polygon; larger polygons are replaced by an inscribed one. */
const MAX_VERTICES = 24;

/** Computes the faces of the convex hull of points; undefined if the points are flat. */
export function polytopeFaces(points: Float64Array): FaceList | undefined {
  const triangles = hullFaces(points);
  if (triangles === undefined || triangles.length === 0) return undefined;
  const tolerance = COPLANAR * sizeOf(points);
  const neighbors = neighborsOf(triangles);
  const isUsed = new Uint8Array(triangles.length / 3);
  const normals: number[] = [];
  const loops: Int32Array[] = [];
  // Larger triangles first: the planes of slivers are inaccurate.
  for (const f of byArea(points, triangles)) {
    if (isUsed[f] === 1) continue;
    const plane = planeOf(points, triangles, f);
    if (plane === undefined) continue;
    const vertices = flood(points, triangles, neighbors, isUsed, f, plane, tolerance);
    loops.push(loopOf(points, vertices, plane));
    normals.push(plane[0], plane[1], plane[2]);
  }
  return { triangles, normals: Float64Array.from(normals), loops };
}

/** Number of directions per axis of each face of the cube of directions. */
const GRID = 19;

/** Returns the support points of a rounded shape along directions that are symmetric under all sign changes. */
export function roundedVertices(shape: ConvexShape): Float64Array {
  const points: number[] = [];
  const d = new Float64Array(3);
  const p = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0; i < GRID * GRID * 2; i++) {
      const u = (2 * (i % GRID)) / (GRID - 1) - 1;
      const v = (2 * (Math.floor(i / GRID) % GRID)) / (GRID - 1) - 1;
      const side = i < GRID * GRID ? 1 : -1;
      // Directions on the edges of the cube belong to one face only.
      if ((axis > 0 && Math.abs(v) === 1) || (axis > 1 && Math.abs(u) === 1)) continue;
      d[axis] = side;
      d[(axis + 1) % 3] = u;
      d[(axis + 2) % 3] = v;
      const factor = shape.margin / Math.sqrt(1 + u * u + v * v);
      shape.support(p, shape, d, -1);
      points.push(p[0] + factor * d[0], p[1] + factor * d[1], p[2] + factor * d[2]);
    }
  }
  return Float64Array.from(points);
}

function sizeOf(points: Float64Array): number {
  let size = 0;
  for (let i = 3; i < points.length; i++) size = Math.max(size, Math.abs(points[i] - points[i % 3]));
  return size;
}

/** Maps each directed edge to its triangle: the neighbor across an edge has it in the opposite direction. */
function neighborsOf(triangles: Int32Array): Map<string, number> {
  const found = new Map<string, number>();
  for (let t = 0; t < triangles.length; t++) {
    const next = t % 3 === 2 ? t - 2 : t + 1;
    found.set(`${triangles[t]} ${triangles[next]}`, Math.floor(t / 3));
  }
  return found;
}

function byArea(points: Float64Array, triangles: Int32Array): number[] {
  const areas = Array.from({ length: triangles.length / 3 }, (_, f) => crossOf(points, triangles, f)[3]);
  return areas.map((_, f) => f).sort((f, g) => areas[g] - areas[f] || f - g);
}

/** Cross product of two edges of a triangle, and its length. */
function crossOf(points: Float64Array, triangles: Int32Array, f: number): [number, number, number, number] {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * f + k]);
  const u = [0, 1, 2].map((k) => points[b + k] - points[a + k]);
  const v = [0, 1, 2].map((k) => points[c + k] - points[a + k]);
  const [x, y, z] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return [x, y, z, Math.sqrt(x * x + y * y + z * z)];
}

/** Plane of a triangle: unit normal and offset; undefined for a degenerate triangle. */
function planeOf(points: Float64Array, triangles: Int32Array, f: number): number[] | undefined {
  const [x, y, z, length] = crossOf(points, triangles, f);
  if (!(length > 0)) return undefined;
  const n = [x / length, y / length, z / length];
  const a = 3 * triangles[3 * f];
  return [...n, n[0] * points[a] + n[1] * points[a + 1] + n[2] * points[a + 2]];
}

/** Collects the vertices of the triangles that are connected with triangle f within its plane, and marks these. */
function flood(
  points: Float64Array,
  triangles: Int32Array,
  neighbors: ReadonlyMap<string, number>,
  isUsed: Uint8Array,
  f: number,
  plane: readonly number[],
  tolerance: number,
): number[] {
  const isNear = (i: number) => {
    const height = plane[0] * points[3 * i] + plane[1] * points[3 * i + 1] + plane[2] * points[3 * i + 2] - plane[3];
    return Math.abs(height) <= tolerance;
  };
  const vertices = new Set<number>();
  const waiting = [f];
  isUsed[f] = 1;
  for (let g = waiting.pop(); g !== undefined; g = waiting.pop()) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[3 * g + k], triangles[3 * g + ((k + 1) % 3)]];
      vertices.add(from);
      const other = neighbors.get(`${to} ${from}`);
      if (other === undefined || isUsed[other] === 1) continue;
      if (![0, 1, 2].every((c) => isNear(triangles[3 * other + c]))) continue;
      isUsed[other] = 1;
      waiting.push(other);
    }
  }
  return [...vertices];
}

/** Returns the vertices of the convex polygon in order, counterclockwise about the normal (gift wrapping). */
function loopOf(points: Float64Array, vertices: readonly number[], [nx, ny, nz]: readonly number[]): Int32Array {
  const side = (a: number, b: number, c: number) => {
    const [ux, uy, uz] = [0, 1, 2].map((k) => points[3 * b + k] - points[3 * a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => points[3 * c + k] - points[3 * a + k]);
    return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
  };
  const distance = (a: number, b: number) =>
    [0, 1, 2].reduce((sum, k) => sum + Math.abs(points[3 * a + k] - points[3 * b + k]), 0);
  const axis = Math.abs(nx) < 0.6 ? 0 : Math.abs(ny) < 0.6 ? 1 : 2;
  const start = vertices.reduce((best, i) => (points[3 * i + axis] < points[3 * best + axis] ? i : best));
  const loop: number[] = [];
  let at = start;
  do {
    loop.push(at);
    let next = at;
    for (const i of vertices) {
      if (i === at) continue;
      const turn = next === at ? -1 : side(at, next, i);
      if (turn < 0 || (turn === 0 && distance(at, i) > distance(at, next))) next = i;
    }
    at = next;
  } while (at !== start && loop.length < vertices.length);
  if (loop.length <= MAX_VERTICES) return Int32Array.from(loop);
  return Int32Array.from({ length: MAX_VERTICES }, (_, i) => loop[Math.floor((i * loop.length) / MAX_VERTICES)]);
}
