import { derived } from '../../math/derived.ts';
import { atan2, PI } from '../../math/trigonometry.ts';
import { addScaled, create, cross, difference, dot, norm, scale, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

/** Triangle of vertices x of a hull, in its frame: n·x >= offset; n is a unit vector outwards. */
export interface Facet {
  readonly n: Vec3;
  readonly offset: number;
}

/** Relative to the size of the hull: points that are less in front of a plane are on it. */
const COPLANAR = 1e-12;
/** Solid angles are summed to an integer multiple of 4π with an error below this share of 4π. */
const WHOLE = 1e-3;

type Triangle = readonly [number, number, number];

/**
 * Returns triangles that enclose a part of the convex hull of the vertices of a shape; empty if none are proved to, as
 * for flat hulls. Whatever their origin, they prove by themselves which spheres lie in the hull: every triangle is in
 * it, they form a closed surface of winding number 1 about `inside` (each directed edge has its reverse; the solid
 * angles add up to 4π), and a point that is behind all planes n·x = offset has the same winding number, since the
 * segment from `inside` to it meets no triangle. Every ray from such a point meets a triangle, and none nearer than the
 * nearest plane, so the sphere about it up to that plane lies in the hull.
 */
export const hullFacets = derived((shape: ConvexShape): readonly Facet[] => {
  const points = Array.from({ length: shape.vertices.length / 3 }, (_, i) => shape.vertices.slice(3 * i, 3 * i + 3));
  const triangles = trianglesOf(points);
  if (triangles === undefined || !isClosed(triangles)) return [];
  const facets = triangles.map((triangle) => facetOf(points, triangle));
  const inside = meanOf(triangles.flat().map((i) => points[i]));
  const isBehind = facets.every(({ n, offset }) => offset - dot(n, inside) > 0);
  const angles = triangles.reduce((sum, [i, j, k]) => sum + solidAngle(points[i], points[j], points[k], inside), 0);
  return isBehind && Math.abs(angles / (4 * PI) - 1) < WHOLE ? facets : [];
});

/** Adds the points one after the other to a tetrahedron: the facets in front of a point are replaced by its cone. */
function trianglesOf(points: readonly Vec3[]): readonly Triangle[] | undefined {
  const first = firstTetrahedron(points);
  if (first === undefined) return undefined;
  const tolerance = COPLANAR * norm(difference(points[first[0]], points[first[1]]));
  let faces = tetrahedron(points, first).map((triangle) => ({ triangle, facet: facetOf(points, triangle) }));
  for (const [i, p] of points.entries()) {
    const visible = faces.filter(({ facet: { n, offset } }) => dot(n, p) > offset + tolerance);
    if (visible.length === 0) continue;
    const edges = visible.flatMap(({ triangle: [a, b, c] }) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]);
    const known = new Set(edges);
    const horizon = edges.map((edge) => edge.split(' ').map(Number)).filter(([a, b]) => !known.has(`${b} ${a}`));
    const added = horizon.map(([a, b]): Triangle => [a, b, i]);
    faces = faces.filter((face) => !visible.includes(face));
    faces.push(...added.map((triangle) => ({ triangle, facet: facetOf(points, triangle) })));
  }
  return faces.map(({ triangle }) => triangle);
}

/** Returns four points that span a volume; undefined if the points are nearly in a plane. */
function firstTetrahedron(points: readonly Vec3[]): readonly number[] | undefined {
  if (points.length < 4) return undefined;
  const farthest = (measure: (p: Vec3) => number) =>
    points.reduce((best, p, i) => (measure(p) > measure(points[best]) ? i : best), 0);
  const a = 0;
  const b = farthest((p) => norm(difference(p, points[a])));
  const along = difference(points[b], points[a]);
  const offLine = (p: Vec3) => norm(crossed(along, difference(p, points[a])));
  const c = farthest(offLine);
  const normal = crossed(along, difference(points[c], points[a]));
  const offPlane = (p: Vec3) => Math.abs(dot(normal, difference(p, points[a])));
  const d = farthest(offPlane);
  const size = norm(along);
  return offPlane(points[d]) > 1e-9 * size * size * size ? [a, b, c, d] : undefined;
}

/** Returns the four triangles of a tetrahedron, counterclockwise as seen from outside. */
function tetrahedron(points: readonly Vec3[], [a, b, c, d]: readonly number[]): Triangle[] {
  const normal = crossed(difference(points[b], points[a]), difference(points[c], points[a]));
  const [u, v] = dot(normal, difference(points[d], points[a])) < 0 ? [b, c] : [c, b];
  return [
    [a, u, v],
    [a, d, u],
    [u, d, v],
    [v, d, a],
  ];
}

/** Returns a unit vector and the minimum of its product with the three points, whatever the error of the vector is. */
function facetOf(points: readonly Vec3[], triangle: Triangle): Facet {
  const [p, q, r] = triangle.map((i) => points[i]);
  const n = crossed(difference(q, p), difference(r, p));
  const length = norm(n);
  if (length > 0) scale(n, n, 1 / length);
  return { n, offset: Math.min(dot(n, p), dot(n, q), dot(n, r)) };
}

/** Returns true if each directed edge occurs once, and its reverse, too. */
function isClosed(triangles: readonly Triangle[]): boolean {
  const edges = triangles.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]);
  const known = new Set(edges);
  return (
    known.size === edges.length &&
    triangles.every(([a, b, c]) => [`${b} ${a}`, `${c} ${b}`, `${a} ${c}`].every((edge) => known.has(edge)))
  );
}

/** Returns the solid angle of a triangle as seen from a point [VanOosteromStrackee83]. */
function solidAngle(p: Vec3, q: Vec3, r: Vec3, from: Vec3): number {
  const [a, b, c] = [p, q, r].map((corner) => difference(corner, from));
  const [x, y, z] = [norm(a), norm(b), norm(c)];
  return 2 * atan2(dot(a, crossed(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
}

function meanOf(points: readonly Vec3[]): Vec3 {
  const mean = create();
  for (const p of points) addScaled(mean, mean, p, 1 / points.length);
  return mean;
}

function crossed(a: Vec3, b: Vec3): Vec3 {
  const out = create();
  cross(out, a, b);
  return out;
}
