import { InputError } from '../../errors.ts';
import type { Ring } from './planarShape.ts';

/**
 * How far inside the line through its neighbours a point may lie and still count as one of it, relative to the size of the polygon:
 * points that were meant to be in line, rounded when they were written. Deeper dents are refused; dents this small are filled.
 */
const DENT = 1e-12;
/** Widths up to this multiple of the largest coordinate are rounding: such points lie on a line. */
const FLAT = 4 * Number.EPSILON;
/** The frame's origin becomes the middle where it lies at least this deep inside, relative to the longest edge. */
const DEEP = 1e-3;

type Point = readonly [number, number];

/**
 * The ring behind a list of finite points, one or more: repeated points and points in line dropped, so that each corner left is one.
 * Two corners make a segment, one a point. Throws InputError unless the points run once, counter-clockwise, around a convex polygon.
 */
export function createRing(points: readonly Point[]): Ring {
  const ring = ringAbout(points, meanOf(points));
  return isDeepInside(ring) ? ringAbout(points, [0, 0]) : ring;
}

function ringAbout(points: readonly Point[], [mx, my]: Point): Ring {
  const corners = cornersOf(points.map(([x, y]) => [x - mx, y - my]));
  return { vertices: Float64Array.from(corners.flat()), middle: Float64Array.of(mx, my) };

  function cornersOf(local: readonly Point[]): readonly Point[] {
    const coordinate = largestCoordinate(points);
    const distinct = local.filter(([x, y], i) => {
      const [u, v] = local[(i + 1) % local.length];
      return x !== u || y !== v;
    });
    if (distinct.length === 0) return [local[0]];
    const segment = asSegment(distinct, FLAT * coordinate);
    if (segment) return segment;
    if (signedArea(distinct) < 0) throw new InputError('points run clockwise', 'List them counter-clockwise.');
    const corners = convexCorners(distinct, Math.max(DENT * largestCoordinate(local), FLAT * coordinate));
    if (turnsOf(corners) !== 1) throw new InputError('points go around more than once', convexNote);
    return corners;
  }
}

const convexNote =
  'A polygon lists the corners of a convex outline once, counter-clockwise; split others into convex parts.';

/** Inside the hull of the points, and free of whatever offset they share. */
function meanOf(points: readonly Point[]): Point {
  const [x0, y0] = points[0];
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += (point[0] - x0) / points.length;
    y += (point[1] - y0) / points.length;
  }
  return [x0 + x, y0 + y];
}

/** Whether the frame's own origin may be the middle: then the corners are the very numbers that were given. */
function isDeepInside({ vertices, middle: [mx, my] }: Ring): boolean {
  if (vertices.length < 6) return false;
  let depth = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (let i = 0; i < vertices.length; i += 2) {
    const next = (i + 2) % vertices.length;
    const ex = vertices[next] - vertices[i];
    const ey = vertices[next + 1] - vertices[i + 1];
    const length = Math.sqrt(ex * ex + ey * ey);
    depth = Math.min(depth, (ex * (-my - vertices[i + 1]) - ey * (-mx - vertices[i])) / length);
    longest = Math.max(longest, length);
  }
  return depth > DEEP * longest;
}

function largestCoordinate(points: readonly Point[]): number {
  return points.reduce((most, [x, y]) => Math.max(most, Math.abs(x), Math.abs(y)), 0);
}

/** Both ends, if all points lie within `width` of the line through them. */
function asSegment(points: readonly Point[], width: number): [Point, Point] | undefined {
  const one = farthestFrom(points[0], points);
  const other = farthestFrom(one, points);
  const ex = other[0] - one[0];
  const ey = other[1] - one[1];
  const length = Math.sqrt(ex * ex + ey * ey);
  const isNear = ([x, y]: Point) => Math.abs(ex * (y - one[1]) - ey * (x - one[0])) <= width * length;
  return points.every(isNear) ? [one, other] : undefined;
}

function farthestFrom([x, y]: Point, points: readonly Point[]): Point {
  let best = points[0];
  let most = -1;
  for (const point of points) {
    const square = (point[0] - x) * (point[0] - x) + (point[1] - y) * (point[1] - y);
    if (square > most) {
      most = square;
      best = point;
    }
  }
  return best;
}

function signedArea(points: readonly Point[]): number {
  const [x0, y0] = points[0];
  let twice = 0;
  for (const [i, [x, y]] of points.entries()) {
    const [u, v] = points[(i + 1) % points.length];
    twice += (x - x0) * (v - y0) - (y - y0) * (u - x0);
  }
  return twice / 2;
}

/** Walks the ring once from its lowest corner, as Graham's scan does [Graham72], and takes back points that make no left turn. */
function convexCorners(points: readonly Point[], dent: number): Point[] {
  const lowest = points.reduce((best, [x, y], i) => {
    const [u, v] = points[best];
    return y < v || (y === v && x < u) ? i : best;
  }, 0);
  const ring = [...points.slice(lowest), ...points.slice(0, lowest), points[lowest]];
  const corners: Point[] = [];
  for (const next of ring) {
    while (corners.length >= 2 && !isLeftTurn(corners[corners.length - 2], corners[corners.length - 1], next, dent)) {
      corners.pop();
    }
    corners.push(next);
  }
  corners.pop(); // the lowest, come round again
  return corners;
}

/** False for a point in line with its neighbours (or so little inside that rounding put it there); throws for a true right turn. */
function isLeftTurn([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point, dent: number): boolean {
  const ux = bx - ax,
    uy = by - ay;
  const vx = cx - bx,
    vy = cy - by;
  const turn = ux * vy - uy * vx;
  if (turn > 0) return true;
  const length = Math.sqrt((cx - ax) * (cx - ax) + (cy - ay) * (cy - ay));
  const between = ux * vx + uy * vy > 0;
  if (!between || -turn > dent * length) throw new InputError('points are not convex', convexNote);
  return false;
}

/** How often the edges turn from pointing down to pointing up: once for each way around. */
function turnsOf(corners: readonly Point[]): number {
  const isUp = corners.map(([x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    return v > y || (v === y && u > x);
  });
  return isUp.filter((up, i) => up && !isUp[(i + isUp.length - 1) % isUp.length]).length;
}
