import { InputError } from '../../errors.ts';
import { type Point2, planarHull } from '../math/planarHull.ts';
import { addScaled, copy, create, cross, difference, dot, norm, normalize, scale, type Vec3 } from '../math/vec3.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';

/**
 * A capsule or a padded polygon [Tracy22 §III–IV]: all points within `radius` of a flat core, which is a point
 * (dimension 0), a segment (1) or a convex polygon (2). In the frame of the pill the core is
 *
 *     { origin + Σ y_k axes_k :  C y <= d },
 *
 * with orthonormal axes and y in metres: for a segment 0 <= y₀ <= length (θ of the paper times the length), for a
 * polygon one row of C per side, its unit normal in the plane. Lengths in metres.
 */
export interface Pill {
  /** Dimension of the core. */
  readonly dimension: 0 | 1 | 2;
  /** Radius about the core. */
  readonly radius: number;
  /** Origin of the core coordinates in the frame of the pill. */
  readonly origin: Vec3;
  /** Orthonormal axes of the core, one per dimension. */
  readonly axes: readonly Vec3[];
  /** Rows of C of the constraints C y <= d, `dimension` entries each: outward unit normals of the sides. */
  readonly C: Float64Array;
  /** Right-hand side of the constraints C y <= d, metres. */
  readonly d: Float64Array;
  /** Radius of a sphere about `origin` that contains the core. */
  readonly boundingRadius: number;
}

/** Creates a capsule along z with a core of `length` metres centred at the origin; 0 makes a sphere. */
export const createCapsulePill = (radius: number, length: number): Pill =>
  pillOf(createShape({ type: 'capsule', radius, length }))!;

/**
 * Creates a padded polygon in the plane z = 0: all points within `radius` of the convex hull of vertices [x, y], which
 * must not be collinear.
 */
export function createPaddedPolygonPill(radius: number, vertices: readonly ArrayLike<number>[]): Pill {
  const points = vertices.map((vertex) => [vertex[0], vertex[1], 0]);
  const pill = pillOf(createShape({ type: 'convex', points, margin: radius }));
  if (pill?.dimension === 2) return pill;
  throw new InputError(
    'the vertices of a padded polygon are collinear',
    'Use at least three vertices that are not collinear, or a capsule.',
  );
}

/** A vertex this near to the plane of the others, relative to the size of the shape, is in the plane. */
const FLAT = 1e-12;

/**
 * Returns a shape as a pill, in the frame of the shape: spheres, capsules and flat hulls, with or without margin;
 * undefined for all other shapes.
 */
export function pillOf({ type, size, margin, vertices }: ConvexShape): Pill | undefined {
  if (type === 'sphere') return segmentPill([create(), create()], margin);
  if (type === 'capsule') return segmentPill([create(0, 0, -size[0]), create(0, 0, size[0])], margin);
  if (type !== 'convex') return undefined;
  const points = Array.from({ length: vertices.length / 3 }, (_, i) => vertices.slice(3 * i, 3 * i + 3));
  const offset = (p: Vec3): Vec3 => difference(p, points[0]);
  const far = greatest(points, (p) => norm(offset(p)));
  const extent = norm(offset(far));
  if (extent === 0) return segmentPill([points[0], points[0]], margin);
  const u = create();
  normalize(u, offset(far));
  const wide = greatest(points, (p) => norm(perpendicular(offset(p), u)));
  const v = perpendicular(offset(wide), u);
  if (norm(v) <= FLAT * extent) {
    const along = (p: Vec3) => dot(offset(p), u);
    return segmentPill([greatest(points, (p) => -along(p)), greatest(points, along)], margin);
  }
  normalize(v, v);
  const n = create();
  cross(n, u, v);
  if (points.some((p) => Math.abs(dot(offset(p), n)) > FLAT * extent)) return undefined;
  return polygonPill(points, u, v, margin);
}

/** Returns the pill as the spec of a `convex` shape with a margin, in the frame of the pill. */
export function specOfPill({ dimension, radius, origin, axes, C, d }: Pill): ShapeSpec {
  if (dimension < 2) {
    const ends = dimension === 0 ? [0] : [0, d[0]];
    const points = ends.map((y) => Array.from(origin, (x, k) => x + (y === 0 ? 0 : y * axes[0][k])));
    return { type: 'convex', points, margin: radius };
  }
  const points = Array.from(d, (_, i) => {
    const vertex = vertexOf(C, d, i);
    return Array.from(origin, (x, k) => x + vertex[0] * axes[0][k] + vertex[1] * axes[1][k]);
  });
  return { type: 'convex', points, margin: radius };
}

/** Returns the vertex between side i of a polygon and the next. */
function vertexOf(C: Float64Array, d: Float64Array, i: number): [number, number] {
  const j = (i + 1) % d.length;
  const determinant = C[2 * i] * C[2 * j + 1] - C[2 * i + 1] * C[2 * j];
  return [(d[i] * C[2 * j + 1] - d[j] * C[2 * i + 1]) / determinant, (C[2 * i] * d[j] - C[2 * j] * d[i]) / determinant];
}

function segmentPill([from, to]: readonly Vec3[], radius: number): Pill {
  const axis = difference(to, from);
  const length = normalize(axis, axis);
  const none = new Float64Array(0);
  if (length === 0) return { dimension: 0, radius, origin: from, axes: [], C: none, d: none, boundingRadius: 0 };
  return {
    dimension: 1,
    radius,
    origin: from,
    axes: [axis],
    C: Float64Array.of(1, -1),
    d: Float64Array.of(length, 0),
    boundingRadius: length,
  };
}

function polygonPill(points: readonly Vec3[], u: Vec3, v: Vec3, radius: number): Pill {
  const origin = create();
  for (const p of points) addScaled(origin, origin, p, 1 / points.length);
  const vertices = planarHull(
    points.map((p): Point2 => [dot(difference(p, origin), u), dot(difference(p, origin), v)]),
  );
  const sides = vertices.map(([x, y], i) => {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length];
    const length = Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
    const normal: Point2 = [(nextY - y) / length, (x - nextX) / length];
    return { normal, offset: normal[0] * x + normal[1] * y };
  });
  return {
    dimension: 2,
    radius,
    origin,
    axes: [u, v],
    C: Float64Array.from(sides.flatMap(({ normal }) => normal)),
    d: Float64Array.from(sides, ({ offset }) => offset),
    boundingRadius: Math.max(...points.map((p) => norm(difference(p, origin)))),
  };
}

/** Returns the component of p perpendicular to the unit vector u. */
function perpendicular(p: Vec3, u: Vec3): Vec3 {
  const out = create();
  copy(out, u);
  scale(out, out, -dot(p, u));
  addScaled(out, out, p, 1);
  return out;
}

function greatest<T>(list: readonly T[], size: (item: T) => number): T {
  return list.reduce((best, item) => (size(item) > size(best) ? item : best));
}
