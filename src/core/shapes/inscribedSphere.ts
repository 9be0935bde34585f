import { findSupportVertex } from './directionMap.ts';

/**
 * Extents below this, relative to the largest, count as zero: the rounding error of the principal axes is a few machine
 * epsilons.
 */
const FLAT_EXTENT = 1e-11;
/**
 * A center at most this far outside a flat shape counts as inside, relative to size: coordinates of points on a plane
 * are rounded.
 */
const BOUNDARY_TOLERANCE = 1e-9;
/** Tolerance for points on the plane of a facet, relative to size: rounding of the normal of the plane. */
const COPLANAR_TOLERANCE = 1e-12;
/** Refinement stops when a facet of the inner polytope is within this factor of the boundary of the shape. */
const REFINEMENT_FACTOR = 1.2;
/**
 * Refinement rounds of the inner polytope with the center inside it and outside it; each round adds a vertex, and the
 * cost is cubic in their number.
 */
const ROUNDS_INSIDE = 3;
const ROUNDS_OUTSIDE = 24;
/** Shrinks the sphere slightly, so that rounding in the planes of sliver facets cannot make it leave the shape. */
const SHRINK = 1 - 1e-6;

/**
 * Returns the radius of a sphere about `center` in the convex hull of `vertices`: 0 if the hull is flat or the center
 * on its boundary, negative if the center is outside. A lower bound: exact for few vertices, otherwise the radius of an
 * inner polytope whose vertices are support points, refined where the sphere touches it.
 */
export function inscribedSphereRadius(vertices: Float64Array, center: ArrayLike<number>): number {
  const relative = relativeTo(center, vertices);
  const axes = principalAxes(relative);
  const extents = axes.map((axis) => extentAlong(relative, axis));
  const size = Math.max(...extents.map(({ min, max }) => max - min));
  const offset = farthestNorm(relative);
  const flat = extents.map(({ min, max }) => max - min <= FLAT_EXTENT * size);
  const tolerance = BOUNDARY_TOLERANCE * Math.max(size, 0);
  for (let i = 0; i < 3; i++) {
    const { min, max } = extents[i];
    if (flat[i] && (min > tolerance || max < -tolerance)) return -offset;
  }
  if (size === 0) return 0; // a single point that coincides with the center
  const { radius, proved } = buildInnerPolytope(relative, axes, extents, flat, size);
  if (flat.includes(true)) return radius >= -tolerance ? 0 : -offset;
  if (radius > tolerance) return radius * SHRINK;
  return proved && radius < -tolerance ? -offset : 0;
}

function relativeTo(center: ArrayLike<number>, vertices: Float64Array): Float64Array {
  const relative = new Float64Array(vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    relative[k] = vertices[k] - center[0];
    relative[k + 1] = vertices[k + 1] - center[1];
    relative[k + 2] = vertices[k + 2] - center[2];
  }
  return relative;
}

interface Extent {
  readonly min: number;
  readonly max: number;
}

type Axis = readonly [number, number, number];

/**
 * Builds an inner polytope from the support points along 26 directions of the principal frame, then refines it along
 * the normal of the facet that the sphere touches.
 */
function buildInnerPolytope(
  points: Float64Array,
  axes: readonly Axis[],
  extents: readonly Extent[],
  flat: readonly boolean[],
  size: number,
) {
  const vertexCoordinates: number[] = [];
  const chosen = new Set<number>();
  const add = (k: number): void => {
    if (chosen.has(k)) return;
    chosen.add(k);
    const at: Axis[] = [[points[k], points[k + 1], points[k + 2]]];
    // A flat shape is replaced by the prism over it: the center is in the shape if and only if it is in the prism.
    axes.forEach(([x, y, z], i) => {
      if (flat[i])
        for (const [px, py, pz] of at.splice(0))
          at.push([px + size * x, py + size * y, pz + size * z], [px - size * x, py - size * y, pz - size * z]);
    });
    for (const p of at) vertexCoordinates.push(...p);
  };
  for (let code = 0; code < 27; code++) {
    const steps = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
    const d = [0, 0, 0];
    axes.forEach((axis, i) => {
      if (flat[i]) return;
      for (let k = 0; k < 3; k++) d[k] += (steps[i] * axis[k] * size) / (extents[i].max - extents[i].min);
    });
    if (d.some((x) => x !== 0)) add(findSupportVertex(points, d[0], d[1], d[2]));
  }
  let nearest = findNearestFacet(vertexCoordinates, size);
  for (let round = 0; round < (nearest.radius > 0 ? ROUNDS_INSIDE : ROUNDS_OUTSIDE); round++) {
    const [x, y, z] = nearest.normal;
    const k = findSupportVertex(points, x, y, z);
    const supportValue = points[k] * x + points[k + 1] * y + points[k + 2] * z;
    if (supportValue < 0) return { radius: supportValue, proved: true };
    if (supportValue <= REFINEMENT_FACTOR * nearest.radius || chosen.has(k)) break;
    add(k);
    nearest = findNearestFacet(vertexCoordinates, size);
  }
  return { radius: nearest.radius, proved: false };
}

/**
 * Finds the facet of the convex hull of a few points whose plane is nearest to the origin, by trying all triples of
 * points. A plane that is no nearer than the nearest so far matters only if the origin is outside it; then one point
 * behind the plane excludes it as a facet.
 */
function findNearestFacet(list: readonly number[], size: number) {
  const points = Float64Array.from(list);
  let radius = Number.POSITIVE_INFINITY;
  const normal: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    const ax = points[i],
      ay = points[i + 1],
      az = points[i + 2];
    for (let j = i + 3; j < points.length; j += 3) {
      const ux = points[j] - ax,
        uy = points[j + 1] - ay,
        uz = points[j + 2] - az;
      for (let k = j + 3; k < points.length; k += 3) {
        const vx = points[k] - ax,
          vy = points[k + 1] - ay,
          vz = points[k + 2] - az;
        const x = uy * vz - uz * vy,
          y = uz * vx - ux * vz,
          z = ux * vy - uy * vx;
        const length = Math.sqrt(x * x + y * y + z * z);
        if (!(length > COPLANAR_TOLERANCE * size * size)) continue;
        const level = ax * x + ay * y + az * z;
        const isFar = Math.abs(level) >= radius * length;
        const side = sideOfAll(points, x, y, z, level, COPLANAR_TOLERANCE * size * length, isFar);
        if (side === 0 || side * level >= radius * length) continue;
        radius = (side * level) / length;
        normal[0] = (side * x) / length;
        normal[1] = (side * y) / length;
        normal[2] = (side * z) / length;
      }
    }
  }
  return { radius: Number.isFinite(radius) ? radius : 0, normal };
}

/**
 * Returns 1 if all points are behind the plane or on it, −1 if all are in front of it, otherwise 0.
 * @param onlyOutside also returns 0 if the origin is on the plane or on the same side as the points
 */
function sideOfAll(
  points: Float64Array,
  x: number,
  y: number,
  z: number,
  level: number,
  tolerance: number,
  onlyOutside: boolean,
): number {
  const frontExcludes = onlyOutside && level <= 0;
  const behindExcludes = onlyOutside && level >= 0;
  let isAnyInFront = false;
  let isAnyBehind = false;
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z - level;
    if (along > tolerance) isAnyInFront = true;
    else if (along < -tolerance) isAnyBehind = true;
    if (isAnyInFront && (isAnyBehind || frontExcludes)) return 0;
    if (isAnyBehind && behindExcludes) return 0;
  }
  return isAnyInFront ? -1 : isAnyBehind ? 1 : 0;
}

function extentAlong(points: Float64Array, [x, y, z]: Axis): Extent {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    min = Math.min(min, along);
    max = Math.max(max, along);
  }
  return { min, max };
}

function farthestNorm(points: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < points.length; i += 3) {
    squared = Math.max(squared, points[i] * points[i] + points[i + 1] * points[i + 1] + points[i + 2] * points[i + 2]);
  }
  return Math.sqrt(squared);
}

/**
 * Returns three orthogonal directions of decreasing extent of the points: the farthest pair as seen from the first
 * point, the farthest point off that line, and the normal of both. As good as eigenvectors for separating flat from
 * thin shapes, and exact for flat input.
 */
function principalAxes(points: Float64Array): [Axis, Axis, Axis] {
  const from = farthestFrom(points, points[0], points[1], points[2], [0, 0, 0]);
  const [ax, ay, az] = [points[from], points[from + 1], points[from + 2]];
  const to = farthestFrom(points, ax, ay, az, [0, 0, 0]);
  const u = unit([points[to] - ax, points[to + 1] - ay, points[to + 2] - az], [1, 0, 0]);
  const off = farthestFrom(points, ax, ay, az, u);
  const w: Axis = [points[off] - ax, points[off + 1] - ay, points[off + 2] - az];
  const side = orthogonalTo(w, u);
  const thin = norm(side) <= FLAT_EXTENT * norm([points[to] - ax, points[to + 1] - ay, points[to + 2] - az]);
  // Orthogonalised twice, because rounding leaves a component along u; a side that consists of rounding errors has no
  // direction.
  const v = thin ? anyOrthogonal(u) : unit(orthogonalTo(unit(side, u), u), u);
  return [u, v, [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]];
}

/**
 * Returns the offset of the point farthest from the line through (x, y, z) along `u`, or from the point (x, y, z)
 * itself if u is zero.
 */
function farthestFrom(points: Float64Array, x: number, y: number, z: number, u: Axis): number {
  const ux = u[0],
    uy = u[1],
    uz = u[2];
  let best = 0;
  let maxSquared = -1;
  for (let i = 0; i < points.length; i += 3) {
    const dx = points[i] - x,
      dy = points[i + 1] - y,
      dz = points[i + 2] - z;
    const along = dx * ux + dy * uy + dz * uz;
    const ex = dx - along * ux,
      ey = dy - along * uy,
      ez = dz - along * uz;
    const squared = ex * ex + ey * ey + ez * ez;
    if (squared > maxSquared) {
      maxSquared = squared;
      best = i;
    }
  }
  return best;
}

function norm(d: Axis): number {
  return Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

function unit(d: Axis, fallback: Axis): Axis {
  const length = norm(d);
  return length > 0 ? [d[0] / length, d[1] / length, d[2] / length] : fallback;
}

/** Returns d minus its component along the unit vector u. */
function orthogonalTo(d: Axis, u: Axis): Axis {
  const along = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
  return [d[0] - along * u[0], d[1] - along * u[1], d[2] - along * u[2]];
}

function anyOrthogonal(u: Axis): Axis {
  return unit(Math.abs(u[0]) > 0.57 ? [u[1], -u[0], 0] : [0, u[2], -u[1]], [0, 1, 0]);
}
