import { InputError } from '../errors.ts';
import type { Vec3 } from '../math/vec3.ts';
import { cellOf, createDirectionMap, type DirectionMap, farthest, middlesOfCells } from './directionMap.ts';
import type { ConvexShape, Polytope, SupportFunction } from './shape.ts';

/** From here on climbing along edges beats looking at what the direction map leaves. */
export const FEWEST_TO_CLIMB = 1000;
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
  return inOrder(found, first, extreme);
}

/** The same lists of neighbours, each in order and without what repeats: every corner, one after the other, goes to the lists of its own. */
function inOrder(found: Int32Array, first: Int32Array, extreme: number) {
  const count = first.length - 1;
  const neighborStart = new Int32Array(3 * count);
  let lone = 0;
  for (let i = 0; i < count; i++) {
    neighborStart[3 * i] = neighborStart[3 * i + 1] = first[i] + lone;
    if (first[i] === first[i + 1]) lone++;
  }
  const neighbors = new Int32Array(found.length + lone);
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
 * True if climbs reach the true support for the middle of each cell from two corners, and from every point to some far side: finds
 * edges that belong to another hull, and a hull that lost some of the points.
 */
function climbsEverywhere(polytope: Polytope): boolean {
  const { vertices } = polytope;
  const directions = middlesOfCells();
  const tops = directions.map(([x, y, z]) => farthest(vertices, x, y, z));
  const count = directions.length;
  const check = new ClimbCheck(polytope);
  for (let i = 0; i < count; i++) {
    check.turnTo(directions[i], tops[i]);
    if (!check.climbsFrom(tops[(i + 1) % count]) || !check.climbsFrom(tops[count - 1 - i])) return false;
    for (let k = i; k < vertices.length; k += count) if (k % 3 === 0 && !check.climbsFrom(k)) return false;
  }
  return true;
}

/** Follows climbs, each only as far as to where another one came by: all of them together pass a corner once for a direction. */
class ClimbCheck {
  private readonly size: number;
  private readonly passed: Int32Array;
  private round = 0;
  private direction: ArrayLike<number> = [0, 0, 1];
  private top = 0;

  constructor(private readonly polytope: Polytope) {
    const { vertices } = polytope;
    let size = 0;
    for (let k = 3; k < vertices.length; k++) size = Math.max(size, Math.abs(vertices[k] - vertices[k % 3]));
    this.size = size;
    this.passed = new Int32Array(vertices.length / 3);
  }

  /** @param top offset of the corner that is farthest along the direction */
  turnTo(direction: ArrayLike<number>, top: number): void {
    this.direction = direction;
    this.top = top;
    this.round++;
  }

  /** Whether the climb from that corner, as `climb` goes, ends as far as the top is; after a no everything is lost. */
  climbsFrom(start: number): boolean {
    const { passed, round, polytope, direction } = this;
    for (let at = start; ; ) {
      if (passed[at / 3] === round) return true;
      passed[at / 3] = round;
      const next = stepUp(polytope, direction, at);
      if (next === at) return this.isHigh(at);
      at = next;
    }
  }

  private isHigh(end: number): boolean {
    const { polytope, direction, top, size } = this;
    const { vertices } = polytope;
    const short =
      (vertices[top] - vertices[end]) * direction[0] +
      (vertices[top + 1] - vertices[end + 1]) * direction[1] +
      (vertices[top + 2] - vertices[end + 2]) * direction[2];
    return short <= CLIMB_TOLERANCE * size;
  }
}

/** The neighbour of a corner that is farthest along d; the corner itself where none is farther. */
function stepUp({ vertices, neighborStart, neighbors }: Polytope, d: ArrayLike<number>, at: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = at;
  let most = vertices[at] * x + vertices[at + 1] * y + vertices[at + 2] * z;
  for (let i = neighborStart[at]; i < neighborStart[at + 1]; i++) {
    const k = neighbors[i];
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > most) {
      most = along;
      best = k;
    }
  }
  return best;
}
