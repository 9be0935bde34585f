import { farthest } from './directionMap.ts';

/** Extents below this, relative to the largest, are none: rounding of the principal axes is a few machine epsilons. */
const FLAT = 1e-11;
/** A centre this far (relative to size) outside a flat body still counts as in it: nobody can write plane points exactly. */
const ON_BOUNDARY = 1e-9;
/** Points on a facet's plane, relative to size: rounding of the plane's normal. */
const COPLANAR = 1e-12;
/** Enough when a facet of the inner polytope lies within this factor of the body's own boundary. */
const CLOSE_ENOUGH = 1.2;
/** Rounds of growing the inner polytope, with the centre in it and not; each adds a corner, and the cost is the third power of all. */
const ROUNDS_INSIDE = 3;
const ROUNDS_OUTSIDE = 24;
/** Shrinks the ball a little, so that rounding in the planes of sliver facets cannot push it out of the body. */
const SHRINK = 1 - 1e-6;

/**
 * Radius of a ball about `center` in the hull of `vertices`: 0 if the hull is flat or the centre on its boundary, below 0 if the centre
 * is outside. A lower bound: exact for few corners, else that of an inner polytope whose corners are support points, grown where the
 * ball touches.
 */
export function innerBall(vertices: Float64Array, center: ArrayLike<number>): number {
  const relative = seenFrom(center, vertices);
  const axes = principalAxes(relative);
  const extents = axes.map((axis) => extentAlong(relative, axis));
  const size = Math.max(...extents.map(({ least, most }) => most - least));
  const offset = farthestNorm(relative);
  const flat = extents.map(({ least, most }) => most - least <= FLAT * size);
  const tolerance = ON_BOUNDARY * Math.max(size, 0);
  for (let i = 0; i < 3; i++) {
    const { least, most } = extents[i];
    if (flat[i] && (least > tolerance || most < -tolerance)) return -offset;
  }
  if (size === 0) return 0; // a point, and the centre on it
  const { radius, proved } = grow(relative, axes, extents, flat, size);
  if (flat.includes(true)) return radius >= -tolerance ? 0 : -offset;
  if (radius > tolerance) return radius * SHRINK;
  return proved && radius < -tolerance ? -offset : 0;
}

function seenFrom(center: ArrayLike<number>, vertices: Float64Array): Float64Array {
  const relative = new Float64Array(vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    relative[k] = vertices[k] - center[0];
    relative[k + 1] = vertices[k + 1] - center[1];
    relative[k + 2] = vertices[k + 2] - center[2];
  }
  return relative;
}

interface Extent {
  readonly least: number;
  readonly most: number;
}

type Axis = readonly [number, number, number];

/** Inner polytope from the points farthest along 26 directions of the body's principal frame, then from where the ball touches. */
function grow(
  points: Float64Array,
  axes: readonly Axis[],
  extents: readonly Extent[],
  flat: readonly boolean[],
  size: number,
) {
  const corners: number[] = [];
  const chosen = new Set<number>();
  const add = (k: number): void => {
    if (chosen.has(k)) return;
    chosen.add(k);
    const at: Axis[] = [[points[k], points[k + 1], points[k + 2]]];
    // A flat body is judged as the prism over it: the centre lies in the one where it lies in the other.
    axes.forEach(([x, y, z], i) => {
      if (flat[i])
        for (const [px, py, pz] of at.splice(0))
          at.push([px + size * x, py + size * y, pz + size * z], [px - size * x, py - size * y, pz - size * z]);
    });
    for (const p of at) corners.push(...p);
  };
  for (let code = 0; code < 27; code++) {
    const steps = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
    const d = [0, 0, 0];
    axes.forEach((axis, i) => {
      if (flat[i]) return;
      for (let k = 0; k < 3; k++) d[k] += (steps[i] * axis[k] * size) / (extents[i].most - extents[i].least);
    });
    if (d.some((x) => x !== 0)) add(farthest(points, d[0], d[1], d[2]));
  }
  let nearest = nearestFacet(corners, size);
  for (let round = 0; round < (nearest.radius > 0 ? ROUNDS_INSIDE : ROUNDS_OUTSIDE); round++) {
    const [x, y, z] = nearest.normal;
    const k = farthest(points, x, y, z);
    const reach = points[k] * x + points[k + 1] * y + points[k + 2] * z;
    if (reach < 0) return { radius: reach, proved: true };
    if (reach <= CLOSE_ENOUGH * nearest.radius || chosen.has(k)) break;
    add(k);
    nearest = nearestFacet(corners, size);
  }
  return { radius: nearest.radius, proved: false };
}

/**
 * The facet of the hull of a few points whose plane is nearest to the origin, by trying every three of them. Where the plane is no nearer than
 * the nearest so far, only a facet that the origin is outside of would do, and one point behind it tells that there is none.
 */
function nearestFacet(list: readonly number[], size: number) {
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
        if (!(length > COPLANAR * size * size)) continue;
        const level = ax * x + ay * y + az * z;
        const isFar = Math.abs(level) >= radius * length;
        const side = sideOfAll(points, x, y, z, level, COPLANAR * size * length, isFar);
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
 * 1 if all points lie behind the plane (or on it), −1 if all lie before it, 0 otherwise.
 * @param onlyOutside 0, too, where the origin lies on the plane or on the side that the points lie on
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
  const noneBefore = onlyOutside && level <= 0;
  const noneBehind = onlyOutside && level >= 0;
  let before = false;
  let behind = false;
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z - level;
    if (along > tolerance) before = true;
    else if (along < -tolerance) behind = true;
    if (before && (behind || noneBefore)) return 0;
    if (behind && noneBehind) return 0;
  }
  return before ? -1 : behind ? 1 : 0;
}

function extentAlong(points: Float64Array, [x, y, z]: Axis): Extent {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    least = Math.min(least, along);
    most = Math.max(most, along);
  }
  return { least, most };
}

function farthestNorm(points: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < points.length; i += 3) {
    squared = Math.max(squared, points[i] * points[i] + points[i + 1] * points[i + 1] + points[i + 2] * points[i + 2]);
  }
  return Math.sqrt(squared);
}

/**
 * Three directions at right angles along which the points spread most and least: the farthest pair seen from the mean, then the
 * farthest point off that line, then their normal. As good as eigenvectors for telling flat from thin, and exact for flat input.
 */
function principalAxes(points: Float64Array): [Axis, Axis, Axis] {
  const from = farthestFrom(points, points[0], points[1], points[2], [0, 0, 0]);
  const [ax, ay, az] = [points[from], points[from + 1], points[from + 2]];
  const to = farthestFrom(points, ax, ay, az, [0, 0, 0]);
  const u = unit([points[to] - ax, points[to + 1] - ay, points[to + 2] - az], [1, 0, 0]);
  const off = farthestFrom(points, ax, ay, az, u);
  const w: Axis = [points[off] - ax, points[off + 1] - ay, points[off + 2] - az];
  const side = orthogonalTo(w, u);
  const thin = norm(side) <= FLAT * norm([points[to] - ax, points[to + 1] - ay, points[to + 2] - az]);
  // Twice, for what rounding left along u; a side that is nothing but rounding says nothing.
  const v = thin ? anyOrthogonal(u) : unit(orthogonalTo(unit(side, u), u), u);
  return [u, v, [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]];
}

/** Offset of the point farthest from the line through (x, y, z) along `u`; from the point itself if u is zero. */
function farthestFrom(points: Float64Array, x: number, y: number, z: number, u: Axis): number {
  const ux = u[0],
    uy = u[1],
    uz = u[2];
  let best = 0;
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const dx = points[i] - x,
      dy = points[i + 1] - y,
      dz = points[i + 2] - z;
    const along = dx * ux + dy * uy + dz * uz;
    const ex = dx - along * ux,
      ey = dy - along * uy,
      ez = dz - along * uz;
    const squared = ex * ex + ey * ey + ez * ez;
    if (squared > most) {
      most = squared;
      best = i;
    }
  }
  return best;
}

function norm(d: Axis): number {
  return Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

function unit(d: Axis, otherwise: Axis): Axis {
  const length = norm(d);
  return length > 0 ? [d[0] / length, d[1] / length, d[2] / length] : otherwise;
}

/** d without its part along the unit vector u. */
function orthogonalTo(d: Axis, u: Axis): Axis {
  const along = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
  return [d[0] - along * u[0], d[1] - along * u[1], d[2] - along * u[2]];
}

function anyOrthogonal(u: Axis): Axis {
  return unit(Math.abs(u[0]) > 0.57 ? [u[1], -u[0], 0] : [0, u[2], -u[1]], [0, 1, 0]);
}
