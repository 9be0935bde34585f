import { boundsOf } from './pointCloud.ts';
import { hullFaces } from './quickHull.ts';
import { coarsened } from './solid.ts';
import type { Triangles } from './triangleCut.ts';

type Points = readonly (readonly [number, number, number])[];

/** Samples along the longest side of a hull, and maximum number of samples of one hull. */
const STEPS = 16;
const MAX_SAMPLES = 600;
/** Meshes of more triangles are replaced by a coarser copy with this many grid cells along the longest side. */
const FINE = 1500;
const CELLS = 48;

/**
 * Computes the greatest distance (m) from the surface of the union of convex parts to the mesh that they cover: how far
 * from the mesh a collision check with the parts may already report a contact. Sampled on the faces of the parts, hence
 * a lower bound; samples inside another part are skipped. 0 for flat parts.
 * @param triangles metres, nine numbers each; meshes of more than `fine` triangles are replaced by a coarser copy with
 * `cells` grid cells along the longest side
 */
export function hullGap(
  triangles: Triangles,
  parts: readonly Points[],
  { fine, cells }: { readonly fine: number; readonly cells: number } = { fine: FINE, cells: CELLS },
): number {
  const bounds = boundsOf(triangles);
  if (bounds === undefined) return 0;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const mesh = triangles.length > 9 * fine ? coarsened(triangles, cells) : triangles;
  const solids = parts.map((points) => partOf(points, 1e-6 * size));
  let greatest = 0;
  for (const [i, points] of parts.entries()) {
    const others = solids.filter((part, j): part is Part => j !== i && part !== undefined);
    for (const p of surfaceSamples(points, size / STEPS)) {
      if (others.some((part) => part.holds(p))) continue;
      greatest = Math.max(greatest, squaredDistance(mesh, p, greatest));
    }
  }
  return Math.sqrt(greatest);
}

/**
 * Returns points spread over the faces of a hull, at most `spacing` apart unless that needs more than `MAX_SAMPLES`.
 */
function surfaceSamples(points: Points, spacing: number): number[][] {
  const [cx, cy, cz] = points[0];
  const centred = Float64Array.from(points.flatMap(([x, y, z]) => [x - cx, y - cy, z - cz]));
  const faces = hullFaces(centred) ?? new Int32Array(0);
  const samples: number[][] = [];
  const step = Math.max(1, Math.floor(faces.length / 3 / MAX_SAMPLES));
  for (let f = 0; f < faces.length; f += 3 * step) {
    const [a, b, c] = [points[faces[f]], points[faces[f + 1]], points[faces[f + 2]]];
    const longest = Math.max(length(a, b), length(b, c), length(c, a));
    const count = Math.max(1, Math.ceil(longest / spacing));
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count - i; j++) {
        const [u, v] = [(i + 1 / 3) / count, (j + 1 / 3) / count];
        samples.push([0, 1, 2].map((k) => a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k])));
      }
    }
  }
  if (samples.length <= MAX_SAMPLES) return samples;
  const every = samples.length / MAX_SAMPLES;
  return Array.from({ length: MAX_SAMPLES }, (_, i) => samples[Math.floor(i * every)]);
}

function length(a: readonly number[], b: readonly number[]): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Computes the squared distance from a point to the nearest triangle; stops at the first one that is at most `enough`
 * away.
 */
function squaredDistance(triangles: Triangles, p: readonly number[], enough: number): number {
  let minDistance = Number.POSITIVE_INFINITY;
  for (let t = 0; t < triangles.length && minDistance > enough; t += 9) {
    minDistance = Math.min(minDistance, squaredDistanceTo(triangles, t, p));
  }
  return minDistance;
}

/**
 * Computes the squared distance from a point to triangle t: to its plane if the projection lies inside, else to the
 * nearest edge.
 */
function squaredDistanceTo(m: Triangles, t: number, [px, py, pz]: readonly number[]): number {
  const [ux, uy, uz] = [m[t + 3] - m[t], m[t + 4] - m[t + 1], m[t + 5] - m[t + 2]];
  const [vx, vy, vz] = [m[t + 6] - m[t], m[t + 7] - m[t + 1], m[t + 8] - m[t + 2]];
  const [wx, wy, wz] = [px - m[t], py - m[t + 1], pz - m[t + 2]];
  const [uu, uv, vv] = [ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz];
  const [wu, wv, ww] = [wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz, wx * wx + wy * wy + wz * wz];
  const area = uu * vv - uv * uv;
  const [s, r] = [vv * wu - uv * wv, uu * wv - uv * wu];
  if (area > 0 && s >= 0 && r >= 0 && s + r <= area) return Math.max(0, ww - (s * wu + r * wv) / area);
  const alongU = uu > 0 ? Math.min(1, Math.max(0, wu / uu)) : 0;
  const alongV = vv > 0 ? Math.min(1, Math.max(0, wv / vv)) : 0;
  const toU = ww - 2 * alongU * wu + alongU * alongU * uu;
  const toV = ww - 2 * alongV * wv + alongV * alongV * vv;
  const edge = uu - 2 * uv + vv; // from the end of u to that of v
  const past = uu - uv - wu + wv;
  const along = edge > 0 ? Math.min(1, Math.max(0, past / edge)) : 0;
  const toEdge = ww - 2 * wu + uu - 2 * along * past + along * along * edge;
  return Math.max(0, Math.min(toU, toV, toEdge));
}

/** A convex part with a volume. */
interface Part {
  /** Returns true if the part contains a point (metres), to the tolerance. */
  readonly holds: (p: readonly number[]) => boolean;
}

/**
 * Returns the hull of points as a part, with its faces moved outwards by `tolerance` metres; undefined if it is flat.
 */
function partOf(points: Points, tolerance: number): Part | undefined {
  const [cx, cy, cz] = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const centred = Float64Array.from(points.flatMap(([x, y, z]) => [x - cx, y - cy, z - cz]));
  const indices = hullFaces(centred);
  if (indices === undefined || !isClosedSurface(indices)) return undefined;
  const planes: number[] = []; // n · p <= d: nx, ny, nz, d each
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]];
    const u = [0, 1, 2].map((k) => centred[b + k] - centred[a + k]);
    const v = [0, 1, 2].map((k) => centred[c + k] - centred[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(area > 0)) continue;
    const [x, y, z] = n.map((component) => component / area);
    const distance = x * centred[a] + y * centred[a + 1] + z * centred[a + 2];
    planes.push(x, y, z, x * cx + y * cy + z * cz + distance + tolerance);
  }
  const box = boundsOf(points.flat())!.map((x, k) => (k < 3 ? x - tolerance : x + tolerance));
  const holds = (p: readonly number[]) => {
    if (![0, 1, 2].every((k) => p[k] >= box[k] && p[k] <= box[k + 3])) return false;
    for (let k = 0; k < planes.length; k += 4)
      if (!(planes[k] * p[0] + planes[k + 1] * p[1] + planes[k + 2] * p[2] <= planes[k + 3])) return false;
    return true;
  };
  return { holds };
}

/**
 * Returns true if each edge of the faces also occurs in the opposite direction: then a point behind all faces is
 * enclosed by them.
 */
function isClosedSurface(faces: Int32Array): boolean {
  const open = new Set<string>();
  for (let c = 0; c < faces.length; c++) {
    const [a, b] = [faces[c], faces[c % 3 === 2 ? c - 2 : c + 1]];
    if (!open.delete(`${b} ${a}`)) open.add(`${a} ${b}`);
  }
  return open.size === 0;
}
