import { convexHull } from '../../core/hulls/hull.ts';
import { cos, PI, sin } from '../../core/math/trigonometry.ts';
import type { ConvexShape } from '../../core/shapes/shape.ts';

/**
 * A convex body as flat faces, for drawing: vertices as indices into `points`, counterclockwise from outside, with unit
 * normals.
 */
export interface Facets {
  /** x, y, z each, in the shape's frame. */
  readonly points: Float64Array;
  readonly faces: readonly Face[];
}

export interface Face {
  readonly vertices: readonly number[];
  readonly normal: readonly [number, number, number];
}

/** Hulls of more vertices are drawn from samples of their support function: the difference is not visible. */
const MAX_VERTICES = 160;

/** Relative to the size of the body: vertices nearer to the plane of a face lie in it. */
const FLATNESS = 1e-7;

/**
 * Computes the faces of any convex shape except half-spaces: polytopes exactly, round shapes by support points of a
 * grid of directions about z, the axis of all shapes that have one, so that a cylinder becomes a prism and a capsule
 * has rings.
 * @param around number of directions about the axis; half as many from pole to pole
 */
export async function facetsOf(shape: ConvexShape, around: number): Promise<Facets> {
  const exact = shape.margin === 0 && shape.vertices.length > 0 && shape.vertices.length <= 3 * MAX_VERTICES;
  const hull = await convexHull(exact ? shape.vertices : supportPoints(shape, around));
  const solid = hull.edges.length > 0 ? hull : await convexHull(boxVertices(shape.bounds));
  const points = Float64Array.from(solid.points.flat());
  return { points, faces: facesOf(points, solid.edges) };
}

/**
 * Computes support points of a body in directions spread evenly about z, half as many from pole to pole: x, y, z each.
 */
export function supportPoints(shape: ConvexShape, around: number): Float64Array {
  const rows = around >> 1;
  const points = new Float64Array(3 * around * rows);
  const direction = new Float64Array(3);
  const point = new Float64Array(3);
  for (let row = 0, k = 0; row < rows; row++) {
    const height = -PI / 2 + ((row + 0.5) * PI) / rows;
    for (let twiceSignedArea = 0; twiceSignedArea < around; twiceSignedArea++, k += 3) {
      const angle = ((twiceSignedArea + 0.5) * 2 * PI) / around;
      direction[0] = cos(height) * cos(angle);
      direction[1] = cos(height) * sin(angle);
      direction[2] = sin(height);
      shape.support(point, shape, direction, -1);
      for (let i = 0; i < 3; i++) points[k + i] = point[i] + shape.margin * direction[i];
    }
  }
  return points;
}

/**
 * Returns the vertices of the bounding box of a body that is flat, or whose hull failed its check; slightly thickened
 * so that it has faces.
 */
function boxVertices(bounds: Float64Array): Float64Array {
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const thick = 1e-3 * (size > 0 ? size : 1);
  const side = (axis: number, upper: boolean) => bounds[axis + (upper ? 3 : 0)] + (upper ? thick : -thick);
  return Float64Array.from(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [0, 1, 2].map((axis) => side(axis, ((c >> axis) & 1) === 1))),
  );
}

/**
 * Computes the faces from the edges of a hull: each cycle of three edges with all vertices behind it spans the plane of
 * a face.
 */
function facesOf(points: Float64Array, edges: readonly (readonly [number, number])[]): Face[] {
  const count = points.length / 3;
  const above: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (const [a, b] of edges) above[Math.min(a, b)].add(Math.max(a, b));
  const tolerance = FLATNESS * sizeOf(points);
  const found: (Face & { readonly members: ReadonlySet<number> })[] = [];
  for (let a = 0; a < count; a++) {
    for (const b of above[a]) {
      for (const c of above[b]) {
        if (!above[a].has(c)) continue;
        const normal = outwardNormal(points, a, b, c, tolerance);
        if (normal === undefined || found.some(({ members }) => [a, b, c].every((i) => members.has(i)))) continue;
        const members = membersOf(points, a, normal, tolerance);
        const corners = outline(points, members, normal);
        if (corners.length > 2) found.push({ vertices: corners, normal, members: new Set(members) });
      }
    }
  }
  return found.map(({ vertices, normal }) => ({ vertices, normal }));
}

type Triple = readonly [number, number, number];

/**
 * Computes the outward normal of three vertices; undefined if they are collinear, or if there are vertices on both
 * sides of their plane.
 */
function outwardNormal(p: Float64Array, a: number, b: number, c: number, tolerance: number): Triple | undefined {
  const u: Triple = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
  const v: Triple = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
  const n = cross(u, v);
  const length = Math.sqrt(dot(n, n));
  if (length <= tolerance * tolerance) return undefined;
  const unit: Triple = [n[0] / length, n[1] / length, n[2] / length];
  let minHeight = 0;
  let maxHeight = 0;
  for (let i = 0; i < p.length / 3; i++) {
    const height = heightOver(p, i, a, unit);
    minHeight = Math.min(minHeight, height);
    maxHeight = Math.max(maxHeight, height);
  }
  if (maxHeight <= tolerance) return unit;
  return minHeight >= -tolerance ? [-unit[0], -unit[1], -unit[2]] : undefined;
}

function membersOf(points: Float64Array, a: number, normal: Triple, tolerance: number): number[] {
  const members: number[] = [];
  for (let i = 0; i < points.length / 3; i++) if (heightOver(points, i, a, normal) >= -tolerance) members.push(i);
  return members;
}

/** Computes the vertices of the hull of a planar set, counterclockwise about its normal (Andrew's monotone chain). */
function outline(points: Float64Array, members: readonly number[], normal: Triple): number[] {
  const across = cross(Math.abs(normal[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], normal);
  const up = cross(normal, across);
  const at = (i: number): Triple => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const flat = members.map((i) => ({ i, x: dot(across, at(i)), y: dot(up, at(i)) }));
  return planarHull(flat).map(({ i }) => i);
}

/** Computes the convex hull of points in a plane, counterclockwise; points on its edges are left out. */
export function planarHull<P extends { readonly x: number; readonly y: number }>(points: readonly P[]): P[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (list: readonly P[]): P[] => {
    const kept: P[] = [];
    for (const p of list) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain([...sorted].reverse())];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

function sizeOf(points: Float64Array): number {
  let size = 0;
  for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i] - points[i % 3]));
  return size;
}

const heightOver = (p: Float64Array, i: number, a: number, n: Triple): number =>
  n[0] * (p[3 * i] - p[3 * a]) + n[1] * (p[3 * i + 1] - p[3 * a + 1]) + n[2] * (p[3 * i + 2] - p[3 * a + 2]);

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
