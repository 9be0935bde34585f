import { type Point2, planarHull } from '../math/planarHull.ts';
import { create, cross, dot, normalize, type Vec3 } from '../math/vec3.ts';

/**
 * Padded polygon that contains a point set: vertices in the plane through `origin` along `u` and `v`, and the radius;
 * metres.
 */
export interface PolygonFit {
  readonly origin: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  readonly vertices: readonly Point2[];
  readonly radius: number;
  /** m³ */
  readonly volume: number;
}

/** Maximum number of vertices: further sides are removed where that adds the least area. */
const MAX_VERTICES = 8;
/** Resolution of the grid of candidate normals per cube face. */
const RINGS = 4;
/** Candidate paddings, in half thicknesses: a larger one allows a smaller polygon. */
const PADDINGS = [1, 1.1, 1.25, 1.5, 2];
/** Factor on the radius that covers rounding. */
const ROUNDING = 1 + 1e-9;

/**
 * Fits a padded polygon that contains all points (x, y, z each): searches the normal over a hemisphere, then locally
 * around the best one; the polygon is the projected outline, reduced to eight vertices, then inset as far as the
 * padding contains every point. Undefined if the points are collinear.
 */
export function fitPaddedPolygon(points: Float64Array): PolygonFit | undefined {
  let best: Outline | undefined;
  const tryNormal = (n: Vec3) => {
    const outline = outlineAcross(points, n);
    if (outline && (best === undefined || outline.volume < best.volume)) best = outline;
  };
  for (const n of hemisphere()) tryNormal(n);
  for (let step = 0.25; step > 1e-3 && best !== undefined; step /= 2) {
    for (let i = 0; i < 8; i++) {
      const { n, u, v } = best;
      const [x, y] = ring8[i];
      tryNormal(Float64Array.from(n, (value, k) => value + step * (x * u[k] + y * v[k])));
    }
  }
  return best === undefined ? undefined : insetWithPadding(points, best);
}

interface Outline {
  readonly n: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  /** Center of the heights along n, and half their range. */
  readonly height: number;
  readonly half: number;
  readonly vertices: readonly Point2[];
  readonly volume: number;
}

const ring8: readonly (readonly [number, number])[] = [
  [1, 0],
  [0.7, 0.7],
  [0, 1],
  [-0.7, 0.7],
  [-1, 0],
  [-0.7, -0.7],
  [0, -1],
  [0.7, -0.7],
];

function* hemisphere(): Generator<Vec3> {
  for (const axis of [0, 1, 2]) yield Float64Array.from([0, 1, 2], (k) => (k === axis ? 1 : 0));
  for (let i = -RINGS; i <= RINGS; i++) {
    for (let j = -RINGS; j <= RINGS; j++) {
      yield create(i / RINGS, j / RINGS, 1);
      yield create(1, i / RINGS, j / RINGS);
      yield create(j / RINGS, 1, i / RINGS);
    }
  }
}

function outlineAcross(points: Float64Array, direction: Vec3): Outline | undefined {
  const [n, u, v] = frameOf(direction);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const flat: Point2[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    low = Math.min(low, dot(n, p));
    high = Math.max(high, dot(n, p));
    flat.push([dot(u, p), dot(v, p)]);
  }
  const hull = planarHull(flat);
  if (hull.length < 3) return undefined;
  const vertices = simplify(hull);
  const half = (high - low) / 2;
  return { n, u, v, height: (low + high) / 2, half, vertices, volume: paddedVolume(vertices, half) };
}

/** Returns a right-handed orthonormal frame n, u, v with n along `direction`. */
function frameOf(direction: Vec3): [Vec3, Vec3, Vec3] {
  const [n, u, v] = [create(), create(), create()];
  normalize(n, direction);
  const helper = Math.abs(n[0]) < 0.6 ? create(1, 0, 0) : create(0, 1, 0);
  cross(u, helper, n);
  normalize(u, u);
  cross(v, n, u);
  return [n, u, v];
}

/** Volume of a flat polygon with all points within r of it, by Steiner's formula. */
function paddedVolume(vertices: readonly Point2[], r: number): number {
  let [area, perimeter] = [0, 0];
  for (const [i, [x, y]] of vertices.entries()) {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length];
    area += (x * nextY - y * nextX) / 2;
    perimeter += Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
  }
  return 2 * r * area + (Math.PI / 2) * r * r * perimeter + (4 / 3) * Math.PI * r * r * r;
}

/**
 * Removes sides by extending their neighbors until they intersect, the one that adds the least area first, until at
 * most MAX_VERTICES are left.
 */
function simplify(hull: readonly Point2[]): Point2[] {
  const vertices = [...hull];
  while (vertices.length > MAX_VERTICES) {
    let [minArea, removed] = [Number.POSITIVE_INFINITY, -1];
    let newVertex: Point2 = [0, 0];
    for (let i = 0; i < vertices.length; i++) {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => vertices[(i + k) % vertices.length]);
      const intersection = intersectExtended(a, b, c, d);
      if (intersection === undefined) continue;
      const added = ((c[0] - b[0]) * (intersection[1] - b[1]) - (c[1] - b[1]) * (intersection[0] - b[0])) / -2;
      if (Math.abs(added) < minArea) [minArea, removed, newVertex] = [Math.abs(added), i, intersection];
    }
    if (removed < 0) break;
    const [b, c] = [(removed + 1) % vertices.length, (removed + 2) % vertices.length];
    vertices[b] = newVertex;
    vertices.splice(c, 1);
  }
  return vertices;
}

/**
 * Returns the intersection of side a–b extended beyond b and side d–c extended beyond c; undefined if they do not
 * intersect there.
 */
function intersectExtended(a: Point2, b: Point2, c: Point2, d: Point2): Point2 | undefined {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const [vx, vy] = [c[0] - d[0], c[1] - d[1]];
  const determinant = ux * vy - uy * vx;
  const t = ((c[0] - b[0]) * vy - (c[1] - b[1]) * vx) / determinant;
  const s = ((c[0] - b[0]) * uy - (c[1] - b[1]) * ux) / determinant;
  return t > 0 && s > 0 && t < 1e6 ? [b[0] + t * ux, b[1] + t * uy] : undefined;
}

/** Returns the best of several paddings, each with the polygon inset as far as all points stay contained. */
function insetWithPadding(points: Float64Array, { n, u, v, height, half, vertices }: Outline): PolygonFit {
  const origin: Vec3 = Float64Array.from(n, (x) => height * x);
  let best: PolygonFit | undefined;
  for (const padding of PADDINGS) {
    const radius = half * padding * ROUNDING;
    let [inner, outer] = [0, radius];
    for (let i = 0; i < 30; i++) {
      const inset = (inner + outer) / 2;
      const smaller = insetBy(vertices, inset);
      if (smaller.length > 2 && containsAll(points, { n, u, v, height }, smaller, radius)) inner = inset;
      else outer = inset;
    }
    const kept = inner > 0 ? insetBy(vertices, inner) : vertices;
    const volume = paddedVolume(kept, radius);
    if (best === undefined || volume < best.volume) best = { origin, u, v, vertices: kept, radius, volume };
  }
  return best!;
}

/** Returns the polygon with each side moved inwards: the intersection of the half-planes. */
function insetBy(vertices: readonly Point2[], inset: number): Point2[] {
  let remaining = [...vertices];
  for (const [i, [x, y]] of vertices.entries()) {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length];
    const length = Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
    const [nx, ny] = [(nextY - y) / length, (x - nextX) / length];
    const limit = nx * x + ny * y - inset;
    remaining = remaining.flatMap((p, k) => {
      const q = remaining[(k + 1) % remaining.length];
      const [over, next] = [nx * p[0] + ny * p[1] - limit, nx * q[0] + ny * q[1] - limit];
      const t = over / (over - next);
      const crossing: Point2[] = over < 0 !== next < 0 ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [];
      return over <= 0 ? [p, ...crossing] : crossing;
    });
  }
  return planarHull(remaining);
}

function containsAll(
  points: Float64Array,
  { n, u, v, height }: Pick<Outline, 'n' | 'u' | 'v' | 'height'>,
  vertices: readonly Point2[],
  radius: number,
): boolean {
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    const z = dot(n, p) - height;
    const across = distanceToPolygon([dot(u, p), dot(v, p)], vertices);
    if (!(z * z + across * across <= radius * radius)) return false;
  }
  return true;
}

/** Returns the distance of a point from a polygon; 0 inside. */
function distanceToPolygon([px, py]: Point2, vertices: readonly Point2[]): number {
  let minSquared = Number.POSITIVE_INFINITY;
  let inside = true;
  for (const [i, [x, y]] of vertices.entries()) {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length];
    const [dx, dy] = [nextX - x, nextY - y];
    const [ex, ey] = [px - x, py - y];
    if (dx * ey - dy * ex < 0) inside = false;
    const t = Math.min(1, Math.max(0, (ex * dx + ey * dy) / (dx * dx + dy * dy)));
    const [fx, fy] = [ex - t * dx, ey - t * dy];
    minSquared = Math.min(minSquared, fx * fx + fy * fy);
  }
  return inside ? 0 : Math.sqrt(minSquared);
}
