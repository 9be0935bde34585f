import { type Point2, planarHull } from '../../math/planarHull.ts';

/** Convex set in the tangent plane of a contact: hull of a ring of points, disc, or the whole plane. */
export interface PlanarSet {
  readonly kind: 'hull' | 'disc' | 'plane';
  /** Vertices, counterclockwise; the centre of a disc. */
  readonly ring: readonly Point2[];
  /** Radius of a disc; otherwise 0. */
  readonly radius: number;
}

/** Returns the convex hull of points of which some may be equal. */
export function hullOfPoints(points: readonly Point2[]): PlanarSet {
  return { kind: 'hull', ring: points.length > 1 ? planarHull(points) : points, radius: 0 };
}

/**
 * Returns the point of the intersection of two sets that is lowest along (x, y); (0, 0) if it lies in both and no other
 * point is found. `tolerance`: distance up to which points outside a set count as points of it.
 */
export function lowestCommonPoint(a: PlanarSet, b: PlanarSet, [x, y]: Point2, tolerance: number): Point2 {
  const heightOf = (p: Point2) => x * p[0] + y * p[1];
  let lowest: Point2 = [0, 0];
  for (const p of [...lowestPoints(a, x, y), ...lowestPoints(b, x, y), ...crossings(a, b)]) {
    if (heightOf(p) < heightOf(lowest) && contains(a, p, tolerance) && contains(b, p, tolerance)) lowest = p;
  }
  return lowest;
}

/** Returns the distance of a point of a set from its relative boundary, at least 0. */
export function distanceFromBoundary({ kind, ring, radius }: PlanarSet, [x, y]: Point2): number {
  if (kind === 'plane' || ring.length === 1) return Number.POSITIVE_INFINITY;
  const distances = ring.map(([px, py]) => Math.sqrt((px - x) * (px - x) + (py - y) * (py - y)));
  if (kind === 'disc') return Math.max(0, radius - distances[0]);
  if (ring.length === 2) return Math.min(...distances);
  return Math.max(0, Math.min(...ring.map((_, i) => heightAboveEdge(ring, i, [x, y]))));
}

/** Returns true if the point is at most `tolerance` away from the set. */
function contains({ kind, ring, radius }: PlanarSet, p: Point2, tolerance: number): boolean {
  if (kind === 'plane') return true;
  if (kind === 'disc' || ring.length === 1) return distance(ring[0], p) <= radius + tolerance;
  const isInside = ring.length > 2 && ring.every((_, i) => heightAboveEdge(ring, i, p) >= 0);
  return isInside || ring.some((_, i) => distanceFromEdge(ring, i, p) <= tolerance);
}

/** Points of a set, one of which is the lowest along (x, y). */
function lowestPoints({ kind, ring, radius }: PlanarSet, x: number, y: number): readonly Point2[] {
  if (kind === 'plane') return [];
  const length = Math.sqrt(x * x + y * y);
  if (kind === 'hull' || length === 0) return ring;
  return [[ring[0][0] - (radius * x) / length, ring[0][1] - (radius * y) / length]];
}

/** Points in which the boundaries of two sets cross. */
function crossings(a: PlanarSet, b: PlanarSet): readonly Point2[] {
  if (a.kind === 'plane' || b.kind === 'plane') return [];
  if (a.kind === 'disc') return b.kind === 'disc' ? circleCrossings(a, b) : edgesAcrossCircle(b, a);
  if (b.kind === 'disc') return edgesAcrossCircle(a, b);
  const points: Point2[] = [];
  for (const [p, q] of edgesOf(a)) {
    for (const [r, s] of edgesOf(b)) {
      // p + t (q − p) on the line of r and s
      const [ex, ey] = [s[0] - r[0], s[1] - r[1]];
      const from = ex * (p[1] - r[1]) - ey * (p[0] - r[0]);
      const to = ex * (q[1] - r[1]) - ey * (q[0] - r[0]);
      if (from * to < 0) points.push(between(p, q, from / (from - to)));
    }
  }
  return points;
}

function edgesAcrossCircle(hull: PlanarSet, { ring: [[cx, cy]], radius }: PlanarSet): readonly Point2[] {
  const points: Point2[] = [];
  for (const [p, q] of edgesOf(hull)) {
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
    const [fx, fy] = [p[0] - cx, p[1] - cy];
    const squared = dx * dx + dy * dy;
    const half = fx * dx + fy * dy;
    const discriminant = half * half - squared * (fx * fx + fy * fy - radius * radius);
    if (!(discriminant >= 0 && squared > 0)) continue;
    const root = Math.sqrt(discriminant);
    for (const t of [(-half - root) / squared, (-half + root) / squared]) {
      if (t >= 0 && t <= 1) points.push(between(p, q, t));
    }
  }
  return points;
}

function circleCrossings(a: PlanarSet, b: PlanarSet): readonly Point2[] {
  const [[ax, ay]] = a.ring;
  const [[bx, by]] = b.ring;
  const apart = distance(a.ring[0], b.ring[0]);
  if (!(apart > 0)) return [];
  const along = (apart * apart + a.radius * a.radius - b.radius * b.radius) / (2 * apart);
  const squared = a.radius * a.radius - along * along;
  if (!(squared >= 0)) return [];
  const [x, y] = [(bx - ax) / apart, (by - ay) / apart];
  const across = Math.sqrt(squared);
  return [across, -across].map((s) => [ax + along * x - s * y, ay + along * y + s * x]);
}

const edgesOf = ({ ring }: PlanarSet): readonly (readonly [Point2, Point2])[] =>
  ring.length < 2 ? [] : ring.map((p, i) => [p, ring[(i + 1) % ring.length]]);

/** Signed distance of a point from the line of an edge, positive inside the ring. */
function heightAboveEdge(ring: readonly Point2[], i: number, [x, y]: Point2): number {
  const [px, py] = ring[i];
  const [qx, qy] = ring[(i + 1) % ring.length];
  const [ex, ey] = [qx - px, qy - py];
  return (ex * (y - py) - ey * (x - px)) / Math.sqrt(ex * ex + ey * ey);
}

function distanceFromEdge(ring: readonly Point2[], i: number, p: Point2): number {
  const [q, r] = [ring[i], ring[(i + 1) % ring.length]];
  const [ex, ey] = [r[0] - q[0], r[1] - q[1]];
  const squared = ex * ex + ey * ey;
  const t = squared > 0 ? (ex * (p[0] - q[0]) + ey * (p[1] - q[1])) / squared : 0;
  return distance(between(q, r, Math.min(1, Math.max(0, t))), p);
}

const distance = (p: Point2, q: Point2): number =>
  Math.sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]));
const between = (p: Point2, q: Point2, t: number): Point2 => [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
