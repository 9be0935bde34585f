import { polygon, principalFrame, segment } from './flatHull.ts';
import { isTrustworthy } from './hullCheck.ts';
import { COINCIDENT, type Skeleton } from './hullSkeleton.ts';
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

  const frame = principalFrame(unit);
  const found =
    frame.rank === 1
      ? segment(unit, frame.u)
      : frame.rank === 2
        ? polygon(unit, frame.u, frame.v)
        : merged(unit, solid(unit));
  const volume = (found?.volume ?? 0) * size * size * size;
  if (found !== undefined && isTrustworthy(unit, found)) return pick(welded, found.corners, found.edges, volume);
  const all = new Int32Array(welded.length / 3).map((_, i) => i);
  return pick(welded, all, noEdges, volume);
}

const noEdges = new Int32Array(0);

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
