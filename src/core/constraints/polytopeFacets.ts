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

/**
 * A convex condition on a position in the frame of a region: its value, metres, is at most 0 in the region. Values
 * change at most as fast as the position.
 */
export interface RegionBound {
  /** Returns the value at x, and writes its gradient, of length at most 1; zero where there is none. */
  evaluate(gradient: Vec3, x: Vec3): number;
  /**
   * Returns a bound on the second directional derivatives at all positions within a distance of x, 1/metres; Infinity:
   * none.
   */
  curvature(x: Vec3, within: number): number;
}

/** The half-space direction · x <= offset; the direction has length 1. */
export function plane(direction: ArrayLike<number>, offset: number): RegionBound {
  const normal = Float64Array.from(direction);
  return {
    evaluate(gradient, x) {
      gradient.set(normal);
      return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset;
    },
    curvature: () => 0,
  };
}

/**
 * The positions around the z axis with radial · ρ + axial · z <= offset, ρ the distance from the axis: a cylinder or
 * cone. `radial` > 0; the vector of both has length 1.
 */
export function roundWall(radial: number, axial: number, offset: number): RegionBound {
  const rho = (x: Vec3) => Math.sqrt(x[0] * x[0] + x[1] * x[1]);
  return {
    evaluate(gradient, x) {
      const r = rho(x);
      gradient[0] = r > 0 ? (radial * x[0]) / r : 0;
      gradient[1] = r > 0 ? (radial * x[1]) / r : 0;
      gradient[2] = axial;
      return radial * r + axial * x[2] - offset;
    },
    // The second derivative of ρ along a unit vector is at most 1/ρ.
    curvature: (x, within) => inverse(rho(x) - within, radial),
  };
}

/** The ellipsoid with the given radii: (‖(xᵢ / rᵢ)‖ − 1) times the least radius. */
export function ellipsoidWall(radii: ArrayLike<number>): RegionBound {
  const least = Math.min(radii[0], radii[1], radii[2]);
  const size = (x: Vec3) => Math.sqrt((x[0] / radii[0]) ** 2 + (x[1] / radii[1]) ** 2 + (x[2] / radii[2]) ** 2);
  return {
    evaluate(gradient, x) {
      const s = size(x);
      for (let i = 0; i < 3; i++) gradient[i] = s > 0 ? (least * x[i]) / (radii[i] * radii[i] * s) : 0;
      return least * (s - 1);
    },
    // With y = x / r, ‖y‖ changes by at most `within` / least, and its second derivative is at most ‖v / r‖² / ‖y‖.
    curvature: (x, within) => inverse(least * size(x) - within, 1),
  };
}

/**
 * The positions within a distance of a convex set.
 * @param nearest writes the nearest point of the set: x itself if it is inside
 * @param depth returns the value at a position inside, at most 0, and writes its gradient
 */
export function roundedSet(
  nearest: (out: Vec3, x: Vec3) => void,
  depth: (gradient: Vec3, x: Vec3) => number,
  margin: number,
): RegionBound {
  const p = new Float64Array(3);
  const distance = (x: Vec3) => {
    nearest(p, x);
    return Math.sqrt((x[0] - p[0]) ** 2 + (x[1] - p[1]) ** 2 + (x[2] - p[2]) ** 2);
  };
  return {
    evaluate(gradient, x) {
      const d = distance(x);
      if (d <= 0) return Math.min(0, depth(gradient, x)) - margin;
      for (let i = 0; i < 3; i++) gradient[i] = (x[i] - p[i]) / d;
      return d - margin;
    },
    // The second derivative of the distance from a convex set is at most its inverse.
    curvature: (x, within) => inverse(distance(x) - within, 1),
  };
}

const inverse = (distance: number, factor: number) => (distance > 0 ? factor / distance : Number.POSITIVE_INFINITY);
