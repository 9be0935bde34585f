import { polygon, principalFrame, segment } from './flatHull.ts';
import { isTrustworthy } from './hullCheck.ts';
import { along, COINCIDENT, type Skeleton } from './hullSkeleton.ts';
import { boundsOf, type Points, weld } from './pointCloud.ts';
import { hullFaces } from './quickHull.ts';

/** The convex hull of a set of points: the data of a `convex` shape. */
export interface Hull {
  /** Vertices, metres, in the order of their first appearance among the points. */
  readonly points: readonly (readonly [number, number, number])[];
  /**
   * Pairs of vertices that share an edge of a triangle of the surface: edges of the hull, and diagonals of its flat
   * faces. Empty for flat hulls, and if the hull failed its check: all points are vertices then.
   */
  readonly edges: readonly (readonly [number, number])[];
  /** m³; 0 for flat hulls. */
  readonly volume: number;
}

/**
 * Computes the convex hull of points, which may repeat, be coplanar, collinear or a single point. Every point lies in
 * the hull to 1e-12 of its size: the hull is computed from centred and scaled points and checked; if the check fails,
 * all points are kept as vertices and no edges are returned.
 */
export async function convexHull(points: Points): Promise<Hull> {
  const welded = weld(points);
  const box = boundsOf(welded);
  if (box === undefined) return { points: [], edges: [], volume: 0 };
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  if (size === 0) return pick(welded, Int32Array.of(0), noEdges, 0);

  const unit = new Float64Array(welded.length);
  const middle = [0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2);
  for (let i = 0; i < unit.length; i += 3) {
    unit[i] = (welded[i] - middle[0]) / size;
    unit[i + 1] = (welded[i + 1] - middle[1]) / size;
    unit[i + 2] = (welded[i + 2] - middle[2]) / size;
  }

  const { rank, u, v } = principalFrame(unit);
  const [shown, factor] = rank === 3 ? fattened(unit, u, v) : [unit, 1];
  const found = rank === 1 ? segment(unit, u) : rank === 2 ? polygon(unit, u, v) : merged(shown, solid(shown));
  const volume = (found?.volume ?? 0) * factor * size * size * size;
  if (found !== undefined && isTrustworthy(shown, found)) return pick(welded, found.vertices, found.edges, volume);
  const all = new Int32Array(welded.length / 3).map((_, i) => i);
  return pick(welded, all, noEdges, volume);
}

const noEdges = new Int32Array(0);

/** Hulls thinner than this, relative to their size, are scaled to equal extents before face planes are computed. */
const THIN = 1e-5;

/**
 * Transforms the points to the frame of u, v and u × v, centred and scaled to equal extents, and returns them with the
 * factor that restores the volume. An affine map preserves which points are vertices and which edges connect them; but
 * the face planes of a thin film are dominated by rounding errors, so that points were left outside. Returns the given
 * points and 1 if the hull is not thin.
 */
function fattened(points: Float64Array, u: Float64Array, v: Float64Array): readonly [Float64Array, number] {
  const w = Float64Array.of(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  if (!isThin(points, v) && !isThin(points, w)) return [points, 1];
  const turned = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3)
    for (const [k, axis] of [u, v, w].entries()) turned[i + k] = along(points, i / 3, axis);
  const box = boundsOf(turned)!;
  const widths = [0, 1, 2].map((k) => box[k + 3] - box[k]);
  for (let i = 0; i < turned.length; i += 3)
    for (let k = 0; k < 3; k++) turned[i + k] = (turned[i + k] - (box[k] + box[k + 3]) / 2) / widths[k];
  return [turned, widths[0] * widths[1] * widths[2]];
}

function isThin(points: Float64Array, axis: Float64Array): boolean {
  const from = along(points, 0, axis);
  for (let i = 1; i < points.length / 3; i++) if (Math.abs(along(points, i, axis) - from) > THIN) return false;
  return true;
}

function pick(points: Float64Array, corners: Int32Array, edges: Int32Array, volume: number): Hull {
  const place = new Int32Array(points.length / 3);
  const kept: [number, number, number][] = [];
  for (const i of corners.slice().sort()) {
    place[i] = kept.length;
    kept.push([points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
  }
  const pairs: [number, number][] = [];
  for (let e = 0; e < edges.length; e += 2) pairs.push([place[edges[e]], place[edges[e + 1]]]);
  return { points: kept, edges: pairs, volume };
}

/**
 * Computes the hull of points that span three dimensions. Only vertices, edges and volume are used: the planes of
 * sliver faces are meaningless.
 */
function solid(points: Float64Array): Skeleton | undefined {
  const faces = hullFaces(points);
  if (faces === undefined) return undefined; // flat to rounding
  const isKnown = new Uint8Array(points.length / 3);
  const corners = new Int32Array(points.length / 3);
  const edges = new Int32Array(faces.length);
  let cornerCount = 0;
  let edgeEnd = 0;
  let volume = 0;
  for (let f = 0; f < faces.length; f += 3) {
    for (let k = 0; k < 3; k++) {
      const from = faces[f + k];
      const to = faces[k === 2 ? f : f + k + 1];
      if (isKnown[from] === 0) {
        isKnown[from] = 1;
        corners[cornerCount++] = from;
      }
      if (from > to) continue; // the adjacent face has the same edge in the opposite direction
      edges[edgeEnd++] = from;
      edges[edgeEnd++] = to;
    }
    volume += tripleProduct(points, faces[f], faces[f + 1], faces[f + 2]) / 6;
  }
  return { vertices: corners.subarray(0, cornerCount), edges: edges.subarray(0, edgeEnd), volume };
}

/**
 * Collapses edges of zero length: hill climbing would stop at one end although only the other has an ascending edge.
 */
function merged(points: Float64Array, skeleton: Skeleton | undefined): Skeleton | undefined {
  if (skeleton === undefined) return undefined;
  const { vertices, edges } = skeleton;
  const into = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 2) {
    if (!isShort(points, edges[e], edges[e + 1])) continue;
    const [a, b] = [lastOf(into, edges[e]), lastOf(into, edges[e + 1])];
    if (a !== b) into.set(b, a);
  }
  if (into.size === 0) return skeleton;
  const left = new Map<string, readonly [number, number]>();
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [lastOf(into, edges[e]), lastOf(into, edges[e + 1])];
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    if (from !== to) left.set(`${from} ${to}`, [from, to]);
  }
  return {
    ...skeleton,
    vertices: vertices.filter((corner) => !into.has(corner)),
    edges: Int32Array.from([...left.values()].flat()),
  };
}

function isShort(points: Float64Array, a: number, b: number): boolean {
  const x = points[3 * a] - points[3 * b],
    y = points[3 * a + 1] - points[3 * b + 1],
    z = points[3 * a + 2] - points[3 * b + 2];
  return x * x + y * y + z * z <= COINCIDENT * COINCIDENT;
}

/** Returns the vertex that a vertex was merged into, following the chain to its end. */
function lastOf(into: ReadonlyMap<number, number>, corner: number): number {
  let at = corner;
  for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next;
  return at;
}

/** Computes six times the volume of the tetrahedron of three points and the origin: a · (b × c). */
function tripleProduct(points: Float64Array, a: number, b: number, c: number): number {
  const bx = points[3 * b],
    by = points[3 * b + 1],
    bz = points[3 * b + 2];
  const cx = points[3 * c],
    cy = points[3 * c + 1],
    cz = points[3 * c + 2];
  return (
    points[3 * a] * (by * cz - bz * cy) +
    points[3 * a + 1] * (bz * cx - bx * cz) +
    points[3 * a + 2] * (bx * cy - by * cx)
  );
}
