import { InputError } from '../errors.ts';
import type { Slices } from '../math/slices.ts';
import type { Vec3 } from '../math/vec3.ts';
import { cellOf } from './directionCells.ts';
import { centersOfCells, createDirectionMap, type DirectionMap, directionMapInSlices } from './directionMap.ts';
import { findSupportVertex } from './findSupportVertex.ts';
import { HillClimbingCheck } from './hillClimbingCheck.ts';
import type { ConvexShape, Polytope, SupportFunction } from './shape.ts';

/**
 * Number of vertices from which hill climbing along edges is faster than evaluating the candidates of the direction
 * map.
 */
export const HILL_CLIMBING_MIN_VERTICES = 1000;

/**
 * Creates vertices, direction map and, for large hulls, edges. Edges along which some extreme point cannot be reached
 * are not used. Pauses while it creates the direction map of many vertices.
 */
export function* polytopeInSlices(
  points: readonly ArrayLike<number>[],
  edges?: readonly ArrayLike<number>[],
): Slices<Polytope> {
  const vertices = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    vertices[3 * i] = point[0];
    vertices[3 * i + 1] = point[1];
    vertices[3 * i + 2] = point[2];
  }
  for (let e = 0; edges !== undefined && e < edges.length; e++) requireEdge(edges[e], e, points.length);
  if (edges !== undefined && points.length >= HILL_CLIMBING_MIN_VERTICES) {
    const climbable = createHillClimbingPolytope(vertices, edges);
    if (isClimbable(climbable)) return climbable;
  }
  const map = points.length === 1 ? pointMap : yield* directionMapInSlices(vertices, false);
  return { vertices, ...cells(map), ...noEdges };
}

/** Shared by all polytopes without edges, and by all single points: clouds have thousands. */
const noEdges = { neighborStart: new Int32Array(1), neighbors: new Int32Array(0) };
const pointMap: DirectionMap = {
  bits: 1,
  start: Int32Array.from({ length: 9 }, (_, cell) => cell),
  offsets: new Int32Array(8),
  extreme: [0],
};

/**
 * Creates a polytope whose support function climbs along edges, for any number of vertices: for large hulls and for
 * comparison.
 */
export function createHillClimbingPolytope(vertices: Float64Array, edges: readonly ArrayLike<number>[]): Polytope {
  const map = createDirectionMap(vertices, true);
  return { vertices, ...cells(map), ...linkNeighbors(vertices.length / 3, edges, map.offsets[map.start[1]] / 3) };
}

/**
 * Support function of polytopes. The hint is the start vertex of hill climbing, if the polytope has edges; any number
 * is accepted.
 */
export const supportPolytope: SupportFunction = (out, shape, d, hint) => {
  const vertices = shape.vertices;
  const best = supportVertex(shape, d, hint);
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return best;
};

/**
 * Returns the offset of the support vertex of a polytope along d, a direction of any length except zero. (d is an array
 * because number arguments of a call that is not inlined cost an allocation each.)
 */
export function supportVertex(shape: ConvexShape, d: Vec3, hint: number): number {
  const { vertices, cellBits, cellStart, cellVertices } = shape;
  const x = d[0],
    y = d[1],
    z = d[2];
  if (shape.neighbors.length > 0) {
    const isKnown = hint >= 0 && hint < vertices.length;
    return hillClimb(shape, d, isKnown ? hint : cellVertices[cellOf(d, cellBits)]);
  }
  const cell = cellOf(d, cellBits);
  let i = cellStart[cell];
  const end = cellStart[cell + 1];
  let best = cellVertices[i];
  let maxHeight = vertices[best] * x + vertices[best + 1] * y + vertices[best + 2] * z;
  for (i++; i < end; i++) {
    const k = cellVertices[i];
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > maxHeight) {
      maxHeight = along;
      best = k;
    }
  }
  return best;
}

/** Returns true if a shape is the convex hull of finitely many points: a hull or a box without a margin. */
export function isPolytope({ vertices, type, margin }: ConvexShape): boolean {
  return margin === 0 && (vertices.length > 0 || type === 'box');
}

/**
 * Overwrites d with the support point of a shape's core along d, and returns the hint for the next call:
 * `shape.support`, without the indirect call if the shape is a polytope or a box.
 */
export function supportInPlace(d: Vec3, shape: ConvexShape, hint: number): number {
  const { vertices } = shape;
  if (vertices.length === 0) {
    if (shape.type !== 'box') return shape.support(d, shape, d, hint);
    const { size } = shape;
    const x = size[0],
      y = size[1],
      z = size[2];
    d[0] = d[0] < 0 ? -x : x;
    d[1] = d[1] < 0 ? -y : y;
    d[2] = d[2] < 0 ? -z : z;
    return hint;
  }
  const vertex = supportVertex(shape, d, hint);
  d[0] = vertices[vertex];
  d[1] = vertices[vertex + 1];
  d[2] = vertices[vertex + 2];
  return vertex;
}

/**
 * Returns the offset of the support vertex along d: hill climbing by strict ascent over the edges from the vertex at
 * offset `start`. On the edge graph of a convex polytope every vertex that is not a support vertex has a neighbor that
 * is farther along d, so the ascent ends at a support vertex, also on plateaus.
 */
export function hillClimb(shape: Polytope | ConvexShape, d: ArrayLike<number>, start: number): number {
  const { vertices, neighborStart, neighbors } = shape;
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = start;
  let maxHeight = vertices[best] * x + vertices[best + 1] * y + vertices[best + 2] * z;
  for (;;) {
    let next = best;
    const end = neighborStart[best + 1];
    for (let i = neighborStart[best]; i < end; i++) {
      const k = neighbors[i];
      const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
      if (along > maxHeight) {
        maxHeight = along;
        next = k;
      }
    }
    if (next === best) return best;
    best = next;
  }
}

function cells({ bits, start, offsets, extreme }: DirectionMap) {
  return { cellBits: bits, cellStart: start, cellVertices: offsets, extreme };
}

function requireEdge(edge: ArrayLike<number>, e: number, count: number): void {
  if (edge.length === 2 && isIndex(edge[0], count) && isIndex(edge[1], count)) return;
  const note = `An edge is a pair of point indices from 0 to ${count - 1}.`;
  throw new InputError(`edges[${e}] is ${JSON.stringify(edge)}`, note);
}

const isIndex = (i: number, count: number): boolean => Number.isInteger(i) && i >= 0 && i < count;

/**
 * Converts edges to adjacency lists. Points without edges (interior points) get the neighbor `extreme`, so that climbs
 * that start there can leave.
 */
function linkNeighbors(
  count: number,
  edges: readonly ArrayLike<number>[],
  extreme: number,
): Pick<Polytope, 'neighborStart' | 'neighbors'> {
  const first = new Int32Array(count + 1);
  for (const edge of edges) {
    first[edge[0] + 1]++;
    first[edge[1] + 1]++;
  }
  for (let i = 0; i < count; i++) first[i + 1] += first[i];
  const last = first.slice();
  const found = new Int32Array(first[count]);
  for (const edge of edges) {
    found[last[edge[0]]++] = edge[1];
    found[last[edge[1]]++] = edge[0];
  }
  return sortNeighbors(found, first, extreme);
}

/**
 * Returns the adjacency lists sorted and without duplicates: each vertex in ascending order is appended to the lists of
 * its neighbors.
 */
function sortNeighbors(found: Int32Array, first: Int32Array, extreme: number) {
  const count = first.length - 1;
  const neighborStart = new Int32Array(3 * count);
  let isolatedCount = 0;
  for (let i = 0; i < count; i++) {
    neighborStart[3 * i] = neighborStart[3 * i + 1] = first[i] + isolatedCount;
    if (first[i] === first[i + 1]) isolatedCount++;
  }
  const neighbors = new Int32Array(found.length + isolatedCount);
  for (let j = 0; j < count; j++) {
    for (let e = first[j]; e < first[j + 1]; e++) {
      const i = 3 * found[e];
      const end = neighborStart[i + 1];
      if (i === 3 * j || (end > neighborStart[i] && neighbors[end - 1] === 3 * j)) continue;
      neighbors[end] = 3 * j;
      neighborStart[i + 1] = end + 1;
    }
  }
  for (let i = 0; i < 3 * count; i += 3) {
    if (neighborStart[i] === neighborStart[i + 1]) neighbors[neighborStart[i + 1]++] = 3 * extreme;
  }
  return { neighborStart, neighbors };
}

/**
 * Returns true if hill climbing reaches the support value along the center of each cell from two vertices, and from
 * every point along some direction: detects edges of another hull, and hulls that lost some of the points.
 */
function isClimbable(polytope: Polytope): boolean {
  const { vertices } = polytope;
  const directions = centersOfCells();
  const tops = directions.map(([x, y, z]) => findSupportVertex(vertices, x, y, z));
  const count = directions.length;
  const check = new HillClimbingCheck(polytope);
  for (let i = 0; i < count; i++) {
    check.setDirection(directions[i], tops[i]);
    if (!check.reachesSupportFrom(tops[(i + 1) % count]) || !check.reachesSupportFrom(tops[count - 1 - i]))
      return false;
    for (let k = i; k < vertices.length; k += count) if (k % 3 === 0 && !check.reachesSupportFrom(k)) return false;
  }
  return true;
}
