import { cellsOf, type Direction, middleOf, PER_CELL, parentOf } from './directionCells.ts';

/**
 * Which corners of a polytope can be the farthest, by direction. Directions are laid on an octahedron, |u| + |v| + |w| = 1, and
 * binned by sign of w and by (u, v) in squares: 2 × 16 × 16 cells of which the outer ones stay empty, of big hulls 2 × 32 × 32. Within an
 * octant a cell is a flat piece, so a corner that another one beats at all four ends of a cell is beaten all over it, and need not be
 * looked at.
 *
 *        v                        A cell without a branch: three multiplications and truncations. Hulls of 20 to 200 corners
 *      ╱│╲                        keep two to four corners a cell, which beats climbing along edges from a good start (25 ns
 *    ╱  │  ╲  w < 0: a second     against 55), and needs no edges.
 *   ────┼──── u       one
 *    ╲  │  ╱                      Made from coarse to fine: what is beaten in a cell is beaten in the four that it is cut into.
 */
const BITS = 4;
const BITS_OF_BIG_HULLS = 5;
/** Corners from which on the finer map pays: with fewer, its lists are hardly shorter, and it fills the processor's cache. */
const BIG_HULL = 256;
/** A little under 1, so that u = 1 and w = 1 fall into the last cells and not beyond. Relative. */
const NEARLY_ONE = 1 - 1e-9;
/** A corner must be beaten by this much, relative to size and direction, to be left out: above all rounding of the lookup. */
const CLEARLY = 1e-12;

/** Corners as offsets into the vertices: those of cell c are corners[start[c]] … corners[start[c + 1] − 1], a best one first. */
export interface DirectionMap {
  /** There are 2 · 2^bits · 2^bits cells. */
  readonly bits: number;
  readonly start: Int32Array;
  readonly corners: Int32Array;
  /** Corners that are farthest somewhere, evenly spread; the same for maps of all sizes. */
  readonly extreme: readonly number[];
}

/** The cell of a direction of any length; NaN and zero land in some cell. (A list, for numbers handed over may cost an allocation each.) */
export function cellOf(d: ArrayLike<number>, bits: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  const s = NEARLY_ONE / (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const half = 1 << (bits - 1);
  const side = (z * s + 1) | 0;
  return (((side << bits) + (((x * s + 1) * half) | 0)) << bits) + (((y * s + 1) * half) | 0);
}

/** @param onlyBest keep one corner a cell: where a climb starts */
export function createDirectionMap(vertices: Float64Array, onlyBest: boolean): DirectionMap {
  const bits = !onlyBest && vertices.length >= 3 * BIG_HULL ? BITS_OF_BIG_HULLS : BITS;
  const count = vertices.length / 3;
  const all = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) all[i] = all[count + i] = 3 * i;
  const maker = new Refinement(vertices);
  let map: DirectionMap = { bits: 0, start: Int32Array.of(0, count, 2 * count), corners: all, extreme: [] };
  let extreme: readonly number[] = [];
  while (map.bits < bits) {
    map = maker.refine(map, onlyBest && map.bits === bits - 1);
    if (map.bits === BITS) extreme = extremeCorners(map, vertices);
  }
  return { ...map, extreme };
}

/** Cuts the cells of a map in four and leaves in each the corners that can be farthest there. */
class Refinement {
  private readonly vertices: Float64Array;
  private readonly relative: Float64Array;
  private readonly clearly: number;
  /** How far each candidate of the cell at hand reaches along the four ends, one after the other. */
  private readonly along: Float64Array;
  private readonly winners = new Int32Array(5);
  /** The corners kept so far; the rest is room for more. */
  private kept = new Int32Array(1024);
  private count = 0;

  constructor(vertices: Float64Array) {
    this.vertices = vertices;
    this.relative = fromFirst(vertices); // far from the origin, too, nothing is lost
    this.clearly = CLEARLY * farthestCoordinate(this.relative);
    this.along = new Float64Array((4 * vertices.length) / 3);
  }

  refine(coarse: DirectionMap, onlyBest: boolean): DirectionMap {
    const bits = coarse.bits + 1;
    const { directions, isInUse } = cellsOf(bits);
    const start = new Int32Array(isInUse.length + 1);
    this.count = 0;
    for (let cell = 0; cell < isInUse.length; cell++) {
      const parent = parentOf(cell, bits);
      const from = coarse.start[parent];
      const to = coarse.start[parent + 1];
      if (this.count + to - from > this.kept.length) this.makeRoom(to - from);
      // Cells outside the octahedron are looked up by NaN at most: any corner will do.
      if (isInUse[cell] === 0 || to - from === 1) this.kept[this.count++] = coarse.corners[from];
      else if (onlyBest) this.keepBest(coarse.corners, from, to, directions, PER_CELL * cell);
      else this.keep(coarse.corners, from, to, directions, PER_CELL * cell);
      start[cell + 1] = this.count;
    }
    return { bits, start, corners: this.kept.slice(0, this.count), extreme: [] };
  }

  private makeRoom(least: number): void {
    const kept = new Int32Array(2 * this.kept.length + least);
    kept.set(this.kept);
    this.kept = kept;
  }

  /**
   * Of the candidates from `from` to `to`, appends the one farthest along the middle of a cell, then all that none of the farthest at
   * middle and ends beats all over it. The five directions stand at `at`.
   */
  private keep(candidates: Int32Array, from: number, to: number, directions: Float64Array, at: number): void {
    const { kept, winners } = this;
    this.measure(candidates, from, to, directions, at);
    const best = winners[0];
    kept[this.count++] = candidates[from + best];

    let count = 1;
    for (let end = 1; end < 5; end++) {
      const winner = winners[end];
      if (winner !== best && winner !== winners[count - 1]) winners[count++] = winner;
    }
    for (let i = 0; i < to - from; i++) {
      if (i === best || this.isBeaten(4 * i, count)) continue;
      kept[this.count++] = candidates[from + i];
    }
  }

  /**
   * How far each candidate reaches along the four ends, and which reaches farthest along middle and ends: of equals along the middle the one with
   * the least offset, wherever it stands. One loop, written out: this is most of what it takes to make a body.
   */
  private measure(candidates: Int32Array, from: number, to: number, directions: Float64Array, at: number): void {
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
    let most = Number.NEGATIVE_INFINITY;
    let best0 = 0,
      best1 = 0,
      best2 = 0,
      best3 = 0;
    for (let i = from, o = 0; i < to; i++, o += 4) {
      const k = candidates[i];
      const middle = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
      if (middle > most || (middle === most && k < candidates[best])) {
        most = middle;
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

  /** Whether one of the first winners reaches farther than the candidate at offset o along all four ends. */
  private isBeaten(o: number, count: number): boolean {
    const { along, winners, clearly } = this;
    const least0 = along[o] + clearly,
      least1 = along[o + 1] + clearly,
      least2 = along[o + 2] + clearly,
      least3 = along[o + 3] + clearly;
    for (let j = 0; j < count; j++) {
      const w = 4 * winners[j];
      if (along[w] > least0 && along[w + 1] > least1 && along[w + 2] > least2 && along[w + 3] > least3) return true;
    }
    return false;
  }

  /** Appends the candidate that is farthest along the middle of a cell; of equals the one with the least offset. */
  private keepBest(candidates: Int32Array, from: number, to: number, directions: Float64Array, at: number): void {
    const { vertices } = this;
    const x = directions[at],
      y = directions[at + 1],
      z = directions[at + 2];
    let best = from;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const k = candidates[i];
      const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
      if (!(along > most || (along === most && k < candidates[best]))) continue;
      most = along;
      best = i;
    }
    this.kept[this.count++] = candidates[best];
  }
}

/** The corners as seen from the first. */
function fromFirst(vertices: Float64Array): Float64Array {
  const relative = new Float64Array(vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    relative[k] = vertices[k] - vertices[0];
    relative[k + 1] = vertices[k + 1] - vertices[1];
    relative[k + 2] = vertices[k + 2] - vertices[2];
  }
  return relative;
}

function farthestCoordinate(points: Float64Array): number {
  let most = 0;
  for (let i = 0; i < points.length; i++) most = Math.max(most, Math.abs(points[i]));
  return most;
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

/** One direction in the middle of each cell that is in use. */
export function middlesOfCells(): Direction[] {
  const { directions, isInUse } = cellsOf(BITS);
  const middles = Array.from(isInUse, (_, cell) => middleOf(directions, cell));
  return middles.filter((_, cell) => isInUse[cell] === 1);
}

/** The best corner of the first cell, though it is not in use, and of every cell that is. */
function extremeCorners({ bits, start, corners }: DirectionMap, vertices: Float64Array): number[] {
  const { directions, isInUse } = cellsOf(bits);
  const extreme = new Set([farthest(vertices, ...middleOf(directions, 0))]);
  for (let cell = 0; cell < isInUse.length; cell++) if (isInUse[cell] === 1) extreme.add(corners[start[cell]]);
  return [...extreme];
}
