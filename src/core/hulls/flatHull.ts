import { along, COINCIDENT, type Skeleton } from './hullSkeleton.ts';

/**
 * Points whose extent is below this, relative to the size, are coplanar (or collinear): rounding of the coordinates
 * causes about 1e-16.
 */
const FLAT = 1e-12;

/** Affine dimension of a point set, and directions within its span. */
export interface Frame {
  readonly rank: 1 | 2 | 3;
  readonly u: Float64Array;
  readonly v: Float64Array;
}

/**
 * Computes the affine dimension of the points (at least two different ones). u is the unit vector from the first point
 * to the point farthest from it; v is the unit vector perpendicular to u towards the point farthest from that line.
 */
export function principalFrame(points: Float64Array): Frame {
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  const none = new Float64Array(3);
  unitOffset(u, points, farthestFrom(points, none), none);
  const second = farthestFrom(points, u);
  if (unitOffset(v, points, second, u) <= FLAT) return { rank: 1, u, v };
  const w = Float64Array.of(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  const ground = along(points, 0, w);
  for (let i = 1; i < points.length / 3; i++) {
    if (Math.abs(along(points, i, w) - ground) > FLAT) return { rank: 3, u, v };
  }
  return { rank: 2, u, v };
}

/**
 * Finds the point farthest from the line through the first point along the unit vector u, or farthest from the first
 * point if u is 0.
 */
function farthestFrom(points: Float64Array, u: Float64Array): number {
  const x0 = points[0],
    y0 = points[1],
    z0 = points[2];
  let best = 0;
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i] - x0,
      y = points[i + 1] - y0,
      z = points[i + 2] - z0;
    const t = x * u[0] + y * u[1] + z * u[2];
    const dx = x - t * u[0],
      dy = y - t * u[1],
      dz = z - t * u[2];
    const square = dx * dx + dy * dy + dz * dz;
    if (square > most) {
      most = square;
      best = i / 3;
    }
  }
  return best;
}

/** Computes the unit vector from that line to point i, and returns the distance. */
function unitOffset(out: Float64Array, points: Float64Array, i: number, u: Float64Array): number {
  for (let k = 0; k < 3; k++) out[k] = points[3 * i + k] - points[k];
  const t = dot(out, u);
  for (let k = 0; k < 3; k++) out[k] -= t * u[k];
  const distance = Math.sqrt(dot(out, out));
  if (distance > 0) for (let k = 0; k < 3; k++) out[k] /= distance;
  return distance;
}

/** Finds the two ends of points on a line along u. */
export function segment(points: Float64Array, u: Float64Array): Skeleton {
  let low = 0,
    high = 0;
  for (let i = 0; i < points.length / 3; i++) {
    if (along(points, i, u) < along(points, low, u)) low = i;
    if (along(points, i, u) > along(points, high, u)) high = i;
  }
  return { vertices: Int32Array.of(low, high), edges: new Int32Array(0), volume: 0 };
}

/**
 * Computes the hull polygon in the plane of u and v with Andrew's monotone chain. Points on an edge are not vertices.
 * [Andrew79]
 */
export function polygon(points: Float64Array, u: Float64Array, v: Float64Array): Skeleton {
  const x = Float64Array.from({ length: points.length / 3 }, (_, i) => along(points, i, u));
  const y = Float64Array.from({ length: points.length / 3 }, (_, i) => along(points, i, v));
  const order = Array.from(x, (_, i) => i).sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  const turnsRight = (a: number, b: number, c: number) => {
    const [ux, uy, vx, vy] = [x[b] - x[a], y[b] - y[a], x[c] - x[a], y[c] - y[a]];
    // Distance of b from the line through a and c.
    return ux * vy - uy * vx <= COINCIDENT * Math.sqrt(vx * vx + vy * vy);
  };
  const chain = (indices: readonly number[]) => {
    const kept: number[] = [];
    for (const i of indices) {
      while (kept.length > 1 && turnsRight(kept[kept.length - 2], kept[kept.length - 1], i)) kept.pop();
      kept.push(i);
    }
    return kept.slice(0, -1);
  };
  const corners = Int32Array.from([...chain(order), ...chain(order.toReversed())]);
  return { vertices: corners, edges: new Int32Array(0), volume: 0 };
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
