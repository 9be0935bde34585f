import { cellsOf, centerOfCell, PER_CELL, parentOf } from './directionCells.ts';

/**
 * Direction map: the vertices of a polytope that can be support vertices, by direction. Directions are projected to the
 * octahedron |u| + |v| + |w| = 1 and binned by the sign of w and by (u, v) in squares: 2 × 16 × 16 cells, of which the
 * outer ones are empty; more for large hulls. Within an octant a cell is flat: its directions are convex combinations
 * of its four vertex directions, so that a vertex that another vertex exceeds along these four is exceeded in the whole
 * cell and can be dropped. This holds for any points: on flat faces, inside the hull, equal. (Hill climbing along edges
 * requires more: a point inside a flat face, which hulls of meshes keep by rounding, has no neighbor outside the face,
 * and a climb away from it ends there. It is no faster, either: `bench narrowphase:papers`.)
 *
 *        v                      The lookup of a cell has no branch: three multiplications and truncations.
 *      ╱│╲                      Hulls of 20 to 200 vertices keep two to four vertices per cell, which is
 *    ╱  │  ╲  w < 0: a second   faster than hill climbing from a good start (25 ns instead of 55 ns) and
 *   ────┼──── u       one       requires no edges.
 *    ╲  │  ╱
 *      ╲│╱                      Built from coarse to fine: a vertex dropped in a cell is dropped in its four
 *                               children.
 */
const BITS = 4;
/**
 * Numbers of vertices from which a map of 2, 4 and 8 times the resolution is faster: with fewer, its lists are hardly
 * shorter, and it fills the processor cache.
 */
const LARGE_HULLS = [256, 2048, 16_384];
/**
 * A vertex is dropped only if it is exceeded by this much, relative to size and direction: above all rounding of the
 * lookup.
 */
const DROP_TOLERANCE = 1e-12;

/**
 * Candidate vertices as offsets into `vertices`: those of cell c are offsets[start[c]] … offsets[start[c + 1] − 1], the
 * support vertex of the cell center first.
 */
export interface DirectionMap {
  /** Resolution: the map has 2 · 2^bits · 2^bits cells. */
  readonly bits: number;
  readonly start: Int32Array;
  readonly offsets: Int32Array;
  /** Extreme vertices, evenly spread over the directions; equal for maps of all resolutions. */
  readonly extreme: readonly number[];
}

/** Builds the direction map of a polytope. */
export function directionMapOf(vertices: Float64Array): DirectionMap {
  const count = vertices.length / 3;
  const bits = BITS + LARGE_HULLS.filter((large) => count >= large).length;
  const all = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) all[i] = all[count + i] = 3 * i;
  const refinement = new Refinement(vertices);
  let map: DirectionMap = { bits: 0, start: Int32Array.of(0, count, 2 * count), offsets: all, extreme: [] };
  let extreme: readonly number[] = [];
  while (map.bits < bits) {
    map = refinement.refine(map);
    if (map.bits === BITS) extreme = extremeVertices(map, vertices);
  }
  return { ...map, extreme };
}

/** Divides each cell of a map into four and keeps the candidate support vertices of each. */
class Refinement {
  private readonly vertices: Float64Array;
  private readonly relative: Float64Array;
  private readonly tolerance: number;
  /** Projections of each candidate of the current cell on the four vertex directions, in sequence. */
  private readonly along: Float64Array;
  private readonly winners = new Int32Array(5);
  /** Offsets kept so far: the first `count` entries. */
  private kept = new Int32Array(1024);
  private count = 0;

  constructor(vertices: Float64Array) {
    this.vertices = vertices;
    this.relative = relativeToFirst(vertices); // keeps all digits far from the origin
    this.tolerance = DROP_TOLERANCE * maxCoordinate(this.relative);
    this.along = new Float64Array((4 * vertices.length) / 3);
  }

  refine(coarse: DirectionMap): DirectionMap {
    const bits = coarse.bits + 1;
    const { directions, isInUse } = cellsOf(bits);
    const start = new Int32Array(isInUse.length + 1);
    this.count = 0;
    for (let cell = 0; cell < isInUse.length; cell++) {
      const parent = parentOf(cell, bits);
      const from = coarse.start[parent];
      const to = coarse.start[parent + 1];
      if (this.count + to - from > this.kept.length) this.reserve(to - from);
      // Cells outside the octahedron are queried only for NaN: any vertex will do.
      if (isInUse[cell] === 0 || to - from === 1) this.kept[this.count++] = coarse.offsets[from];
      else this.keepCandidates(coarse.offsets, from, to, directions, PER_CELL * cell);
      start[cell + 1] = this.count;
    }
    return { bits, start, offsets: this.kept.slice(0, this.count), extreme: [] };
  }

  private reserve(minCount: number): void {
    const kept = new Int32Array(2 * this.kept.length + minCount);
    kept.set(this.kept);
    this.kept = kept;
  }

  /**
   * Appends, of the candidates from `from` to `to`, the support vertex at the center of a cell, then all candidates
   * that no support vertex of the center and the vertex directions exceeds in the whole cell. The five directions start
   * at `at`.
   */
  private keepCandidates(candidates: Int32Array, from: number, to: number, directions: Float64Array, at: number): void {
    const { kept, winners } = this;
    this.projectCandidates(candidates, from, to, directions, at);
    const best = winners[0];
    kept[this.count++] = candidates[from + best];

    let count = 1;
    for (let end = 1; end < 5; end++) {
      const winner = winners[end];
      if (winner !== best && winner !== winners[count - 1]) winners[count++] = winner;
    }
    for (let i = 0; i < to - from; i++) {
      if (i === best || this.isDominated(4 * i, count)) continue;
      kept[this.count++] = candidates[from + i];
    }
  }

  /**
   * Computes the projection of each candidate on the four vertex directions, and the support vertices along all five
   * directions; of equal ones at the center the one with the smallest offset, independent of their order. One unrolled
   * loop: it takes most of the construction time of a shape.
   */
  private projectCandidates(
    candidates: Int32Array,
    from: number,
    to: number,
    directions: Float64Array,
    at: number,
  ): void {
    const { vertices, relative, along, winners } = this;
    const x = directions[at],
      y = directions[at + 1],
      z = directions[at + 2];
    const x0 = directions[at + 3],
      y0 = directions[at + 4],
      z0 = directions[at + 5];
    const x1 = directions[at + 6],
      y1 = directions[at + 7],
      z1 = directions[at + 8];
    const x2 = directions[at + 9],
      y2 = directions[at + 10],
      z2 = directions[at + 11];
    const x3 = directions[at + 12],
      y3 = directions[at + 13],
      z3 = directions[at + 14];
    let best = from;
    let maxHeight = Number.NEGATIVE_INFINITY;
    let best0 = 0,
      best1 = 0,
      best2 = 0,
      best3 = 0;
    for (let i = from, o = 0; i < to; i++, o += 4) {
      const k = candidates[i];
      const height = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
      if (height > maxHeight || (height === maxHeight && k < candidates[best])) {
        maxHeight = height;
        best = i;
      }
      const u = relative[k],
        v = relative[k + 1],
        w = relative[k + 2];
      along[o] = x0 * u + y0 * v + z0 * w;
      along[o + 1] = x1 * u + y1 * v + z1 * w;
      along[o + 2] = x2 * u + y2 * v + z2 * w;
      along[o + 3] = x3 * u + y3 * v + z3 * w;
      if (along[o] > along[best0]) best0 = o;
      if (along[o + 1] > along[best1 + 1]) best1 = o;
      if (along[o + 2] > along[best2 + 2]) best2 = o;
      if (along[o + 3] > along[best3 + 3]) best3 = o;
    }
    winners[0] = best - from;
    winners[1] = best0 >> 2;
    winners[2] = best1 >> 2;
    winners[3] = best2 >> 2;
    winners[4] = best3 >> 2;
  }

  /** Returns true if one of the first winners exceeds the candidate at offset o along all four vertex directions. */
  private isDominated(o: number, count: number): boolean {
    const { along, winners, tolerance } = this;
    const min0 = along[o] + tolerance,
      min1 = along[o + 1] + tolerance,
      min2 = along[o + 2] + tolerance,
      min3 = along[o + 3] + tolerance;
    for (let j = 0; j < count; j++) {
      const w = 4 * winners[j];
      if (along[w] > min0 && along[w + 1] > min1 && along[w + 2] > min2 && along[w + 3] > min3) return true;
    }
    return false;
  }
}

/** Returns the vertices relative to the first vertex. */
function relativeToFirst(vertices: Float64Array): Float64Array {
  const relative = new Float64Array(vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    relative[k] = vertices[k] - vertices[0];
    relative[k + 1] = vertices[k + 1] - vertices[1];
    relative[k + 2] = vertices[k + 2] - vertices[2];
  }
  return relative;
}

function maxCoordinate(points: Float64Array): number {
  let max = 0;
  for (let i = 0; i < points.length; i++) max = Math.max(max, Math.abs(points[i]));
  return max;
}

/** Returns the first candidate of every cell in use, and the support vertex of cell 0, although that is not in use. */
function extremeVertices({ bits, start, offsets }: DirectionMap, vertices: Float64Array): number[] {
  const { directions, isInUse } = cellsOf(bits);
  const extreme = new Set([findSupportVertex(vertices, ...centerOfCell(directions, 0))]);
  for (let cell = 0; cell < isInUse.length; cell++) if (isInUse[cell] === 1) extreme.add(offsets[start[cell]]);
  return [...extreme];
}

/** Returns the offset of a support vertex along (x, y, z) by exhaustive search. */
export function findSupportVertex(vertices: Float64Array, x: number, y: number, z: number): number {
  let best = 0;
  let maxHeight = vertices[0] * x + vertices[1] * y + vertices[2] * z;
  for (let k = 3; k < vertices.length; k += 3) {
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > maxHeight) {
      maxHeight = along;
      best = k;
    }
  }
  return best;
}
