import { InputError } from '../errors.ts';
import type { ConvexShape, Polytope, SupportFunction } from './shape.ts';

/** Below this many corners looking at all of them is faster than climbing. */
const FEWEST_TO_CLIMB = 16;
/** How far (relative to size) a climb may fall short of the true support at build time before its edges are given up. */
const CLIMB_TOLERANCE = 1e-11;
const CELLS = 8;
const DIRECTIONS = 6 * CELLS * CELLS;

/** Corners, edges and cube map of the hull of some points. Edges that do not lead to every extreme point are left unused. */
export function createPolytope(points: readonly ArrayLike<number>[], edges?: readonly ArrayLike<number>[]): Polytope {
  const vertices = new Float64Array(3 * points.length);
  points.forEach((p, i) => {
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = p[k];
  });
  const cubeMap = createCubeMap(vertices);
  const plain = { vertices, cubeMap, neighborStart: new Int32Array(1), neighbors: new Int32Array(0) };
  if (edges === undefined || points.length < FEWEST_TO_CLIMB) return plain;

  const linked = { vertices, cubeMap, ...linkNeighbors(points.length, edges, cubeMap[0] / 3) };
  return climbsEverywhere(linked) ? linked : plain;
}

/** Support of a polytope by looking at every corner. */
export const supportBySearch: SupportFunction = (out, shape, d) => {
  const vertices = shape.vertices;
  const best = farthest(vertices, d[0], d[1], d[2]);
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return best;
};

/** Support of a polytope by climbing along its edges from the corner of the hint; from the cube map if the hint is none of its own. */
export const supportByClimbing: SupportFunction = (out, shape, d, hint) => {
  const vertices = shape.vertices;
  const best = cornerAlong(shape, d[0], d[1], d[2], hint);
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return best;
};

/** Offset of a corner of a polytope farthest along (x, y, z), by whatever way is quickest. Any number will do as a hint. */
export function cornerAlong(shape: ConvexShape, x: number, y: number, z: number, hint: number): number {
  if (shape.neighbors.length === 0) return farthest(shape.vertices, x, y, z);
  const isKnown = hint >= 0 && hint < shape.vertices.length;
  return climb(shape, x, y, z, isKnown ? hint : shape.cubeMap[cubeCell(x, y, z)]);
}

/** Offset of a corner farthest along (x, y, z): all of them are looked at. */
export function farthest(vertices: Float64Array, x: number, y: number, z: number): number {
  let best = 0;
  let most = vertices[0] * x + vertices[1] * y + vertices[2] * z;
  for (let k = 3; k < vertices.length; k += 3) {
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > most) {
      most = along;
      best = k;
    }
  }
  return best;
}

/**
 * Offset of a corner farthest along (x, y, z): strict ascent over the edges from the corner at offset `start`. On the edge graph of a
 * convex polytope every corner but the farthest has a neighbour that is farther, so this ends at the top, plateaus and all.
 */
export function climb(shape: Polytope | ConvexShape, x: number, y: number, z: number, start: number): number {
  const { vertices, neighborStart, neighbors } = shape;
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

/** Which of the 6 × 8 × 8 cells of the cube map a direction falls into. */
export function cubeCell(x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return cellOnFace(x > 0 ? 0 : 1, y / ax, z / ax);
  if (ay >= az) return cellOnFace(y > 0 ? 2 : 3, x / ay, z / ay);
  return cellOnFace(z > 0 ? 4 : 5, x / az, y / az);
}

/** u and v run over the face from −1 to 1; NaN (of the zero direction) lands in the first cell. */
function cellOnFace(face: number, u: number, v: number): number {
  const half = CELLS / 2;
  let i = (half * u + half) | 0;
  let j = (half * v + half) | 0;
  if (i >= CELLS) i = CELLS - 1;
  if (j >= CELLS) j = CELLS - 1;
  return (face * CELLS + i) * CELLS + j;
}

/** For the middle of each cell, the corner farthest that way. */
function createCubeMap(vertices: Float64Array): Int32Array {
  const cubeMap = new Int32Array(DIRECTIONS);
  for (const direction of cubeDirections()) {
    const [x, y, z] = direction;
    cubeMap[cubeCell(x, y, z)] = farthest(vertices, x, y, z);
  }
  return cubeMap;
}

/** The middles of all cells of the cube map, on the faces of the cube [−1, 1]³. */
export function cubeDirections(): [number, number, number][] {
  const directions: [number, number, number][] = [];
  for (let i = 0; i < CELLS; i++) {
    for (let j = 0; j < CELLS; j++) {
      const u = (2 * i + 1) / CELLS - 1;
      const v = (2 * j + 1) / CELLS - 1;
      directions.push([1, u, v], [-1, u, v], [u, 1, v], [u, -1, v], [u, v, 1], [u, v, -1]);
    }
  }
  return directions;
}

/** Points without edges (they lie inside) get a neighbour, `extreme`, so that climbs that start there come away. */
function linkNeighbors(
  count: number,
  edges: readonly ArrayLike<number>[],
  extreme: number,
): Pick<Polytope, 'neighborStart' | 'neighbors'> {
  const sets = Array.from({ length: count }, () => new Set<number>());
  edges.forEach((edge, e) => {
    for (const i of [edge[0], edge[1]]) {
      if (edge.length === 2 && Number.isInteger(i) && i >= 0 && i < count) continue;
      throw new InputError(
        `edges[${e}] is ${JSON.stringify(edge)}`,
        `An edge is two indices of points, from 0 to ${count - 1}.`,
      );
    }
    if (edge[0] === edge[1]) return;
    sets[edge[0]].add(edge[1]);
    sets[edge[1]].add(edge[0]);
  });
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
 * True if climbs reach the true support for every direction of the cube map from two corners, and from every point to the far side:
 * finds edges that belong to another hull, and a hull that lost some of the points.
 */
function climbsEverywhere(polytope: Polytope): boolean {
  const { vertices, cubeMap } = polytope;
  const [x0, y0, z0] = vertices.subarray(cubeMap[0]);
  let size = 0;
  for (let k = 0; k < vertices.length; k += 3) {
    size = Math.max(size, Math.abs(vertices[k] - x0), Math.abs(vertices[k + 1] - y0), Math.abs(vertices[k + 2] - z0));
  }
  const climbs = (x: number, y: number, z: number, best: number, start: number): boolean => {
    const end = climb(polytope, x, y, z, start);
    const short =
      (vertices[best] - vertices[end]) * x +
      (vertices[best + 1] - vertices[end + 1]) * y +
      (vertices[best + 2] - vertices[end + 2]) * z;
    return short <= CLIMB_TOLERANCE * size * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  };
  const directions = cubeDirections();
  for (const [i, [x, y, z]] of directions.entries()) {
    const best = cubeMap[cubeCell(x, y, z)];
    if (!climbs(x, y, z, best, cubeMap[(i + 7) % DIRECTIONS])) return false;
    if (!climbs(x, y, z, best, cubeMap[cubeCell(-x, -y, -z)])) return false;
  }
  for (let k = 0; k < vertices.length; k += 3) {
    const [x, y, z] = directions[k % DIRECTIONS];
    if (!climbs(x, y, z, cubeMap[cubeCell(x, y, z)], k)) return false;
  }
  return true;
}
