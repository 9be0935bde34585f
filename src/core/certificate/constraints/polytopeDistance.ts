import { cross, dot, norm, sub, type Vec3, create as vec3 } from '../../math/vec3.ts';

/** A half-space n · x <= offset that contains a polytope, and the polygon in which its plane meets the polytope. */
interface Face {
  readonly n: Vec3;
  readonly offset: number;
  /** Counterclockwise about n; fewer than three points if the plane is redundant. */
  readonly polygon: readonly Vec3[];
}

/** All relative to the size of the polytope. Planes through three points beyond which no other is farther are faces. */
const SUPPORTING = 1e-9;
/** Points this close to a plane are vertices of its polygon. */
const ON_PLANE = 1e-11;
/** A polytope that is thinner counts as flat. */
const FLAT = 1e-7;
/** Three points are on a line if the sine between them is smaller; planes are equal if their normals differ by less. */
const PARALLEL = 1e-12;

/**
 * Returns a function that computes an upper bound on the signed distance of a point from the convex hull of points,
 * metres; negative inside. Every triple of points is tested, so no face is missed; an additional half-space does no
 * harm, since each contains the hull. A flat hull has no inside.
 */
export function polytopeDistance(vertices: Float64Array): (x: Vec3) => number {
  const points = Array.from({ length: vertices.length / 3 }, (_, i) => vertices.slice(3 * i, 3 * i + 3));
  const size = Math.max(0, ...points.map((p) => distance(p, points[0])));
  const faces = facesOf(points, size);
  const center = Float64Array.of(...[0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i] / points.length, 0)));
  const isFlat = !(height(faces, center) < -FLAT * size);
  if (faces.length === 0) return (x) => fromSegments(points, x);
  return (x) => {
    const most = height(faces, x);
    return !isFlat && most <= 0 ? most : distanceOutside(faces, points, x);
  };
}

const distance = (a: Vec3, b: Vec3) => Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);

/** Returns the largest height above a face: inside, minus the distance from the boundary. */
function height(faces: readonly Face[], x: Vec3): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { n, offset } of faces) most = Math.max(most, dot(n, x) - offset);
  return faces.length === 0 ? Number.POSITIVE_INFINITY : most;
}

function facesOf(points: readonly Vec3[], size: number): Face[] {
  const found: Face[] = [];
  const [u, v, normal] = [vec3(), vec3(), vec3()];
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        sub(u, points[j], points[i]);
        sub(v, points[k], points[i]);
        cross(normal, u, v);
        const length = norm(normal);
        if (!(length > PARALLEL * norm(u) * norm(v))) continue;
        for (const sign of [1, -1]) {
          const n = normal.map((value) => (sign * value) / length);
          if (!isSupporting(points, n, dot(n, points[i]) + SUPPORTING * size)) continue;
          if (found.some((face) => distance(face.n, n) < PARALLEL)) continue;
          const offset = Math.max(...points.map((p) => dot(n, p)));
          found.push({ n, offset, polygon: polygonOn(points, n, offset - ON_PLANE * size) });
        }
      }
  return found;
}

function isSupporting(points: readonly Vec3[], n: Vec3, most: number): boolean {
  for (const p of points) if (dot(n, p) > most) return false;
  return true;
}

/** Returns the convex polygon of the points at least that high along n: Andrew's monotone chain. */
function polygonOn(points: readonly Vec3[], n: Vec3, least: number): Vec3[] {
  const skip = [0, 1, 2].reduce((best, i) => (Math.abs(n[i]) > Math.abs(n[best]) ? i : best), 0);
  const [x, y] = n[skip] > 0 ? [(skip + 1) % 3, (skip + 2) % 3] : [(skip + 2) % 3, (skip + 1) % 3];
  const on = points.filter((p) => dot(n, p) >= least).sort((a, b) => a[x] - b[x] || a[y] - b[y]);
  const isLeft = (a: Vec3, b: Vec3, c: Vec3) => (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]) > 0;
  const chain = (sorted: readonly Vec3[]) => {
    const out: Vec3[] = [];
    for (const p of sorted) {
      while (out.length > 1 && !isLeft(out[out.length - 2], out[out.length - 1], p)) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(on), ...chain(on.toReversed())];
}

/** Returns the distance from the nearest point that is found on a face, an edge or a vertex: all belong to the hull. */
function distanceOutside(faces: readonly Face[], points: readonly Vec3[], x: Vec3): number {
  let least = Number.POSITIVE_INFINITY;
  for (const p of points) least = Math.min(least, distance(p, x));
  for (const { n, offset, polygon } of faces) {
    const above = dot(n, x) - offset;
    if (polygon.length < 2 || Math.abs(above) >= least) continue;
    const isOver = polygon.map((a, i) => isOverEdge(n, a, polygon[(i + 1) % polygon.length], x));
    if (polygon.length > 2 && isOver.every((over) => over)) least = Math.abs(above);
    else
      for (const [i, a] of polygon.entries())
        least = Math.min(least, fromSegment(a, polygon[(i + 1) % polygon.length], x));
  }
  return least;
}

/** Returns true if x is on the inner side of an edge, seen along n. */
function isOverEdge(n: Vec3, a: Vec3, b: Vec3, x: Vec3): boolean {
  const [u, v] = [vec3(), vec3()];
  sub(u, b, a);
  sub(v, x, a);
  cross(u, n, u);
  return dot(u, v) >= 0;
}

/** Returns the distance from the segments between points that are on a line, or all equal. */
function fromSegments(points: readonly Vec3[], x: Vec3): number {
  let least = Number.POSITIVE_INFINITY;
  for (const a of points) for (const b of points) least = Math.min(least, fromSegment(a, b, x));
  return least;
}

function fromSegment(a: Vec3, b: Vec3, x: Vec3): number {
  const [u, v] = [vec3(), vec3()];
  sub(u, b, a);
  sub(v, x, a);
  const lengthSquared = dot(u, u);
  const share = lengthSquared > 0 ? Math.min(1, Math.max(0, dot(u, v) / lengthSquared)) : 0;
  const p = a.map((value, i) => value + share * u[i]);
  return distance(p, x);
}
