import { dot, norm, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

/** Angle, radians, up to which a face or an edge is orthogonal to a normal: more than the error of the solver. */
const FLAT = 1e-6;
/** Distance between points, relative to the outer radius, up to which they are equal. */
const EQUAL = 1e-6;

/** Support set of the core of a shape along a normal, in the frame of the shape. */
export interface SupportFace {
  /** Convex hull of the points; a disc of `radius` about the only point; or the plane through it. */
  readonly kind: 'hull' | 'disc' | 'plane';
  /** Points of the core. */
  readonly points: readonly Vec3[];
  /** Radius of a disc, metres; otherwise 0. */
  readonly radius: number;
}

/** Computes the support set along a unit vector; undefined for shapes that are given by a support function. */
export function supportFace(shape: ConvexShape, d: Vec3): SupportFace | undefined {
  const { type, size } = shape;
  if (isHalfspace(shape)) return { kind: 'plane', points: [point(0, 0, 0)], radius: 0 };
  const vertices = verticesOf(shape);
  if (vertices !== undefined) {
    const highest = vertices.reduce((best, v) => (dot(v, d) > dot(best, d) ? v : best));
    return hullOf(...vertices.filter((v) => dot(highest, d) - dot(v, d) <= FLAT * distance(v, highest)));
  }
  if (type === 'ellipsoid') {
    const scaled = d.map((x, k) => size[k] * x);
    const length = norm(scaled);
    return hullOf(scaled.map((x, k) => (size[k] * x) / length));
  }
  const profile = profileOf(shape);
  return profile && revolvedFace(profile, d);
}

/**
 * Returns directions that span the cone of directions from a point on the surface of the core into the core; undefined
 * if finitely many do not: at the tip of a cone, and for shapes that are given by a support function.
 */
export function coneInto(shape: ConvexShape, q: Vec3): readonly Vec3[] | undefined {
  const vertices = verticesOf(shape);
  if (vertices !== undefined) {
    const directions = vertices.map((v) => v.map((x, k) => x - q[k]));
    return directions.filter((e) => norm(e) > EQUAL * shape.outerRadius);
  }
  const profile = profileOf(shape);
  return profile && revolvedCone(profile, q, EQUAL * shape.outerRadius);
}

/**
 * Computes the derivative of the support point of the core by a unit normal, applied to a change of that normal, both
 * in the frame of the shape: H `change`, with the second derivatives H of the support function at `d` and its support
 * point `q`. Undefined for shapes that are given by a support function.
 */
export function supportPointChange(shape: ConvexShape, d: Vec3, q: Vec3, change: Vec3): Vec3 | undefined {
  const { type, size } = shape;
  if (isHalfspace(shape) || verticesOf(shape) !== undefined) return point(0, 0, 0);
  if (type === 'ellipsoid') {
    // ∇²h = (S² − q qᵀ) / ‖S d‖ with S = diag(radii)
    const length = norm(d.map((x, k) => size[k] * x));
    const along = dot(q, change);
    return change.map((x, k) => (size[k] * size[k] * x - along * q[k]) / length);
  }
  if (profileOf(shape) === undefined) return undefined;
  // ∇²h = r / ρ τ τᵀ with the distance r of q from the axis, the length ρ of d across the axis, and the tangent τ
  const across = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
  const radius = Math.sqrt(q[0] * q[0] + q[1] * q[1]);
  if (!(across > FLAT)) return point(0, 0, 0);
  const tangent = point(-d[1] / across, d[0] / across, 0);
  const factor = (radius / across) * dot(tangent, change);
  return tangent.map((x) => factor * x);
}

/** Returns the vertices of a core that is a polytope: for spheres a point, for capsules a segment. */
function verticesOf({ type, size, vertices }: ConvexShape): readonly Vec3[] | undefined {
  if (type === 'sphere') return [point(0, 0, 0)];
  if (type === 'capsule') return [point(0, 0, -size[0]), point(0, 0, size[0])];
  if (type === 'box')
    return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => size.map((half, k) => (((i >> k) & 1) === 1 ? half : -half)));
  if (vertices.length === 0) return undefined;
  return Array.from({ length: vertices.length / 3 }, (_, i) => vertices.slice(3 * i, 3 * i + 3));
}

/** Core that is revolved about z: its radii at the bottom and at the top, and half its length, metres. */
interface Profile {
  readonly bottom: number;
  readonly top: number;
  readonly half: number;
}

function profileOf({ type, size }: ConvexShape): Profile | undefined {
  if (type === 'cylinder') return { bottom: size[0], top: size[0], half: size[1] };
  if (type === 'cone' || type === 'frustum') return { bottom: size[0], top: size[1], half: size[2] };
  return undefined;
}

/** Returns a cap, a generator, a point of a rim or a tip. */
function revolvedFace({ bottom, top, half }: Profile, d: Vec3): SupportFace {
  const across = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
  if (across <= FLAT) {
    const radius = d[2] > 0 ? top : bottom;
    return { kind: radius > 0 ? 'disc' : 'hull', points: [point(0, 0, d[2] > 0 ? half : -half)], radius };
  }
  const [x, y] = [d[0] / across, d[1] / across];
  const upper = point(top * x, top * y, half);
  const lower = point(bottom * x, bottom * y, -half);
  const rise = dot(d, upper) - dot(d, lower);
  const generator = Math.sqrt((top - bottom) * (top - bottom) + 4 * half * half);
  if (Math.abs(rise) <= FLAT * generator) return hullOf(lower, upper);
  return hullOf(rise > 0 ? upper : lower);
}

function revolvedCone({ bottom, top, half }: Profile, q: Vec3, equal: number): readonly Vec3[] | undefined {
  const radius = Math.sqrt(q[0] * q[0] + q[1] * q[1]);
  const isTop = Math.abs(q[2] - half) <= equal;
  const isBottom = Math.abs(q[2] + half) <= equal;
  const rim = isTop ? top : isBottom ? bottom : undefined;
  if (rim !== undefined && radius < rim - equal) return bothWays(point(1, 0, 0), point(0, 1, 0)); // of a cap
  if (!(radius > equal)) return undefined;
  const [x, y] = [q[0] / radius, q[1] / radius];
  const up = point((top - bottom) * x, (top - bottom) * y, 2 * half);
  const tangents = bothWays(point(-y, x, 0));
  if (rim === undefined) return [...tangents, ...bothWays(up)];
  return [...tangents, point(-x, -y, 0), isTop ? up.map((component) => -component) : up];
}

const distance = (p: Vec3, q: Vec3): number => norm(p.map((x, k) => x - q[k]));
const point = (x: number, y: number, z: number): Vec3 => Float64Array.of(x, y, z);
const hullOf = (...points: Vec3[]): SupportFace => ({ kind: 'hull', points, radius: 0 });
const bothWays = (...directions: Vec3[]): Vec3[] => directions.flatMap((e) => [e, e.map((x) => -x)]);
