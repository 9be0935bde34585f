import { InputError } from '../errors.ts';
import type { Vec3 } from '../math/vec3.ts';
import { cellOf, createDirectionMap, type DirectionMap, farthest, middlesOfCells } from './directionMap.ts';
import type { ConvexShape, Polytope, SupportFunction } from './shape.ts';

/** From here on climbing along edges beats looking at what the direction map leaves. */
const FEWEST_TO_CLIMB = 1000;
/** How far (relative to size) a climb may fall short of the true support at build time before its edges are given up. */
const CLIMB_TOLERANCE = 1e-11;

/** Corners, direction map and (of big hulls) edges. Edges that do not lead to every extreme point are left unused. */
export function createPolytope(points: readonly ArrayLike<number>[], edges?: readonly ArrayLike<number>[]): Polytope {
  const vertices = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    vertices[3 * i] = point[0];
    vertices[3 * i + 1] = point[1];
    vertices[3 * i + 2] = point[2];
  }
  for (let e = 0; edges !== undefined && e < edges.length; e++) requireEdge(edges[e], e, points.length);
  if (edges !== undefined && points.length >= FEWEST_TO_CLIMB) {
    const climbable = createClimbable(vertices, edges);
    if (climbsEverywhere(climbable)) return climbable;
  }
  const map = createDirectionMap(vertices, false);
  return { vertices, ...cells(map), neighborStart: new Int32Array(1), neighbors: new Int32Array(0) };
}

/** A polytope whose support climbs along edges, however few its corners: for big hulls, and to compare. */
export function createClimbable(vertices: Float64Array, edges: readonly ArrayLike<number>[]): Polytope {
  const map = createDirectionMap(vertices, true);
  return { vertices, ...cells(map), ...linkNeighbors(vertices.length / 3, edges, map.corners[map.start[1]] / 3) };
}

/** Support of a polytope. The hint is the corner to climb from, if there is climbing to do; any number will do. */
export const supportPolytope: SupportFunction = (out, shape, d, hint) => {
  const vertices = shape.vertices;
  const best = cornerAlong(shape, d, hint);
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return best;
};

/**
 * Offset of a corner of a polytope farthest along d, a direction of any length but zero. (It comes as an array, for numbers given to a
 * function that is not inlined cost an allocation each.)
 */
export function cornerAlong(shape: ConvexShape, d: Vec3, hint: number): number {
  const { vertices, cellBits, cellStart, cellCorners } = shape;
  const x = d[0],
    y = d[1],
    z = d[2];
  if (shape.neighbors.length > 0) {
    const isKnown = hint >= 0 && hint < vertices.length;
    return climb(shape, d, isKnown ? hint : cellCorners[cellOf(d, cellBits)]);
  }
  const cell = cellOf(d, cellBits);
  let i = cellStart[cell];
  const end = cellStart[cell + 1];
  let best = cellCorners[i];
  let most = vertices[best] * x + vertices[best + 1] * y + vertices[best + 2] * z;
  for (i++; i < end; i++) {
    const k = cellCorners[i];
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > most) {
      most = along;
      best = k;
    }
  }
  return best;
}

/**
 * Writes the farthest point of any body's core along d over d, and returns the hint for the next call: `shape.support` without the detour
 * over a function that the compiler cannot foresee, where the body is a polytope.
 */
export function supportOver(d: Vec3, shape: ConvexShape, hint: number): number {
  const { vertices } = shape;
  if (vertices.length === 0) return shape.support(d, shape, d, hint);
  const corner = cornerAlong(shape, d, hint);
  d[0] = vertices[corner];
  d[1] = vertices[corner + 1];
  d[2] = vertices[corner + 2];
  return corner;
}

/**
 * Offset of a corner farthest along d: strict ascent over the edges from the corner at offset `start`. On the edge graph of a
 * convex polytope every corner but the farthest has a neighbour that is farther, so this ends at the top, plateaus and all.
 */
export function climb(shape: Polytope | ConvexShape, d: ArrayLike<number>, start: number): number {
  const { vertices, neighborStart, neighbors } = shape;
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = start;
  let most = vertices[best] * x + vertices[best + 1] * y + vertices[best + 2] * z;
  for (;;) {
    let next = best;
    const end = neighborStart[best + 1];
    for (let i = neighborStart[best]; i < end; i++) {
      const k = neighbors[i];
      const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
      if (along > most) {
        most = along;
        next = k;
      }
    }
    if (next === best) return best;
    best = next;
  }
}

function cells({ bits, start, corners, extreme }: DirectionMap) {
  return { cellBits: bits, cellStart: start, cellCorners: corners, extreme };
}

function requireEdge(edge: ArrayLike<number>, e: number, count: number): void {
  if (edge.length === 2 && isIndex(edge[0], count) && isIndex(edge[1], count)) return;
  const note = `An edge is two indices of points, from 0 to ${count - 1}.`;
  throw new InputError(`edges[${e}] is ${JSON.stringify(edge)}`, note);
}

const isIndex = (i: number, count: number): boolean => Number.isInteger(i) && i >= 0 && i < count;

/** Points without edges (they lie inside) get a neighbour, `extreme`, so that climbs that start there come away. */
function linkNeighbors(
  count: number,
  edges: readonly ArrayLike<number>[],
  extreme: number,
): Pick<Polytope, 'neighborStart' | 'neighbors'> {
  const sets = Array.from({ length: count }, () => new Set<number>());
  for (const edge of edges) {
    if (edge[0] === edge[1]) continue;
    sets[edge[0]].add(edge[1]);
    sets[edge[1]].add(edge[0]);
  }
  for (const set of sets) if (set.size === 0) set.add(extreme);
  const neighborStart = new Int32Array(3 * count);
  const neighbors: number[] = [];
  sets.forEach((set, i) => {
    neighborStart[3 * i] = neighbors.length;
    for (const j of [...set].sort((a, b) => a - b)) neighbors.push(3 * j);
    neighborStart[3 * i + 1] = neighbors.length;
  });
  return { neighborStart, neighbors: Int32Array.from(neighbors) };
}

/**
 * True if climbs reach the true support for the middle of each cell from two corners, and from every point to some far side: finds
 * edges that belong to another hull, and a hull that lost some of the points.
 */
function climbsEverywhere(polytope: Polytope): boolean {
  const { vertices } = polytope;
  let size = 0;
  for (let k = 3; k < vertices.length; k++) size = Math.max(size, Math.abs(vertices[k] - vertices[k % 3]));
  const directions = middlesOfCells();
  const tops = directions.map(([x, y, z]) => farthest(vertices, x, y, z));
  const climbs = (i: number, start: number): boolean => {
    const [x, y, z] = directions[i];
    const best = tops[i];
    const end = climb(polytope, directions[i], start);
    const short =
      (vertices[best] - vertices[end]) * x +
      (vertices[best + 1] - vertices[end + 1]) * y +
      (vertices[best + 2] - vertices[end + 2]) * z;
    return short <= CLIMB_TOLERANCE * size;
  };
  const count = directions.length;
  for (let i = 0; i < count; i++) {
    if (!climbs(i, tops[(i + 1) % count]) || !climbs(i, tops[count - 1 - i])) return false;
  }
  for (let k = 0; k < vertices.length; k += 3) if (!climbs(k % count, k)) return false;
  return true;
}
