import { along, type Skeleton } from './hullSkeleton.ts';

/** How far, relative to the size, a point may stick out of the hull before the hull is not trusted. */
const SUPPORT_ERROR = 1e-12;

/** True if, in every direction of a fixed set, no point sticks out of the corners, and a walk along the edges (if any) finds the farthest. */
export function isTrustworthy(points: Float64Array, { corners, edges }: Skeleton): boolean {
  if (corners.length === 0) return false;
  const neighbors = Array.from({ length: points.length / 3 }, (): number[] => []);
  for (const [a, b] of edges) {
    neighbors[a].push(b);
    neighbors[b].push(a);
  }
  let at = corners[0];
  for (const d of directions) {
    let most = -Infinity;
    for (let i = 0; i < points.length / 3; i++) most = Math.max(most, along(points, i, d));
    if (edges.length > 0) at = climb(points, neighbors, at, d);
    else for (const corner of corners) if (along(points, corner, d) > along(points, at, d)) at = corner;
    if (!(most - along(points, at, d) <= SUPPORT_ERROR)) return false;
  }
  return true;
}

function climb(
  points: Float64Array,
  neighbors: readonly (readonly number[])[],
  start: number,
  d: Float64Array,
): number {
  let at = start;
  for (let best = along(points, at, d), moved = true; moved; ) {
    moved = false;
    for (const next of neighbors[at]) {
      const reach = along(points, next, d);
      if (reach <= best) continue;
      best = reach;
      at = next;
      moved = true;
    }
  }
  return at;
}

/** Unit directions of a grid on the cube, tilted a little so that they are square to no face of anything axis-aligned, and the axes themselves. */
const directions: readonly Float64Array[] = (() => {
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
