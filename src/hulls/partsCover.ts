import { Random } from '../math/random.ts';
import { boundsOf } from './pointCloud.ts';
import { hullFaces } from './quickHull.ts';
import { enclosedVolume } from './solid.ts';
import type { Triangles } from './triangleCut.ts';

/** Points this far outside a part count as inside, relative to the size of the mesh: rounding of the planes of its faces. */
const OUTSIDE = 1e-9;
/** Rests of triangles below this area, relative to the square of the size, are rounding of the cuts. */
const SLIVER = 1e-9;
/** Rests of triangles that are cut at most, and points inside a closed mesh that are sampled. */
const MOST_RESTS = 2_000_000;
const SAMPLES = 400;

type Points = readonly (readonly [number, number, number])[];
type Polygon = readonly (readonly number[])[];

/** The half-spaces n · p <= d of a convex part (nx, ny, nz, d each) and its box. */
interface PartPlanes {
  readonly planes: Float64Array;
  readonly box: readonly number[];
}

/**
 * Whether convex parts cover a mesh: every triangle, by cutting off what lies in the parts one after the other, and what a closed mesh
 * encloses, by samples. Flat parts are not counted, so that a mesh that needs them is not found covered. For parts of unknown origin.
 * @param triangles metres, nine numbers each
 */
export function partsCover(triangles: Triangles, parts: readonly Points[]): boolean {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return true;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const solids = parts.flatMap((points) => planesOf(points, OUTSIDE * size) ?? []);
  const cover = new Cover(solids, SLIVER * size * size);
  for (let t = 0; t < triangles.length; t += 9) {
    const corner = (k: number) => [triangles[t + k], triangles[t + k + 1], triangles[t + k + 2]];
    if (!cover.holds([corner(0), corner(3), corner(6)], 0)) return false;
  }
  return enclosedVolume(triangles) === undefined || holdsInside(triangles, bounds, solids);
}

function planesOf(points: Points, tolerance: number): PartPlanes | undefined {
  const [cx, cy, cz] = points[0];
  const centred = Float64Array.from(points.flatMap(([x, y, z]) => [x - cx, y - cy, z - cz]));
  const faces = hullFaces(centred);
  if (faces === undefined) return undefined;
  const planes: number[] = [];
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const u = [0, 1, 2].map((k) => centred[b + k] - centred[a + k]);
    const v = [0, 1, 2].map((k) => centred[c + k] - centred[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) continue;
    const [x, y, z] = n.map((component) => component / length);
    planes.push(x, y, z, x * points[faces[f]][0] + y * points[faces[f]][1] + z * points[faces[f]][2] + tolerance);
  }
  const box = boundsOf(points.flat())!.map((x, k) => (k < 3 ? x - tolerance : x + tolerance));
  return { planes: Float64Array.from(planes), box };
}

/** Cuts polygons by parts. */
class Cover {
  private rests = 0;

  constructor(
    private readonly parts: readonly PartPlanes[],
    private readonly sliver: number,
  ) {}

  /** Whether the parts from number `first` on cover a polygon. */
  holds(polygon: Polygon, first: number): boolean {
    if (areaOf(polygon) <= this.sliver) return true;
    const { parts } = this;
    for (let i = first; i < parts.length; i++) if (polygon.every((p) => isInside(parts[i], p))) return true;
    for (let i = first; i < parts.length; i++) {
      if (!touchesBox(polygon, parts[i].box)) continue;
      return this.restIsHeld(polygon, i);
    }
    return false;
  }

  /** Whether what of the polygon lies outside part i is held by the parts after it. */
  private restIsHeld(polygon: Polygon, i: number): boolean {
    const { planes } = this.parts[i];
    let inside = polygon;
    for (let k = 0; k < planes.length && inside.length > 0; k += 4) {
      const [kept, rest] = split(inside, planes, k);
      if (rest.length > 0) {
        if (++this.rests > MOST_RESTS || !this.holds(rest, i + 1)) return false;
      }
      inside = kept;
    }
    return true;
  }
}

function split(polygon: Polygon, planes: Float64Array, k: number): [Polygon, Polygon] {
  const heights = polygon.map((p) => planes[k] * p[0] + planes[k + 1] * p[1] + planes[k + 2] * p[2] - planes[k + 3]);
  if (heights.every((height) => height <= 0)) return [polygon, []];
  if (heights.every((height) => height >= 0)) return [[], polygon];
  const [below, above]: number[][][] = [[], []];
  for (const [i, p] of polygon.entries()) {
    const j = (i + 1) % polygon.length;
    if (heights[i] <= 0) below.push([...p]);
    if (heights[i] >= 0) above.push([...p]);
    if (heights[i] * heights[j] >= 0) continue;
    const share = heights[i] / (heights[i] - heights[j]);
    const crossing = p.map((x, axis) => x + share * (polygon[j][axis] - x));
    below.push(crossing);
    above.push(crossing);
  }
  return [below, above];
}

function isInside({ planes, box }: PartPlanes, p: readonly number[]): boolean {
  if (!(p[0] >= box[0] && p[1] >= box[1] && p[2] >= box[2] && p[0] <= box[3] && p[1] <= box[4] && p[2] <= box[5]))
    return false;
  for (let k = 0; k < planes.length; k += 4) {
    if (!(planes[k] * p[0] + planes[k + 1] * p[1] + planes[k + 2] * p[2] <= planes[k + 3])) return false;
  }
  return true;
}

function touchesBox(polygon: Polygon, box: readonly number[]): boolean {
  return [0, 1, 2].every((k) => polygon.some((p) => p[k] <= box[k + 3]) && polygon.some((p) => p[k] >= box[k]));
}

/** Of a convex polygon in space, m². */
function areaOf(polygon: Polygon): number {
  const [o] = polygon;
  let [x, y, z] = [0, 0, 0];
  for (let i = 1; i + 1 < polygon.length; i++) {
    const [p, q] = [polygon[i], polygon[i + 1]];
    const [ux, uy, uz] = [p[0] - o[0], p[1] - o[1], p[2] - o[2]];
    const [vx, vy, vz] = [q[0] - o[0], q[1] - o[1], q[2] - o[2]];
    x += uy * vz - uz * vy;
    y += uz * vx - ux * vz;
    z += ux * vy - uy * vx;
  }
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** Samples the box of a closed mesh: points that it encloses must lie in a part. */
function holdsInside(triangles: Triangles, bounds: readonly number[], parts: readonly PartPlanes[]): boolean {
  const random = new Random(1);
  for (let i = 0; i < SAMPLES; i++) {
    const p = [0, 1, 2].map((k) => random.between(bounds[k], bounds[k + 3]));
    if (!parts.some((part) => isInside(part, p)) && winding(triangles, p) !== 0) return false;
  }
  return true;
}

/** How often a closed mesh goes around a point: signed crossings of the ray from it along z. */
function winding(triangles: Triangles, [px, py, pz]: readonly number[]): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 9) {
    const [ax, ay] = [triangles[t] - px, triangles[t + 1] - py];
    const [bx, by] = [triangles[t + 3] - px, triangles[t + 4] - py];
    const [cx, cy] = [triangles[t + 6] - px, triangles[t + 7] - py];
    const [u, v, w] = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx];
    const isLeft = u > 0 && v > 0 && w > 0;
    if (!isLeft && !(u < 0 && v < 0 && w < 0)) continue;
    const height = (u * triangles[t + 2] + v * triangles[t + 5] + w * triangles[t + 8]) / (u + v + w);
    if (height > pz) sum += isLeft ? 1 : -1;
  }
  return sum;
}

/** A convex part that fills space. */
export interface Part {
  /** Whether it holds a point (metres), to the tolerance. */
  readonly holds: (p: readonly number[]) => boolean;
}

/** The hull of points as a part, its faces moved outwards by `tolerance` metres; undefined if it is flat. */
export function partOf(points: Points, tolerance: number): Part | undefined {
  const planes = planesOf(points, tolerance);
  return planes && { holds: (p) => isInside(planes, p) };
}
