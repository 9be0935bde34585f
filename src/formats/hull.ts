import { polygon, principalFrame, segment } from './flatHull.ts';
import { isTrustworthy } from './hullCheck.ts';
import { COINCIDENT, type Skeleton } from './hullSkeleton.ts';
import { boundsOf, type Points, weld } from './pointCloud.ts';
import { type Face, quickHull } from './quickHull.ts';

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
  if (size === 0) return pick(welded, [0], [], 0);

  const unit = new Float64Array(welded.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (welded[i] - (box[i % 3] + box[(i % 3) + 3]) / 2) / size;

  const frame = principalFrame(unit);
  const found =
    frame.rank === 1
      ? segment(unit, frame.u)
      : frame.rank === 2
        ? polygon(unit, frame.u, frame.v)
        : merged(unit, solid(unit));
  const volume = (found?.volume ?? 0) * size * size * size;
  if (found !== undefined && isTrustworthy(unit, found)) return pick(welded, found.corners, found.edges, volume);
  const all = Array.from({ length: welded.length / 3 }, (_, i) => i);
  return pick(welded, all, [], volume);
}

function pick(points: Float64Array, corners: readonly number[], edges: Skeleton['edges'], volume: number): Hull {
  const sorted = [...corners].sort((a, b) => a - b);
  const place = new Map(sorted.map((corner, i) => [corner, i]));
  return {
    points: sorted.map((i): [number, number, number] => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]),
    edges: edges.map(([a, b]): [number, number] => [place.get(a)!, place.get(b)!]),
    volume,
  };
}

/** Hull of points that fill space. Only corners, edges and volume are used: planes of slivers mean nothing. */
function solid(points: Float64Array): Skeleton | undefined {
  const faces = quickHull(points);
  if (faces === undefined) return undefined; // flat but for rounding
  const corners = new Set<number>();
  const edges: [number, number][] = [];
  let volume = 0;
  for (const face of faces) {
    const [a, b, c] = face;
    corners.add(a).add(b).add(c);
    if (a < b) edges.push([a, b]); // the face on the other side has it the other way round
    if (b < c) edges.push([b, c]);
    if (c < a) edges.push([c, a]);
    volume += tripleProduct(points, face) / 6;
  }
  return { corners: [...corners], edges, volume };
}

/** Draws edges of no length together: a climb would be stuck at their one end while only the other has the way up. */
function merged(points: Float64Array, skeleton: Skeleton | undefined): Skeleton | undefined {
  if (skeleton === undefined) return undefined;
  const into = new Map<number, number>();
  const final = (corner: number): number => {
    let at = corner;
    for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next;
    return at;
  };
  for (const [a, b] of skeleton.edges) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const gap = points[3 * a + k] - points[3 * b + k];
      square += gap * gap;
    }
    if (square <= COINCIDENT * COINCIDENT && final(a) !== final(b)) into.set(final(b), final(a));
  }
  if (into.size === 0) return skeleton;
  const edges = new Map<string, [number, number]>();
  for (const [a, b] of skeleton.edges) {
    const [from, to] = [Math.min(final(a), final(b)), Math.max(final(a), final(b))];
    if (from !== to) edges.set(`${from} ${to}`, [from, to]);
  }
  return { ...skeleton, corners: skeleton.corners.filter((corner) => !into.has(corner)), edges: [...edges.values()] };
}

/** Six times the volume of the tetrahedron that three of the points make with the origin: a · (b × c). */
function tripleProduct(points: Float64Array, [a, b, c]: Face): number {
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
