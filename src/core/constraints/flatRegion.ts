import { addScaled, cross, dot, norm, scale, sub, type Vec3, create as vec3 } from '../math/vec3.ts';
import { nearestOfPolygon, polygonOf } from './polytopeFacets.ts';

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
