import { boundsOf } from './pointCloud.ts';
import { hullFaces } from './quickHull.ts';
import { enclosedVolume } from './solid.ts';
import type { Triangles } from './triangleCut.ts';
import { WindingNumber } from './windingNumber.ts';

/** Parts are scaled by this much more than 1 about their centroids, for the rounding of their planes. */
const GROWN = 1e-9;
/** Likewise the parts that cover the faces of other parts: cavities thinner than that are not found. */
const GROWN_OTHERS = 1e-5;
/** Parts thinner than this, relative to their size, are flat: rounding of their planes would be a part of their thickness. */
const THIN = 1e-5;
/** Rests of triangles narrower than this, relative to the size of the mesh, are rounding of the cuts; and the sum of their widths at most. */
const NARROW = 1e-9;
const NARROW_SUM = 1e-6;
/** Rests of triangles that are cut at most. */
const MOST_RESTS = 2_000_000;

type Points = readonly (readonly [number, number, number])[];
type Polygon = readonly (readonly number[])[];

/** The half-spaces n · p <= d of a convex part (nx, ny, nz, d each), its box and its faces. */
interface PartPlanes {
  readonly planes: Float64Array;
  readonly box: readonly number[];
  /** Three corners each, and the unit normal outwards. */
  readonly faces: readonly { readonly corners: Polygon; readonly normal: readonly number[] }[];
  /** Metres from the centroid of the corners to the nearest plane. */
  readonly inradius: number;
}

/**
 * Whether convex parts cover a mesh: every triangle, by cutting off what lies in the parts one after the other, and what a closed mesh
 * encloses. Flat parts are not counted, so that a mesh that needs them is not found covered. For parts of unknown origin.
 *
 * A point that the mesh encloses and that no part holds lies in a cavity: the triangles are covered, so the faces of parts bound it. So it
 * is enough that no point just outside what the other parts leave of a face is enclosed.
 * @param triangles metres, nine numbers each
 */
export function partsCover(triangles: Triangles, parts: readonly Points[]): boolean {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return true;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const solids = parts.flatMap((points) => planesOf(points, 0, GROWN) ?? []);
  const cover = new Cover(solids, size);
  for (let t = 0; t < triangles.length; t += 9) {
    const triangle = [0, 3, 6].map((k) => [triangles[t + k], triangles[t + k + 1], triangles[t + k + 2]]);
    if (!triangle.every((p) => solids.some((part) => isInside(part, p)))) return false;
    if (!cover.holds(triangle)) return false;
  }
  return enclosedVolume(triangles) === undefined || hasNoCavity(triangles, parts, size);
}

/** Whether no face of a part, as far as other parts do not cover it, has the inside of a closed mesh before it. */
function hasNoCavity(triangles: Triangles, parts: readonly Points[], size: number): boolean {
  const solids = parts.flatMap((points) => planesOf(points, 0, GROWN_OTHERS) ?? []);
  // Less than what the parts have grown by, and more than triangles may stick out of them.
  const step = (GROWN_OTHERS / 2) * Math.min(...solids.map(({ inradius }) => inradius));
  if (!(step > 2 * GROWN * size)) return false;
  const winding = new WindingNumber(triangles);
  const isOutside = (rest: Polygon, normal: readonly number[]) =>
    PLACES.some((place) => winding.at(pointOf(rest, place).map((x, k) => x + step * normal[k])) === 0);
  for (const [i, { faces }] of solids.entries()) {
    const others = new Cover(
      solids.filter((_, j) => j !== i),
      size,
    );
    for (const { corners, normal } of faces) {
      if (!others.holds(corners, (rest) => isOutside(rest, normal))) return false;
    }
  }
  return true;
}

/** Weights of the vertices of a triangle for a point in it; other ones if the ray from that point meets an edge. */
const PLACES = [
  [0.541, 0.312, 0.147],
  [0.173, 0.528, 0.299],
  [0.237, 0.134, 0.629],
] as const;

/** A point in the largest triangle of the fan of a convex polygon. */
function pointOf(polygon: Polygon, weights: readonly [number, number, number]): number[] {
  const fan = polygon.slice(2).map((corner, i) => [polygon[0], polygon[i + 1], corner]);
  const [a, b, c] = fan.reduce((best, one) => (areaOf(one) > areaOf(best) ? one : best));
  return [0, 1, 2].map((k) => weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k]);
}

/** @param grown the part is scaled by 1 + `grown` about its centroid, then its planes are moved by `tolerance` metres */
function planesOf(points: Points, tolerance: number, grown: number): PartPlanes | undefined {
  const [cx, cy, cz] = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const centred = Float64Array.from(points.flatMap(([x, y, z]) => [x - cx, y - cy, z - cz]));
  const indices = hullFaces(centred);
  if (indices === undefined || !isClosedSurface(indices)) return undefined;
  const bounds = boundsOf(centred)!;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const planes: number[] = [];
  const faces: PartPlanes['faces'][number][] = [];
  let inradius = Number.POSITIVE_INFINITY;
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]];
    const u = [0, 1, 2].map((k) => centred[b + k] - centred[a + k]);
    const v = [0, 1, 2].map((k) => centred[c + k] - centred[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) continue;
    const [x, y, z] = n.map((component) => component / length);
    const distance = x * centred[a] + y * centred[a + 1] + z * centred[a + 2];
    inradius = Math.min(inradius, distance);
    planes.push(x, y, z, x * cx + y * cy + z * cz + distance * (1 + grown) + tolerance);
    faces.push({ corners: [points[indices[f]], points[indices[f + 1]], points[indices[f + 2]]], normal: [x, y, z] });
  }
  if (tolerance === 0 && inradius < THIN * size) return undefined;
  const box = boundsOf(points.flat())!;
  const sides = [0, 1, 2].map((k) => grown * (box[k + 3] - box[k]) + tolerance);
  const grownBox = box.map((x, k) => (k < 3 ? x - sides[k] : x + sides[k - 3]));
  return { planes: Float64Array.from(planes), box: grownBox, faces, inradius };
}

/** Whether each edge of the faces is one of another face in the other direction: then a point behind all of them is one that they go around. */
function isClosedSurface(faces: Int32Array): boolean {
  const open = new Set<string>();
  for (let c = 0; c < faces.length; c++) {
    const [a, b] = [faces[c], faces[c % 3 === 2 ? c - 2 : c + 1]];
    if (!open.delete(`${b} ${a}`)) open.add(`${a} ${b}`);
  }
  return open.size === 0;
}

/** Cuts polygons by parts. */
class Cover {
  private rests = 0;
  private lost = 0;

  constructor(
    private readonly parts: readonly PartPlanes[],
    private readonly size: number,
  ) {}

  /**
   * Whether the parts from number `first` on cover a convex polygon.
   * @param accepts decides about what no part covers; default: it is not covered
   */
  holds(polygon: Polygon, accepts: (rest: Polygon) => boolean = () => false, first = 0): boolean {
    const { parts } = this;
    for (let i = first; i < parts.length; i++) if (polygon.every((p) => isInside(parts[i], p))) return true;
    const width = widthOf(polygon);
    if (width <= NARROW * this.size) {
      this.lost += width;
      return this.lost <= NARROW_SUM * this.size;
    }
    for (let i = first; i < parts.length; i++) {
      if (touchesBox(polygon, parts[i].box)) return this.restIsHeld(polygon, accepts, i);
    }
    return accepts(polygon);
  }

  /** Whether what of the polygon lies outside part i is held by the parts after it. */
  private restIsHeld(polygon: Polygon, accepts: (rest: Polygon) => boolean, i: number): boolean {
    const { planes } = this.parts[i];
    let inside = polygon;
    for (let k = 0; k < planes.length && inside.length > 0; k += 4) {
      const [kept, rest] = split(inside, planes, k);
      if (rest.length > 0) {
        if (++this.rests > MOST_RESTS || !this.holds(rest, accepts, i + 1)) return false;
      }
      inside = kept;
    }
    return true;
  }
}

/** Metres: area by the greatest distance from its first vertex, at most twice the width of a convex polygon. */
function widthOf(polygon: Polygon): number {
  let longest = 0;
  for (const p of polygon) {
    const [x, y, z] = [p[0] - polygon[0][0], p[1] - polygon[0][1], p[2] - polygon[0][2]];
    longest = Math.max(longest, x * x + y * y + z * z);
  }
  return longest === 0 ? 0 : areaOf(polygon) / Math.sqrt(longest);
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

/** A convex part that fills space. */
export interface Part {
  /** Whether it holds a point (metres), to the tolerance. */
  readonly holds: (p: readonly number[]) => boolean;
}

/** The hull of points as a part, its faces moved outwards by `tolerance` metres; undefined if it is flat. */
export function partOf(points: Points, tolerance: number): Part | undefined {
  const planes = planesOf(points, tolerance, 0);
  return planes && { holds: (p) => isInside(planes, p) };
}
