import { InputError } from '../../errors.ts';
import { principalFrame } from './flatHull.ts';
import { convexHull, type Hull } from './hull.ts';
import type { MeshDecomposer } from './meshParts.ts';
import { type Face, quickHull } from './quickHull.ts';

/** Minimum of the vertex limit: the number of vertices of a box. */
const MIN_VERTEX_LIMIT = 8;
/**
 * Distance, relative to the size, by which planes are moved outwards, so that rounding of the vertices where they meet
 * leaves no point outside.
 */
const OFFSET = 1e-9;
/**
 * Faces whose normal (twice their area), relative to the squared size, is shorter than this are slivers, whose planes
 * are not used.
 */
const SLIVER = 1e-9;
/** Maximum number of steps towards the nearest point of a hull; each gives an upper bound on the distance. */
const MAX_STEPS = 200;

/** A hull with fewer vertices that contains another one. */
export interface OuterHull {
  readonly hull: Hull;
  /** m³ more than the exact hull has. */
  readonly excess: number;
  /** Upper bound on the distance (m) of its points from the exact hull. */
  readonly maxProtrusion: number;
}

/** n·x <= h: unit normal and offset. */
type Plane = readonly [number, number, number, number];
type Point = readonly [number, number, number];

/**
 * Computes a polytope of at most `most` vertices that contains a hull: starts with the oriented bounding box of the
 * hull and repeatedly cuts it with the plane of the face that a vertex lies farthest outside of. Returns the hull
 * itself if it is small enough, flat, or if cutting fails; the result is checked to contain every vertex of the hull.
 */
export async function simplifyHull(hull: Hull, most: number): Promise<OuterHull> {
  const same = { hull, excess: 0, maxProtrusion: 0 };
  if (most < MIN_VERTEX_LIMIT) throw new InputError(`hulls of ${most} vertices: the minimum is ${MIN_VERTEX_LIMIT}`);
  if (hull.points.length <= most || hull.volume === 0) return same;
  const { points, center, size } = inUnits(hull);
  const faces = quickHull(points);
  const frame = principalFrame(points);
  if (faces === undefined || frame.rank !== 3) return same;
  const candidates = faces.flatMap((face) => planeOf(points, face) ?? []);
  const kept: Plane[] = boxAround(points, frame.u, frame.v);
  let vertices = verticesOf(kept);
  let best = vertices;
  while (vertices !== undefined && vertices.length <= most) {
    best = vertices;
    const next = farthestCut(candidates, vertices);
    if (next === undefined) break;
    kept.push([next[0], next[1], next[2], next[3] + OFFSET]);
    vertices = verticesOf(kept);
  }
  if (best === undefined) return same;
  const outer = await convexHull(best.flatMap((vertex) => vertex.map((x, k) => size * x + center[k])));
  if (outer.points.length > most || outer.points.length >= hull.points.length || !holds(outer, hull)) return same;
  return { hull: outer, excess: outer.volume - hull.volume, maxProtrusion: size * maxDistanceTo(best, points) };
}

/** Accumulates the results of simplifying the hulls of a robot. */
export class HullTally {
  private readonly hulls: OuterHull[] = [];
  private volume = 0;
  private vertices = 0;

  constructor(private readonly most: number) {}

  readonly add = (from: Hull, to: OuterHull): void => {
    this.hulls.push(to);
    this.volume += from.volume;
    this.vertices += from.points.length;
  };

  /** Returns a line for the diagnostics; none if every hull was small enough. */
  report(): string[] {
    const excess = this.hulls.reduce((sum, { excess: more }) => sum + more, 0);
    if (excess === 0) return [];
    const vertices = this.hulls.reduce((sum, { hull }) => sum + hull.points.length, 0);
    const sticksOut = this.hulls.reduce((most, { maxProtrusion: one }) => Math.max(most, one), 0);
    const percent = ((100 * excess) / this.volume).toFixed(1);
    const [from, to] = [this.vertices, vertices].map(String);
    return [
      `hulls of at most ${this.most} vertices: ${from} vertices became ${to}, volume grew by ${percent} %, ` +
        `${(1000 * sticksOut).toFixed(1)} mm maximum excess`,
    ];
  }
}

/** Wraps a method that covers meshes so that each part is simplified; `onHull` is called for every hull. */
export function simplified(
  cover: MeshDecomposer,
  most: number,
  onHull: (from: Hull, to: OuterHull) => void,
): MeshDecomposer {
  return async (triangles) => {
    const parts: Hull[] = [];
    for (const hull of await cover(triangles)) {
      const outer = await simplifyHull(hull, most);
      onHull(hull, outer);
      parts.push(outer.hull);
    }
    return parts;
  };
}

/** Returns the vertices centred at the origin and scaled to size 1. */
function inUnits({ points: vertices }: Hull) {
  const least = [0, 1, 2].map((k) =>
    vertices.reduce((low, vertex) => Math.min(low, vertex[k]), Number.POSITIVE_INFINITY),
  );
  const greatest = [0, 1, 2].map((k) =>
    vertices.reduce((high, vertex) => Math.max(high, vertex[k]), Number.NEGATIVE_INFINITY),
  );
  const size = Math.max(...greatest.map((high, k) => high - least[k]));
  const center = least.map((low, k) => (low + greatest[k]) / 2);
  return { points: Float64Array.from(vertices.flatMap((p) => p.map((x, k) => (x - center[k]) / size))), center, size };
}

function planeOf(points: Float64Array, [a, b, c]: Face): Plane[] | undefined {
  const at = (i: number): Point => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const [p, q, r] = [at(a), at(b), at(c)];
  const n = cross(minus(q, p), minus(r, p));
  const length = Math.sqrt(dot(n, n));
  if (!(length > SLIVER)) return undefined;
  return [throughSupport(points, [n[0] / length, n[1] / length, n[2] / length])];
}

/** Returns the six planes of the oriented bounding box along the principal axes. */
function boxAround(points: Float64Array, u: ArrayLike<number>, v: ArrayLike<number>): Plane[] {
  const [x, y]: Point[] = [
    [u[0], u[1], u[2]],
    [v[0], v[1], v[2]],
  ];
  const sides = [x, y, cross(x, y)].flatMap((n) => [n, [-n[0], -n[1], -n[2]] as const]);
  return sides.map((n) => {
    const [a, b, c, offset] = throughSupport(points, n);
    return [a, b, c, offset + OFFSET];
  });
}

/** Returns the supporting plane with this normal: no point lies beyond it. */
function throughSupport(points: Float64Array, n: Point): Plane {
  let offset = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i += 3)
    offset = Math.max(offset, n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2]);
  return [n[0], n[1], n[2], offset];
}

/**
 * Computes the vertices of the intersection of half-spaces, which has the origin in its interior, by duality: each face
 * of the hull of the points n / h corresponds to a vertex, where its three planes meet. Undefined if the intersection
 * is unbounded.
 */
function verticesOf(planes: readonly Plane[]): Point[] | undefined {
  if (planes.some(([, , , offset]) => !(offset > 0))) return undefined;
  const faces = quickHull(
    Float64Array.from(planes.flatMap(([x, y, z, offset]) => [x / offset, y / offset, z / offset])),
  );
  const vertices: Point[] = [];
  for (const face of faces ?? []) {
    const vertex = meet(planes[face[0]], planes[face[1]], planes[face[2]]);
    if (vertex === undefined) return undefined;
    if (!vertices.some((other) => distanceSquared(other, vertex) < OFFSET * OFFSET)) vertices.push(vertex);
  }
  return vertices.length < 4 ? undefined : vertices;
}

/** Intersects three planes: x = (h₁ n₂ × n₃ + h₂ n₃ × n₁ + h₃ n₁ × n₂) / (n₁ · n₂ × n₃). */
function meet(a: Plane, b: Plane, c: Plane): Point | undefined {
  const [na, nb, nc]: Point[] = [a, b, c].map(([x, y, z]) => [x, y, z]);
  const [bc, ca, ab] = [cross(nb, nc), cross(nc, na), cross(na, nb)];
  const volume = dot(na, bc);
  const vertex = [0, 1, 2].map((k) => (a[3] * bc[k] + b[3] * ca[k] + c[3] * ab[k]) / volume);
  return vertex.every(Number.isFinite) ? [vertex[0], vertex[1], vertex[2]] : undefined;
}

/** Finds the candidate plane that a vertex lies farthest outside of. */
function farthestCut(candidates: readonly Plane[], vertices: readonly Point[]): Plane | undefined {
  let most = 2 * OFFSET;
  let found: Plane | undefined;
  for (const plane of candidates) {
    const [x, y, z, offset] = plane;
    for (const vertex of vertices) {
      const beyond = x * vertex[0] + y * vertex[1] + z * vertex[2] - offset;
      if (beyond <= most) continue;
      most = beyond;
      found = plane;
    }
  }
  return found;
}

/**
 * Checks that no vertex of the inner hull lies outside a face of the outer one; the faces are computed anew from the
 * final vertices.
 */
function holds(outer: Hull, inner: Hull): boolean {
  const { points, center, size } = inUnits(outer);
  const faces = quickHull(points);
  if (faces === undefined) return false;
  const own = inner.points.map((p) => p.map((x, k) => (x - center[k]) / size));
  return faces.every((face) => {
    const [plane] = planeOf(points, face) ?? [];
    return plane === undefined || own.every((p) => plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] <= plane[3]);
  });
}

/**
 * Computes an upper bound on the distance of the farthest vertex from the hull of the points, by steps towards the
 * nearest point; each iterate lies in the hull.
 */
function maxDistanceTo(vertices: readonly Point[], points: Float64Array): number {
  return vertices.reduce((most, vertex) => Math.max(most, distanceTo(vertex, points)), 0);
}

function distanceTo(from: Point, points: Float64Array): number {
  let x: Point = [0, 0, 0];
  for (let step = 0; step < MAX_STEPS; step++) {
    const d = minus(from, x);
    let best = 0;
    for (let i = 3; i < points.length; i += 3) if (reach(points, i, d) > reach(points, best, d)) best = i;
    const direction = minus([points[best], points[best + 1], points[best + 2]], x);
    const share = dot(d, direction) / dot(direction, direction);
    if (!(share > 0)) break;
    const t = Math.min(1, share);
    x = [x[0] + t * direction[0], x[1] + t * direction[1], x[2] + t * direction[2]];
  }
  return Math.sqrt(distanceSquared(from, x));
}

const reach = (points: Float64Array, i: number, d: Point) =>
  points[i] * d[0] + points[i + 1] * d[1] + points[i + 2] * d[2];
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const distanceSquared = (a: Point, b: Point) => dot(minus(a, b), minus(a, b));
