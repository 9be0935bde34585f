import { InputError } from '../../errors.ts';
import { addScaled, cross, dot, norm, normalize, scale, sub, type Vec3, create as vec3 } from '../math/vec3.ts';
import { createShape } from '../shapes/index.ts';
import type { ShapeSpec } from '../shapes/shape.ts';
import {
  ellipsoidWall,
  facetsOf,
  nearestOfPolygon,
  plane,
  polygonOf,
  type RegionBound,
  roundedSet,
  roundWall,
} from './polytopeFacets.ts';

/** A convex set as the intersection of bounds, with the nearest point of the set to a position outside. */
interface Core {
  /** None if the set has no inside; then it needs a margin. */
  readonly bounds: readonly RegionBound[];
  readonly nearest: (out: Vec3, x: Vec3) => void;
}

interface Fields {
  readonly size: readonly number[];
  readonly radius: number;
  readonly length: number;
  readonly radiusBottom: number;
  readonly radiusTop: number;
  readonly radii: readonly number[];
  readonly points: readonly (readonly number[])[];
  readonly normal: readonly number[];
}

/** Shapes of regions, by type: without margins. */
const cores: Readonly<Record<string, (shape: Fields) => Core>> = {
  box: ({ size }) => boxCore(size.map((length) => length / 2)),
  sphere: ({ radius }) => sphereCore(radius),
  capsule: ({ radius, length }) => capsuleCore(radius, length / 2),
  cylinder: ({ radius, length }) => frustumCore(radius, radius, length / 2),
  cone: ({ radius, length }) => frustumCore(radius, 0, length / 2),
  frustum: ({ radiusBottom, radiusTop, length }) => frustumCore(radiusBottom, radiusTop, length / 2),
  ellipsoid: ({ radii }) => ({
    bounds: [ellipsoidWall(radii)],
    nearest: (out, x) => nearestOfEllipsoid(out, x, radii),
  }),
  convex: ({ points }) => convexCore(points),
  halfspace: ({ normal }) => halfspaceCore(normal),
};

/** Types of shapes that a region may have. */
export const regionShapes: readonly string[] = Object.keys(cores);

/**
 * Returns the bounds of a region: a position is inside if the values of all are at most 0. Throws `InputError` for
 * shapes that are no regions, and for sizes that are not valid.
 * @param label name of the constraint, for messages
 */
export function regionBounds(shape: ShapeSpec, label: string): readonly RegionBound[] {
  if (!Object.hasOwn(cores, shape.type))
    throw new InputError(
      `constraint "${label}": a region cannot be a ${shape.type}`,
      `Use one of: ${regionShapes.join(', ')}.`,
    );
  try {
    createShape(shape); // checks the fields
    const { bounds, nearest } = cores[shape.type](shape as unknown as Fields);
    const { margin = 0 } = shape;
    if (bounds.length === 0 && !(margin > 0))
      throw new InputError('the region is flat: it has no inside', 'Give it a margin, such as margin: 1 mm.');
    if (margin === 0) return bounds;
    const depth = bounds.length === 0 ? noDepth : (gradient: Vec3, x: Vec3) => largest(bounds, gradient, x);
    return [roundedSet(nearest, depth, margin)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`constraint "${label}": ${error.message}`, error.note);
  }
}

/** Returns the largest value of several bounds, and writes its gradient. */
function largest(bounds: readonly RegionBound[], gradient: Vec3, x: Vec3): number {
  let most = Number.NEGATIVE_INFINITY;
  let worst = bounds[0];
  for (const bound of bounds) {
    const value = bound.evaluate(gradient, x);
    if (value <= most) continue;
    most = value;
    worst = bound;
  }
  return worst.evaluate(gradient, x);
}

function boxCore(half: readonly number[]): Core {
  const axis = (i: number, sign: number) => [0, 1, 2].map((k) => (k === i ? sign : 0));
  return {
    bounds: half.flatMap((most, i) => [plane(axis(i, 1), most), plane(axis(i, -1), most)]),
    nearest: (out, x) => {
      for (let i = 0; i < 3; i++) out[i] = Math.min(half[i], Math.max(-half[i], x[i]));
    },
  };
}

const sphereCore = (radius: number) => capsuleCore(radius, 0);

/** A capsule, or a sphere if `half` is 0: the segment along z with a radius. */
function capsuleCore(radius: number, half: number): Core {
  const onSegment = (out: Vec3, x: Vec3) => {
    out[0] = 0;
    out[1] = 0;
    out[2] = Math.min(half, Math.max(-half, x[2]));
  };
  return {
    bounds: [roundedSet(onSegment, noDepth, radius)],
    nearest: (out, x) => {
      onSegment(out, x);
      const offset = [x[0] - out[0], x[1] - out[1], x[2] - out[2]];
      const distance = Math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2);
      if (distance <= radius) out.set(x);
      else for (let i = 0; i < 3; i++) out[i] += (radius / distance) * offset[i];
    },
  };
}

/** A segment and other flat sets have no inside. */
function noDepth(gradient: Vec3): number {
  gradient.fill(0);
  return 0;
}

function frustumCore(bottom: number, top: number, half: number): Core {
  // The wall goes from (bottom, −half) to (top, half) in the plane of ρ and z; its normal is (2 half, bottom − top).
  const length = Math.sqrt(4 * half * half + (bottom - top) * (bottom - top));
  const [radial, axial] = [(2 * half) / length, (bottom - top) / length];
  return {
    bounds: [roundWall(radial, axial, radial * bottom - axial * half), plane([0, 0, 1], half), plane([0, 0, -1], half)],
    nearest: (out, x) => {
      const rho = Math.sqrt(x[0] * x[0] + x[1] * x[1]);
      const beyond = radial * rho + axial * x[2] - (radial * bottom - axial * half);
      if (beyond <= 0 && Math.abs(x[2]) <= half) {
        out.set(x);
        return;
      }
      // The nearest of the points of the wall and of both lids, in the plane of ρ and z.
      const share = ((rho - bottom) * (top - bottom) + (x[2] + half) * 2 * half) / (length * length);
      const along = Math.min(1, Math.max(0, share));
      const candidates = [
        [bottom + along * (top - bottom), -half + along * 2 * half],
        [Math.min(rho, bottom), -half],
        [Math.min(rho, top), half],
      ];
      let [r, z] = [Number.NaN, Number.NaN];
      let least = Number.POSITIVE_INFINITY;
      for (const [a, b] of candidates) {
        const away = (a - rho) ** 2 + (b - x[2]) ** 2;
        if (away < least) {
          least = away;
          [r, z] = [a, b];
        }
      }
      out[0] = rho > 0 ? (x[0] * r) / rho : r;
      out[1] = rho > 0 ? (x[1] * r) / rho : 0;
      out[2] = z;
    },
  };
}

/** Steps of the bisection for the nearest point of an ellipsoid. */
const ELLIPSOID_STEPS = 100;

/** The nearest point is pᵢ = rᵢ² xᵢ / (t + rᵢ²), with the t >= 0 at which Σ (pᵢ / rᵢ)² = 1. */
function nearestOfEllipsoid(out: Vec3, x: Vec3, radii: readonly number[]): void {
  const excess = (t: number) => radii.reduce((sum, r, i) => sum + ((r * x[i]) / (t + r * r)) ** 2, 0) - 1;
  out.set(x);
  if (excess(0) <= 0) return;
  let low = 0;
  let high = Math.max(...radii) * Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (let step = 0; step < ELLIPSOID_STEPS; step++) {
    const middle = 0.5 * (low + high);
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  // `high` is inside or on the boundary: distances from there are never too small
  for (let i = 0; i < 3; i++) out[i] = (radii[i] * radii[i] * x[i]) / (high + radii[i] * radii[i]);
}

/** The half-space behind the plane through the origin with this outward normal, of any length. */
function halfspaceCore(given: readonly number[]): Core {
  const normal = Float64Array.from(given);
  scale(normal, normal, 1 / Math.max(...normal.map(Math.abs))); // the squares of its components may overflow
  normalize(normal, normal);
  return {
    bounds: [plane(normal, 0)],
    nearest: (out, x) => addScaled(out, x, normal, -Math.max(0, dot(normal, x))),
  };
}

function convexCore(points: readonly (readonly number[])[]): Core {
  const flat = nearestOfFlatRegion(points);
  if (flat) return { bounds: [], nearest: flat };
  const facets = facetsOf(points);
  return {
    bounds: facets.map(({ normal, offset }) => plane(normal, offset)),
    nearest: (out, x) => {
      let least = Number.POSITIVE_INFINITY;
      const p = new Float64Array(3);
      out.set(x);
      for (const facet of facets) {
        if (facet.normal[0] * x[0] + facet.normal[1] * x[1] + facet.normal[2] * x[2] <= facet.offset) continue;
        facet.nearest(p, x);
        const away = (p[0] - x[0]) ** 2 + (p[1] - x[1]) ** 2 + (p[2] - x[2]) ** 2;
        if (away >= least) continue;
        least = away;
        out.set(p);
      }
    },
  };
}

/**
 * Relative to the largest distance of two points: points this close to a plane, a line or a point count as in it.
 * Thicker hulls are polytopes; errors of this size are rounding errors.
 */
const FLAT = 1e-12;

/**
 * Returns a function that writes the nearest point of the convex hull of points which are in a plane, on a line or all
 * equal; undefined if they are not.
 */
export function nearestOfFlatRegion(given: readonly (readonly number[])[]): ((out: Vec3, x: Vec3) => void) | undefined {
  const points = given.map((point) => Float64Array.from(point));
  const [a, b] = farthestPair(points);
  const size = distance(a, b);
  const u = vec3();
  sub(u, b, a);
  if (size === 0) return (out) => out.set(a);
  scale(u, u, 1 / size);

  const away = points.map((p) => acrossOf(p, a, u));
  const most = away.reduce((best, one) => (norm(one) > norm(best) ? one : best));
  if (!(norm(most) > FLAT * size))
    return (out, x) => {
      sub(out, x, a);
      addScaled(out, a, u, Math.min(size, Math.max(0, dot(out, u))));
    };

  const normal = vec3();
  cross(normal, u, most);
  scale(normal, normal, 1 / norm(normal));
  const offset = dot(normal, a);
  if (points.some((p) => !(Math.abs(dot(normal, p) - offset) <= FLAT * size))) return undefined;
  const polygon = polygonOf(points, normal, size);
  if (polygon.length < 3) return undefined;
  return (out, x) => nearestOfPolygon(out, x, polygon, normal, offset);
}

/** Returns the two points with the largest distance; one twice if all are equal. */
function farthestPair(points: readonly Vec3[]): readonly [Vec3, Vec3] {
  let found: readonly [Vec3, Vec3] = [points[0], points[0]];
  for (const a of points) for (const b of points) if (distance(a, b) > distance(...found)) found = [a, b];
  return found;
}

/** Returns the part of p − a across the unit vector u. */
function acrossOf(p: Vec3, a: Vec3, u: Vec3): Vec3 {
  const out = vec3();
  sub(out, p, a);
  addScaled(out, out, u, -dot(out, u));
  return out;
}

const distance = (a: Vec3, b: Vec3) => Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
