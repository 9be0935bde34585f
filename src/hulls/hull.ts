import { polygon, principalFrame, segment } from './flatHull.ts';
import { isTrustworthy } from './hullCheck.ts';
import { along, COINCIDENT, type Skeleton } from './hullSkeleton.ts';
import { boundsOf, type Points, weld } from './pointCloud.ts';
import { hullFaces } from './quickHull.ts';

/** The convex hull of a set of points: what a `convex` shape is made of. */
export interface Hull {
  /** Corners, metres, in the order in which they appear among the points. */
  readonly points: readonly (readonly [number, number, number])[];
  /**
   * Pairs of corners that share an edge. None for flat hulls, where the last bits of the heights over the plane lead a climb astray,
   * and none where the hull could not be trusted: the support then looks at all points.
   */
  readonly edges: readonly (readonly [number, number])[];
  /** m³; 0 for flat hulls. */
  readonly volume: number;
}

/**
 * The convex hull of points, which may repeat, lie in a plane, on a line, or be one. Every point lies in the hull to 1e-12 of the size:
 * it is made of them centred and scaled, and checked; where that fails, all points are kept and no edges are given.
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
  if (found !== undefined && isTrustworthy(shown, found)) return pick(welded, found.corners, found.edges, volume);
  const all = new Int32Array(welded.length / 3).map((_, i) => i);
  return pick(welded, all, noEdges, volume);
}

const noEdges = new Int32Array(0);

/** Bodies thinner than this, relative to their size, are stretched before planes are laid through their points. */
const THIN = 1e-5;

/**
 * The points in the frame of u and v, about the middle and as wide as long as high; and how much smaller the volume was before. Which of them
 * are corners, and which edges join them, is the same; but planes through points of a film are mostly rounding, and points were left
 * outside. The points as they are where the body is not thin.
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

/** Hull of points that fill space. Only corners, edges and volume are used: planes of slivers mean nothing. */
function solid(points: Float64Array): Skeleton | undefined {
  const faces = hullFaces(points);
  if (faces === undefined) return undefined; // flat but for rounding
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
      if (from > to) continue; // the face on the other side has it the other way round
      edges[edgeEnd++] = from;
      edges[edgeEnd++] = to;
    }
    volume += tripleProduct(points, faces[f], faces[f + 1], faces[f + 2]) / 6;
  }
  return { corners: corners.subarray(0, cornerCount), edges: edges.subarray(0, edgeEnd), volume };
}

/** Draws edges of no length together: a climb would be stuck at their one end while only the other has the way up. */
function merged(points: Float64Array, skeleton: Skeleton | undefined): Skeleton | undefined {
  if (skeleton === undefined) return undefined;
  const { corners, edges } = skeleton;
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
    corners: corners.filter((corner) => !into.has(corner)),
    edges: Int32Array.from([...left.values()].flat()),
  };
}

function isShort(points: Float64Array, a: number, b: number): boolean {
  const x = points[3 * a] - points[3 * b],
    y = points[3 * a + 1] - points[3 * b + 1],
    z = points[3 * a + 2] - points[3 * b + 2];
  return x * x + y * y + z * z <= COINCIDENT * COINCIDENT;
}

/** What a corner has been drawn into, at the end of the chain. */
function lastOf(into: ReadonlyMap<number, number>, corner: number): number {
  let at = corner;
  for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next;
  return at;
}

/** Six times the volume of the tetrahedron that three of the points make with the origin: a · (b × c). */
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
