import { boundsOf } from '../../src/core/hulls/pointCloud.ts';
import { hullFaces } from '../../src/core/hulls/quickHull.ts';
import { enclosedVolume } from '../../src/core/hulls/solid.ts';
import type { Triangles } from '../../src/core/hulls/triangleCut.ts';
import { WindingNumber } from './windingNumber.ts';

/** Parts are scaled by 1 plus this about their centroids, to allow for the rounding of their planes. */
const GROWN = 1e-9;
/** The same for the parts that cover the faces of other parts: thinner cavities are not found. */
const GROWN_OTHERS = 1e-5;
/**
 * Parts with a smaller inradius, relative to their size, are flat: the rounding error of their planes would be
 * comparable to their thickness.
 */
const THIN = 1e-5;
/**
 * Remainders of triangles narrower than this, relative to the size of the mesh, are rounding errors of the cuts; and
 * the maximum sum of their widths.
 */
const NARROW = 1e-9;
const NARROW_SUM = 1e-6;
/** Maximum number of remainders that are processed. */
const MAX_REMAINDERS = 2_000_000;

type Points = readonly (readonly [number, number, number])[];
type Polygon = readonly (readonly number[])[];

/** The half-spaces n · p <= d of a convex part (nx, ny, nz, d each), its bounding box and its faces. */
interface PartPlanes {
  readonly planes: Float64Array;
  readonly box: readonly number[];
  /** Three vertices each, and the outward unit normal. */
  readonly faces: readonly { readonly vertices: Polygon; readonly normal: readonly number[] }[];
  /** Metres from the centroid of the vertices to the nearest plane. */
  readonly inradius: number;
}

/**
 * Checks whether convex parts cover a mesh: every triangle, by successively clipping it against the parts, and the
 * volume that a closed mesh encloses. Flat parts are ignored, so a mesh that needs them counts as not covered. Used for
 * parts of unknown origin.
 *
 * A point that the mesh encloses and that no part contains lies in a cavity: the triangles are covered, so the cavity
 * is bounded by faces of parts. Hence it is sufficient that no point just outside of those regions of a face which the
 * other parts do not cover is enclosed.
 * @param triangles metres, nine numbers each
 */
export function partsCover(triangles: Triangles, parts: readonly Points[]): boolean {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return true;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const solids = parts.flatMap((points) => planesOf(points, GROWN) ?? []);
  const cover = new Cover(solids, size);
  for (let t = 0; t < triangles.length; t += 9) {
    const triangle = [0, 3, 6].map((k) => [triangles[t + k], triangles[t + k + 1], triangles[t + k + 2]]);
    if (!triangle.every((p) => solids.some((part) => isInside(part, p)))) return false;
    if (!cover.holds(triangle)) return false;
  }
  return enclosedVolume(triangles) === undefined || hasNoCavity(triangles, parts, size);
}

/**
 * Checks that no face of a part, as far as other parts do not cover it, has the interior of a closed mesh in front of
 * it.
 */
function hasNoCavity(triangles: Triangles, parts: readonly Points[], size: number): boolean {
  const solids = parts.flatMap((points) => planesOf(points, GROWN_OTHERS) ?? []);
  // Less than the growth of the parts, and more than triangles may extend beyond them.
  const step = (GROWN_OTHERS / 2) * Math.min(...solids.map(({ inradius }) => inradius));
  if (!(step > 2 * GROWN * size)) return false;
  const winding = new WindingNumber(triangles);
  const isOutside = (rest: Polygon, normal: readonly number[]) =>
    BARYCENTRIC.some((place) => winding.at(pointOf(rest, place).map((x, k) => x + step * normal[k])) === 0);
  for (const [i, { faces }] of solids.entries()) {
    const others = new Cover(
      solids.filter((_, j) => j !== i),
      size,
    );
    for (const { vertices, normal } of faces) {
      if (!others.holds(vertices, (rest) => isOutside(rest, normal))) return false;
    }
  }
  return true;
}

/**
 * Barycentric coordinates of a point in a triangle; the next ones are used if the ray from that point meets an edge.
 */
const BARYCENTRIC = [
  [0.541, 0.312, 0.147],
  [0.173, 0.528, 0.299],
  [0.237, 0.134, 0.629],
] as const;

/** Returns a point in the largest triangle of the fan of a convex polygon. */
function pointOf(polygon: Polygon, weights: readonly [number, number, number]): number[] {
  const fan = polygon.slice(2).map((vertex, i) => [polygon[0], polygon[i + 1], vertex]);
  const [a, b, c] = fan.reduce((best, one) => (areaOf(one) > areaOf(best) ? one : best));
  return [0, 1, 2].map((k) => weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k]);
}

/**
 * Computes the planes of a part; undefined if it is flat.
 * @param grown the part is scaled by 1 + `grown` about its centroid
 */
function planesOf(points: Points, grown: number): PartPlanes | undefined {
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
    planes.push(x, y, z, x * cx + y * cy + z * cz + distance * (1 + grown));
    faces.push({ vertices: [points[indices[f]], points[indices[f + 1]], points[indices[f + 2]]], normal: [x, y, z] });
  }
  if (inradius < THIN * size) return undefined;
  const box = boundsOf(points.flat())!;
  const sides = [0, 1, 2].map((k) => grown * (box[k + 3] - box[k]));
  const grownBox = box.map((x, k) => (k < 3 ? x - sides[k] : x + sides[k - 3]));
  return { planes: Float64Array.from(planes), box: grownBox, faces, inradius };
}

/**
 * Returns true if each edge of the faces also occurs in the opposite direction: then a point behind all faces is
 * enclosed by them.
 */
function isClosedSurface(faces: Int32Array): boolean {
  const open = new Set<string>();
  for (let c = 0; c < faces.length; c++) {
    const [a, b] = [faces[c], faces[c % 3 === 2 ? c - 2 : c + 1]];
    if (!open.delete(`${b} ${a}`)) open.add(`${a} ${b}`);
  }
  return open.size === 0;
}

/** Clips polygons against parts. */
class Cover {
  private rests = 0;
  private lost = 0;

  constructor(
    private readonly parts: readonly PartPlanes[],
    private readonly size: number,
  ) {}

  /**
   * Checks whether the parts from index `first` on cover a convex polygon.
   * @param accepts decides about regions that no part covers; default: the polygon is not covered
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

  /** Checks whether the parts after part i cover the region of the polygon outside part i. */
  private restIsHeld(polygon: Polygon, accepts: (rest: Polygon) => boolean, i: number): boolean {
    const { planes } = this.parts[i];
    let inside = polygon;
    for (let k = 0; k < planes.length && inside.length > 0; k += 4) {
      const [kept, rest] = split(inside, planes, k);
      if (rest.length > 0) {
        if (++this.rests > MAX_REMAINDERS || !this.holds(rest, accepts, i + 1)) return false;
      }
      inside = kept;
    }
    return true;
  }
}

/**
 * Computes the area divided by the greatest distance from the first vertex, in metres: at most twice the width of a
 * convex polygon.
 */
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

/** Computes the area of a convex polygon in space, m². */
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
