/** A point or vector in space; in the plane z is 0. */
export type Point = readonly [number, number, number];

export const add = (p: Point, q: Point): Point => [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
export const minus = (p: Point, q: Point): Point => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
export const scaled = (p: Point, t: number): Point => [t * p[0], t * p[1], t * p[2]];
export const dot = (p: Point, q: Point): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
export const norm = (p: Point): number => Math.sqrt(dot(p, p));
export const cross = (p: Point, q: Point): Point => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
/** Returns a point of a trace, of two or three numbers. */
export const pointOf = (p: readonly number[]): Point => [p[0], p[1], p[2] ?? 0];

/** The view: the directions to the right, upwards and towards the reader, as unit vectors of the world. */
export interface View {
  readonly right: Point;
  readonly up: Point;
  readonly front: Point;
}

/** The view turned about y by `yaw`, and raised by `pitch`, radians; both 0: x to the right, y upwards. */
export function viewFrom(yaw: number, pitch: number): View {
  const right: Point = [Math.cos(yaw), 0, -Math.sin(yaw)];
  const front: Point = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  return { right, up: cross(front, right), front };
}

/** Points closer than this, metres, count as equal, and as points of one plane. */
const SAME = 1e-9;
const DIRECTIONS = 360;

function farthest(points: readonly Point[], d: Point): Point {
  return points.reduce((best, p) => (dot(p, d) > dot(best, d) ? p : best));
}

/**
 * Returns the outline of convex points, rounded by `radius`, seen along the normal of two unit vectors: the support
 * points along 360 directions of their plane, counterclockwise.
 */
export function outlineOf(points: readonly Point[], right: Point, up: Point, radius = 0): Point[] {
  const outline: Point[] = [];
  for (let k = 0; k < DIRECTIONS; k++) {
    const t = (2 * Math.PI * (k + 0.37)) / DIRECTIONS;
    const d = add(scaled(right, Math.cos(t)), scaled(up, Math.sin(t)));
    const p = add(farthest(points, d), scaled(d, radius));
    const last = outline.at(-1);
    if (last === undefined || norm(minus(p, last)) > SAME) outline.push(p);
  }
  return outline;
}

/** A face of a polytope: its unit outward normal, and its vertices in order. */
export interface Facet {
  readonly normal: Point;
  readonly corners: readonly Point[];
}

/** Returns the faces of the convex hull of a few points; none if they are flat. */
export function facetsOf(points: readonly Point[]): Facet[] {
  const normals: Point[] = [];
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++)
        normals.push(cross(minus(points[j], points[i]), minus(points[k], points[i])));
  return facetsAlong(normals, (n) => extremes(points, n));
}

/** Returns the faces of A ⊖ B: each is a face of A or of −B, or the sum of an edge of each. */
export function differenceFacets(a: readonly Point[], b: readonly Point[]): Facet[] {
  const [facetsA, facetsB] = [facetsOf(a), facetsOf(b)];
  const normals = [...facetsA, ...facetsB].map(({ normal }) => normal);
  const edges = [facetsA, facetsB].map((facets) =>
    facets.flatMap(({ corners }) => corners.map((p, k) => minus(corners[(k + 1) % corners.length], p))),
  );
  for (const e of edges[0]) for (const f of edges[1]) normals.push(cross(e, f));
  return facetsAlong(normals, (n) => {
    const opposite = extremes(b, scaled(n, -1));
    return extremes(a, n).flatMap((p) => opposite.map((q) => minus(p, q)));
  });
}

/** Returns the points that are farthest along a direction, to rounding. */
function extremes(points: readonly Point[], n: Point): Point[] {
  const height = Math.max(...points.map((p) => dot(p, n)));
  return points.filter((p) => dot(p, n) > height - SAME);
}

/** Returns the faces among the sets of points that are farthest along these directions, or against them. */
function facetsAlong(directions: readonly Point[], farthestAlong: (n: Point) => Point[]): Facet[] {
  const facets = new Map<string, Facet>();
  for (const direction of directions) {
    const length = norm(direction);
    if (length < SAME) continue;
    for (const normal of [scaled(direction, 1 / length), scaled(direction, -1 / length)]) {
      const key = normal.map((x) => Math.round(1e5 * x) || 0).join();
      if (facets.has(key)) continue;
      const points = farthestAlong(normal);
      const [u, v] = sidesOf(normal);
      const corners = points.length < 3 ? [] : outlineOf(points, u, v);
      if (corners.length > 2) facets.set(key, { normal, corners });
    }
  }
  return [...facets.values()];
}

/** Returns two unit vectors that are perpendicular to a unit vector n and to each other: u × v = n. */
export function sidesOf(n: Point): readonly [Point, Point] {
  const axis: Point = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = cross(axis, n);
  const unit = scaled(u, 1 / norm(u));
  return [unit, cross(n, unit)];
}

/** Returns the point of the convex hull of at most four points nearest to 0; undefined if there is no point. */
export function nearestToOrigin(points: readonly Point[]): Point | undefined {
  if (points.length > 3 && facetsOf(points).every(({ normal, corners }) => dot(normal, corners[0]) >= 0)) {
    return [0, 0, 0];
  }
  const candidates: Point[] = [...points];
  for (const [i, p] of points.entries()) {
    for (const q of points.slice(i + 1)) {
      const e = minus(q, p);
      const t = -dot(p, e) / dot(e, e);
      if (t > 0 && t < 1) candidates.push(add(p, scaled(e, t)));
    }
  }
  for (let skipped = 0; skipped < points.length; skipped++) {
    const [p, q, r] = points.filter((_, k) => points.length === 3 || k !== skipped);
    if (r === undefined) break;
    const n = cross(minus(q, p), minus(r, p));
    const foot = scaled(n, dot(p, n) / dot(n, n));
    const isInside = [
      [p, q],
      [q, r],
      [r, p],
    ].every(([s, t]) => dot(cross(minus(t, s), minus(foot, s)), n) >= 0);
    if (isInside) candidates.push(foot);
  }
  return candidates.length === 0 ? undefined : candidates.reduce((best, p) => (norm(p) < norm(best) ? p : best));
}
