import { create, cross, dot, normalize, type Vec3 } from '../math/vec3.ts';
import { type Corner, planarHull } from './planarHull.ts';

/** A padded polygon around points: corners in the plane through `origin` along `u` and `v`, and the radius; metres. */
export interface PolygonFit {
  readonly origin: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  readonly corners: readonly Corner[];
  readonly radius: number;
  /** m³ */
  readonly volume: number;
}

/** Most corners of the polygon: sides beyond that are taken off where it costs the least area. */
const MOST_CORNERS = 8;
/** Directions that are tried as normals: rings of latitude, and as many on each. */
const RINGS = 4;
/** Paddings that are tried, in half thicknesses: a thicker one lets the polygon end short of the body's rim. */
const PADDINGS = [1, 1.1, 1.25, 1.5, 2];
/** Greater than the radius by what rounding may lose. */
const ROUNDING = 1 + 1e-9;

/**
 * A padded polygon that holds all points (x, y, z each): the normal is sought over a hemisphere and then nearer and nearer to the best, the
 * polygon is the outline across it, of eight corners at most, drawn in as far as the padding still holds every point. Undefined where
 * the points lie on a line.
 */
export function fitPaddedPolygon(points: Float64Array): PolygonFit | undefined {
  let best: Outline | undefined;
  const look = (n: Vec3) => {
    const found = outlineAcross(points, n);
    if (found && (best === undefined || found.volume < best.volume)) best = found;
  };
  for (const n of hemisphere()) look(n);
  for (let step = 0.25; step > 1e-3 && best !== undefined; step /= 2) {
    for (let around = 0; around < 8; around++) {
      const { n, u, v } = best;
      const [x, y] = ring8[around];
      look(Float64Array.from(n, (value, k) => value + step * (x * u[k] + y * v[k])));
    }
  }
  return best === undefined ? undefined : drawnIn(points, best);
}

interface Outline {
  readonly n: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  /** Middle of the heights along n, and half their range. */
  readonly height: number;
  readonly half: number;
  readonly corners: readonly Corner[];
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
  const flat: Corner[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    low = Math.min(low, dot(n, p));
    high = Math.max(high, dot(n, p));
    flat.push([dot(u, p), dot(v, p)]);
  }
  const hull = planarHull(flat);
  if (hull.length < 3) return undefined;
  const corners = fewerCorners(hull);
  const half = (high - low) / 2;
  return { n, u, v, height: (low + high) / 2, half, corners, volume: paddedVolume(corners, half) };
}

/** n of length 1, and two more that make a right-handed frame with it. */
function frameOf(direction: Vec3): [Vec3, Vec3, Vec3] {
  const [n, u, v] = [create(), create(), create()];
  normalize(n, direction);
  const helper = Math.abs(n[0]) < 0.6 ? create(1, 0, 0) : create(0, 1, 0);
  cross(u, helper, n);
  normalize(u, u);
  cross(v, n, u);
  return [n, u, v];
}

/** Steiner's formula: a flat body and all within r of it. */
function paddedVolume(corners: readonly Corner[], r: number): number {
  let [area, perimeter] = [0, 0];
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    area += (x * nextY - y * nextX) / 2;
    perimeter += Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
  }
  return 2 * r * area + (Math.PI / 2) * r * r * perimeter + (4 / 3) * Math.PI * r * r * r;
}

/** Takes sides off, its neighbours made to meet, the one first that adds the least area, until few enough are left. */
function fewerCorners(hull: readonly Corner[]): Corner[] {
  const corners = [...hull];
  while (corners.length > MOST_CORNERS) {
    let [least, where] = [Number.POSITIVE_INFINITY, -1];
    let tip: Corner = [0, 0];
    for (let i = 0; i < corners.length; i++) {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => corners[(i + k) % corners.length]);
      const meeting = meet(a, b, c, d);
      if (meeting === undefined) continue;
      const added = ((c[0] - b[0]) * (meeting[1] - b[1]) - (c[1] - b[1]) * (meeting[0] - b[0])) / -2;
      if (Math.abs(added) < least) [least, where, tip] = [Math.abs(added), i, meeting];
    }
    if (where < 0) break;
    const [b, c] = [(where + 1) % corners.length, (where + 2) % corners.length];
    corners[b] = tip;
    corners.splice(c, 1);
  }
  return corners;
}

/** Where the side from a to b, prolonged, meets the one from d to c, prolonged; undefined where they do not on that side. */
function meet(a: Corner, b: Corner, c: Corner, d: Corner): Corner | undefined {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const [vx, vy] = [c[0] - d[0], c[1] - d[1]];
  const determinant = ux * vy - uy * vx;
  const t = ((c[0] - b[0]) * vy - (c[1] - b[1]) * vx) / determinant;
  const s = ((c[0] - b[0]) * uy - (c[1] - b[1]) * ux) / determinant;
  return t > 0 && s > 0 && t < 1e6 ? [b[0] + t * ux, b[1] + t * uy] : undefined;
}

/** The best of several paddings, each with the polygon drawn in as far as every point stays inside. */
function drawnIn(points: Float64Array, { n, u, v, height, half, corners }: Outline): PolygonFit {
  const origin: Vec3 = Float64Array.from(n, (x) => height * x);
  let best: PolygonFit | undefined;
  for (const padding of PADDINGS) {
    const radius = half * padding * ROUNDING;
    let [inner, outer] = [0, radius];
    for (let i = 0; i < 30; i++) {
      const inset = (inner + outer) / 2;
      const smaller = insetBy(corners, inset);
      if (smaller.length > 2 && holdsAll(points, { n, u, v, height }, smaller, radius)) inner = inset;
      else outer = inset;
    }
    const kept = inner > 0 ? insetBy(corners, inner) : corners;
    const volume = paddedVolume(kept, radius);
    if (best === undefined || volume < best.volume) best = { origin, u, v, corners: kept, radius, volume };
  }
  return best!;
}

/** The polygon with each side moved inwards: what the half-planes leave of it. */
function insetBy(corners: readonly Corner[], inset: number): Corner[] {
  let left = [...corners];
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    const length = Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
    const [nx, ny] = [(nextY - y) / length, (x - nextX) / length];
    const limit = nx * x + ny * y - inset;
    left = left.flatMap((p, k) => {
      const q = left[(k + 1) % left.length];
      const [over, next] = [nx * p[0] + ny * p[1] - limit, nx * q[0] + ny * q[1] - limit];
      const t = over / (over - next);
      const crossing: Corner[] = over < 0 !== next < 0 ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [];
      return over <= 0 ? [p, ...crossing] : crossing;
    });
  }
  return planarHull(left);
}

function holdsAll(
  points: Float64Array,
  { n, u, v, height }: Pick<Outline, 'n' | 'u' | 'v' | 'height'>,
  corners: readonly Corner[],
  radius: number,
): boolean {
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    const z = dot(n, p) - height;
    const across = distanceToPolygon([dot(u, p), dot(v, p)], corners);
    if (!(z * z + across * across <= radius * radius)) return false;
  }
  return true;
}

/** 0 inside. */
function distanceToPolygon([px, py]: Corner, corners: readonly Corner[]): number {
  let least = Number.POSITIVE_INFINITY;
  let inside = true;
  for (const [i, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    const [dx, dy] = [nextX - x, nextY - y];
    const [ex, ey] = [px - x, py - y];
    if (dx * ey - dy * ex < 0) inside = false;
    const t = Math.min(1, Math.max(0, (ex * dx + ey * dy) / (dx * dx + dy * dy)));
    const [fx, fy] = [ex - t * dx, ey - t * dy];
    least = Math.min(least, fx * fx + fy * fy);
  }
  return inside ? 0 : Math.sqrt(least);
}
