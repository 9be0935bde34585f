import type { Vec3 } from '../math/vec3.ts';
import { cellOf } from './directionCells.ts';
import { type DirectionMap, directionMapOf } from './directionMap.ts';
import type { ConvexShape, Polytope, SupportFunction } from './shape.ts';

/** Cells of a direction map of the coarsest resolution. */
const CELLS = 8;

/** Creates vertices and direction map. */
export function createPolytope(points: readonly ArrayLike<number>[]): Polytope {
  const vertices = coordinatesOf(points);
  const { bits, start, offsets, extreme } = points.length === 1 ? fullMapOf(1) : directionMapOf(vertices);
  return { vertices, cellBits: bits, cellStart: start, cellVertices: offsets, extreme };
}

/** Creates vertices and a direction map of the coarsest resolution, in which each cell has all vertices. */
export function unindexedPolytope(points: readonly ArrayLike<number>[]): Polytope {
  const { bits, start, offsets, extreme } = fullMapOf(points.length);
  return { vertices: coordinatesOf(points), cellBits: bits, cellStart: start, cellVertices: offsets, extreme };
}

/** Maps by number of vertices, shared by all polytopes of so few: clouds have thousands. */
const fullMaps: DirectionMap[] = Array(65);

/** Returns the direction map in which each cell has all vertices. */
function fullMapOf(count: number): DirectionMap {
  const known = fullMaps[count];
  if (known) return known;
  const extreme = Array.from({ length: count }, (_, i) => 3 * i);
  const start = Int32Array.from({ length: CELLS + 1 }, (_, cell) => cell * count);
  const offsets = new Int32Array(CELLS * count);
  for (let cell = 0; cell < CELLS; cell++) offsets.set(extreme, cell * count);
  const map = { bits: 1, start, offsets, extreme };
  if (count < fullMaps.length) fullMaps[count] = map;
  return map;
}

function coordinatesOf(points: readonly ArrayLike<number>[]): Float64Array {
  const vertices = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    vertices[3 * i] = point[0];
    vertices[3 * i + 1] = point[1];
    vertices[3 * i + 2] = point[2];
  }
  return vertices;
}

/** Support function of polytopes. Returns the offset of the support vertex, which depends on no hint. */
export const supportPolytope: SupportFunction = (out, shape, d) => {
  const vertices = shape.vertices;
  const best = supportVertex(shape, d);
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return best;
};

/**
 * Returns the offset of the support vertex of a polytope along d, a direction of any length except zero. (d is an array
 * because number arguments of a call that is not inlined cost an allocation each.)
 */
export function supportVertex(shape: ConvexShape, d: Vec3): number {
  const { vertices, cellBits, cellStart, cellVertices } = shape;
  const x = d[0],
    y = d[1],
    z = d[2];
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
  const vertex = supportVertex(shape, d);
  d[0] = vertices[vertex];
  d[1] = vertices[vertex + 1];
  d[2] = vertices[vertex + 2];
  return vertex;
}
