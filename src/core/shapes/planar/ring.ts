import { InputError } from '../../../errors.ts';
import type { Ring } from './planarShape.ts';

/**
 * Maximum dent: a point this little inside the line through its neighbors counts as collinear, relative to the size of
 * the polygon (coordinates of collinear points are rounded). Deeper dents are rejected; smaller ones are filled.
 */
const MAX_DENT = 1e-12;
/** Widths up to this multiple of the largest coordinate are rounding errors: such points form a segment. */
const FLAT_WIDTH = 4 * Number.EPSILON;
/** The origin of the frame becomes `middle` if it is at least this deep inside, relative to the longest edge. */
const MIN_ORIGIN_DEPTH = 1e-3;

type Point = readonly [number, number];

/**
 * Creates the ring of one or more finite points: drops repeated and collinear points. Two vertices make a segment, one
 * a point. Throws `InputError` unless the points run once, counter-clockwise, around a convex polygon.
 */
export function createRing(points: readonly Point[]): Ring {
  const ring = ringAbout(points, meanOf(points));
  return isDeepInside(ring) ? ringAbout(points, [0, 0]) : ring;
}

function ringAbout(points: readonly Point[], [mx, my]: Point): Ring {
  const vertices = verticesOf(points.map(([x, y]) => [x - mx, y - my]));
  return { vertices: Float64Array.from(vertices.flat()), middle: Float64Array.of(mx, my) };

  function verticesOf(local: readonly Point[]): readonly Point[] {
    const coordinate = largestCoordinate(points);
    const distinct = local.filter(([x, y], i) => {
      const [u, v] = local[(i + 1) % local.length];
      return x !== u || y !== v;
    });
    if (distinct.length === 0) return [local[0]];
    const segment = asSegment(distinct, FLAT_WIDTH * coordinate);
    if (segment) return segment;
    if (signedArea(distinct) < 0) throw new InputError('points run clockwise', 'List them counter-clockwise.');
    const vertices = convexVertices(distinct, Math.max(MAX_DENT * largestCoordinate(local), FLAT_WIDTH * coordinate));
    if (windingNumber(vertices) !== 1) throw new InputError('points run around the polygon more than once', convexNote);
    return vertices;
  }
}

const convexNote =
  'List the vertices of a convex polygon once, counter-clockwise; split other outlines into convex parts.';

/**
 * Returns the mean of the points, which lies in their hull; computed relative to the first point to keep all digits far
 * from the origin.
 */
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

/** Returns true if the origin of the frame may be `middle`: then the vertices are exactly the given numbers. */
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
  return depth > MIN_ORIGIN_DEPTH * longest;
}

function largestCoordinate(points: readonly Point[]): number {
  return points.reduce((max, [x, y]) => Math.max(max, Math.abs(x), Math.abs(y)), 0);
}

/** Returns both end points if all points are within `width` of the line through them. */
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
  let maxSquare = -1;
  for (const point of points) {
    const square = (point[0] - x) * (point[0] - x) + (point[1] - y) * (point[1] - y);
    if (square > maxSquare) {
      maxSquare = square;
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

/**
 * Returns the convex vertices: scans the ring once from its lowest vertex as in Graham's scan [Graham72] and removes
 * points without a left turn.
 */
function convexVertices(points: readonly Point[], dent: number): Point[] {
  const lowest = points.reduce((best, [x, y], i) => {
    const [u, v] = points[best];
    return y < v || (y === v && x < u) ? i : best;
  }, 0);
  const ring = [...points.slice(lowest), ...points.slice(0, lowest), points[lowest]];
  const vertices: Point[] = [];
  for (const next of ring) {
    while (
      vertices.length >= 2 &&
      !isLeftTurn(vertices[vertices.length - 2], vertices[vertices.length - 1], next, dent)
    ) {
      vertices.pop();
    }
    vertices.push(next);
  }
  vertices.pop(); // the lowest vertex, which was appended twice
  return vertices;
}

/**
 * Returns false for a point that is collinear with its neighbors, or inside their line by no more than `dent`; throws
 * `InputError` for a larger right turn.
 */
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

/** Returns the winding number: counts the changes of edges from pointing down to pointing up. */
function windingNumber(vertices: readonly Point[]): number {
  const isUp = vertices.map(([x, y], i) => {
    const [u, v] = vertices[(i + 1) % vertices.length];
    return v > y || (v === y && u > x);
  });
  return isUp.filter((up, i) => up && !isUp[(i + isUp.length - 1) % isUp.length]).length;
}
