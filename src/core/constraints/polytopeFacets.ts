import { InputError } from '../../errors.ts';
import { addScaled, cross, dot, norm, scale, sub, type Vec3, create as vec3 } from '../math/vec3.ts';

/** A facet of a convex polytope: normal · x <= offset throughout the polytope. */
export interface Facet {
  /** Unit vector outwards. */
  readonly normal: Vec3;
  readonly offset: number;
  /** Writes the point of the facet that is nearest to x, which is beyond its plane. */
  nearest(out: Vec3, x: Vec3): void;
}

/** Maximum number of points of a region: all triples are examined. */
const MAX_POINTS = 60;
/** Relative to the size of the polytope: points this close to a plane are on it. */
const COPLANAR = 1e-9;

/**
 * Computes the facets of the convex hull of points: each triple whose plane has all points on one side is on a facet.
 * Throws `InputError` if there are too many points, or if these are so close to a plane or to each other that the
 * facets do not close.
 */
export function facetsOf(given: readonly (readonly number[])[]): Facet[] {
  if (given.length > MAX_POINTS)
    throw new InputError(`a region of ${given.length} points`, `Use at most ${MAX_POINTS} points, those of the hull.`);
  const points = given.map((point) => Float64Array.from(point));
  const size = Math.max(...points.flatMap((p) => points.map((q) => Math.max(...p.map((x, i) => Math.abs(x - q[i]))))));
  const corners: Vec3[][] = [];
  const facets: Facet[] = [];
  for (const [normal, offset] of supportingPlanes(points, COPLANAR * size)) {
    const on = points.filter((p) => dot(normal, p) >= offset - COPLANAR * size);
    const polygon = polygonOf(on, normal, size);
    corners.push(polygon);
    facets.push({ normal, offset, nearest: (out, x) => nearestOfPolygon(out, x, polygon, normal, offset) });
  }
  if (!isClosed(corners))
    throw new InputError(
      'the points of the region are nearly in a plane',
      'Use a box or another shape, or points exactly in a plane with a margin.',
    );
  return facets;
}

/** Returns the distinct planes through three points that have no point beyond them. */
function supportingPlanes(points: readonly Vec3[], tolerance: number): [Vec3, number][] {
  const found: [Vec3, number][] = [];
  const [u, v] = [vec3(), vec3()];
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        sub(u, points[j], points[i]);
        sub(v, points[k], points[i]);
        for (const sign of [1, -1]) {
          const normal = vec3();
          cross(normal, u, v);
          const length = norm(normal);
          if (!(length > COPLANAR * norm(u) * norm(v))) continue;
          scale(normal, normal, sign / length);
          const offset = Math.max(...points.map((p) => dot(normal, p)));
          if (offset > dot(normal, points[i]) + tolerance) continue;
          const isKnown = found.some(([other]) => dot(other, normal) > 1 - SAME_NORMAL);
          if (!isKnown) found.push([normal, offset]);
        }
      }
  return found;
}

/** Normals whose cosine differs from 1 by less are those of one facet. */
const SAME_NORMAL = 1e-14;

/** Returns the vertices of the convex hull of coplanar points, counterclockwise about the normal. */
export function polygonOf(points: readonly Vec3[], normal: Vec3, size: number): Vec3[] {
  const side = vec3();
  const offset = vec3();
  const isLeft = (a: Vec3, b: Vec3) => {
    sub(offset, b, a);
    cross(side, normal, offset);
    const length = norm(side);
    if (!(length > COPLANAR * size)) return false;
    return points.every((p) => {
      sub(offset, p, a);
      return dot(side, offset) >= -COPLANAR * size * length;
    });
  };
  const polygon: Vec3[] = [];
  let at = points.find((a) => points.some((b) => isLeft(a, b)));
  while (at && !polygon.includes(at) && polygon.length <= points.length) {
    polygon.push(at);
    const from: Vec3 = at;
    // of several points on one edge, the farthest
    at = points
      .filter((b) => isLeft(from, b))
      .sort((a, b) => distance(b, from) - distance(a, from))
      .at(0);
  }
  return polygon;
}

/** Returns true if each edge of each polygon is that of another one in the opposite direction. */
function isClosed(polygons: readonly (readonly Vec3[])[]): boolean {
  if (polygons.length < 4) return false;
  const edges = polygons.flatMap((polygon) => polygon.map((a, i) => [a, polygon[(i + 1) % polygon.length]] as const));
  return (
    polygons.every((polygon) => polygon.length >= 3) &&
    edges.every(([a, b]) => edges.filter(([c, d]) => c === b && d === a).length === 1)
  );
}

const distance = (a: Vec3, b: Vec3) => Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);

/** Writes the point of a convex polygon that is nearest to x: the projection onto its plane, or onto an edge. */
export function nearestOfPolygon(out: Vec3, x: Vec3, polygon: readonly Vec3[], normal: Vec3, offset: number): void {
  const inPlane = vec3();
  addScaled(inPlane, x, normal, offset - dot(normal, x));
  let least = Number.POSITIVE_INFINITY;
  let isInside = true;
  const [edge, away, side, p] = [vec3(), vec3(), vec3(), vec3()];
  for (const [i, a] of polygon.entries()) {
    const b = polygon[(i + 1) % polygon.length];
    sub(edge, b, a);
    sub(away, inPlane, a);
    cross(side, normal, edge);
    if (dot(side, away) < 0) isInside = false;
    const share = Math.min(1, Math.max(0, dot(edge, away) / dot(edge, edge)));
    addScaled(p, a, edge, share);
    const d = distance(p, x);
    if (d >= least) continue;
    least = d;
    out.set(p);
  }
  if (isInside) out.set(inPlane);
}
