import { along, type Skeleton } from './hullSkeleton.ts';

/** Maximum support error of a hull that passes the check, relative to the size. */
const SUPPORT_ERROR = 1e-12;

/**
 * Returns true if, in every direction of a fixed set, no point lies outside the hull of the vertices, and hill climbing
 * along the edges (if there are any) finds the support point.
 */
export function isTrustworthy(points: Float64Array, { vertices, edges }: Skeleton): boolean {
  if (vertices.length === 0) return false;
  const { start, neighbors } = linked(points.length / 3, edges);
  let at = vertices[0];
  for (const d of directions) {
    const most = along(points, farthestOf(points, d), d);
    if (edges.length > 0) at = climb(points, start, neighbors, at, d);
    else for (const corner of vertices) if (along(points, corner, d) > along(points, at, d)) at = corner;
    if (!(most - along(points, at, d) <= SUPPORT_ERROR)) return false;
  }
  return true;
}

/** Builds the adjacency lists: the neighbors of point i are neighbors[start[i]] … neighbors[start[i + 1] − 1]. */
function linked(count: number, edges: Skeleton['edges']) {
  const start = new Int32Array(count + 1);
  for (let e = 0; e < edges.length; e++) start[edges[e] + 1]++;
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const next = start.slice();
  const neighbors = new Int32Array(edges.length);
  for (let e = 0; e < edges.length; e += 2) {
    const a = edges[e];
    const b = edges[e + 1];
    neighbors[next[a]++] = b;
    neighbors[next[b]++] = a;
  }
  return { start, neighbors };
}

/**
 * Finds the support point along d. The loop is unrolled because it visits up to a million points for each of a hundred
 * directions.
 */
function farthestOf(points: Float64Array, d: Float64Array): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  let most = Number.NEGATIVE_INFINITY;
  let farthest = 0;
  for (let i = 0; i < points.length; i += 3) {
    const reach = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (reach <= most) continue;
    most = reach;
    farthest = i;
  }
  return farthest / 3;
}

function climb(points: Float64Array, start: Int32Array, neighbors: Int32Array, from: number, d: Float64Array): number {
  let at = from;
  for (let best = along(points, at, d), moved = true; moved; ) {
    moved = false;
    const end = start[at + 1];
    for (let k = start[at]; k < end; k++) {
      const reach = along(points, neighbors[k], d);
      if (reach <= best) continue;
      best = reach;
      at = neighbors[k];
      moved = true;
    }
  }
  return at;
}

/**
 * Unit directions of a grid on the cube, tilted slightly so that none is perpendicular to an axis-aligned face, and the
 * axes themselves.
 */
export const directions: readonly Float64Array[] = (() => {
  const all: Float64Array[] = [];
  for (let x = -2; x <= 2; x++) {
    for (let y = -2; y <= 2; y++) {
      for (let z = -2; z <= 2; z++) {
        if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < 2) continue;
        const d = Float64Array.of(x + 0.013 * y, y + 0.017 * z, z + 0.011 * x);
        normalize(d, d);
        all.push(d);
      }
    }
  }
  return [
    ...[0, 1, 2].flatMap((k) => [1, -1].map((s) => Float64Array.from([0, 1, 2], (i) => (i === k ? s : 0)))),
    ...all,
  ];
})();

function normalize(out: Float64Array, d: Float64Array): void {
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (let k = 0; k < 3; k++) out[k] = d[k] / length;
}
