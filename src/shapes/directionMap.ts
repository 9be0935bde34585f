/**
 * Which corners of a polytope can be the farthest, by direction. Directions are laid on an octahedron, |u| + |v| + |w| = 1, and
 * binned by sign of w and by (u, v) in squares of 1/8: 2 × 16 × 16 cells of which the outer ones stay empty. Within an octant a cell
 * is a flat piece, so a corner that another one beats at all four ends of a cell is beaten all over it, and need not be looked at.
 *
 *        v                        A cell without a branch: three multiplications and truncations. Hulls of 20 to 200 corners
 *      ╱│╲                        keep two to four corners a cell, which beats climbing along edges from a good start (25 ns
 *    ╱  │  ╲  w < 0: a second     against 55), and needs no edges.
 *   ────┼──── u       one
 *    ╲  │  ╱
 */
const BITS = 4;
const CELLS = 1 << BITS;
const HALF = CELLS / 2;
/** A little under HALF, so that u = 1 and w = 1 fall into the last cells and not beyond. Relative. */
const NEARLY_HALF = HALF * (1 - 1e-9);
/** A corner must be beaten by this much, relative to size and direction, to be left out: above all rounding of the lookup. */
const CLEARLY = 1e-12;

/** Corners as offsets into the vertices: those of cell c are corners[start[c]] … corners[start[c + 1] − 1], a best one first. */
export interface DirectionMap {
  readonly start: Int32Array;
  readonly corners: Int32Array;
}

/** The cell of a direction of any length; NaN and zero land in some cell. */
export function cellOf(x: number, y: number, z: number): number {
  const s = NEARLY_HALF / (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const side = ((z * s + HALF) / HALF) | 0;
  return (side << (2 * BITS)) + ((x * s + HALF) << BITS) + ((y * s + HALF) | 0);
}

/** @param onlyBest keep one corner a cell: where a climb starts */
export function createDirectionMap(vertices: Float64Array, onlyBest: boolean): DirectionMap {
  const start = new Int32Array(2 * CELLS * CELLS + 1);
  const corners: number[] = [];
  const clearly = CLEARLY * sizeOf(vertices);
  for (let cell = 0; cell < 2 * CELLS * CELLS; cell++) {
    const ends = endsOfCell(cell);
    if (ends.length === 0)
      corners.push(0); // never looked up, but by NaN
    else if (onlyBest) corners.push(bestInMiddle(vertices, ends));
    else addCandidates(corners, vertices, ends, clearly);
    start[cell + 1] = corners.length;
  }
  return { start, corners: Int32Array.from(corners) };
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
  const cells = Array.from({ length: 2 * CELLS * CELLS }, (_, cell) => endsOfCell(cell));
  return cells.filter(isInUse).map(middle);
}

type Direction = readonly [number, number, number];

/** The four directions between which a cell lies. On the rim of the octahedron they reach over it, which only adds candidates. */
function endsOfCell(cell: number): Direction[] {
  const side = cell < CELLS * CELLS ? -1 : 1;
  const i = Math.floor(cell / CELLS) % CELLS;
  const j = cell % CELLS;
  const signU = i < HALF ? -1 : 1;
  const signV = j < HALF ? -1 : 1;
  const ends: Direction[] = [];
  for (const u of [i / HALF - 1, (i + 1) / HALF - 1]) {
    for (const v of [j / HALF - 1, (j + 1) / HALF - 1]) ends.push([u, v, side * (1 - signU * u - signV * v)]);
  }
  return ends;
}

/** Whether some direction falls between the ends: outside the octahedron w has the wrong sign at all of them. */
function isInUse(ends: readonly Direction[]): boolean {
  return ends.some(([u, v]) => Math.abs(u) + Math.abs(v) < 1);
}

function middle(ends: readonly Direction[]): Direction {
  const sum = [0, 1, 2].map((k) => ends.reduce((total, end) => total + end[k], 0) / ends.length);
  return [sum[0], sum[1], sum[2]];
}

function bestInMiddle(vertices: Float64Array, ends: readonly Direction[]): number {
  const [x, y, z] = middle(ends);
  return farthest(vertices, x, y, z);
}

function addCandidates(corners: number[], vertices: Float64Array, ends: readonly Direction[], clearly: number): void {
  const best = bestInMiddle(vertices, ends);
  const winners = new Set([best, ...ends.map(([x, y, z]) => farthest(vertices, x, y, z))]);
  corners.push(best);
  for (let k = 0; k < vertices.length; k += 3) {
    if (k === best) continue;
    let isBeaten = false;
    for (const w of winners) {
      if (w !== k && beatsAllOver(vertices, w, k, ends, clearly)) {
        isBeaten = true;
        break;
      }
    }
    if (!isBeaten) corners.push(k);
  }
}

function beatsAllOver(
  vertices: Float64Array,
  w: number,
  k: number,
  ends: readonly Direction[],
  clearly: number,
): boolean {
  const x = vertices[w] - vertices[k];
  const y = vertices[w + 1] - vertices[k + 1];
  const z = vertices[w + 2] - vertices[k + 2];
  for (let e = 0; e < ends.length; e++) {
    const end = ends[e];
    if (!(x * end[0] + y * end[1] + z * end[2] > clearly)) return false;
  }
  return true;
}

function sizeOf(vertices: Float64Array): number {
  let size = 0;
  for (let k = 3; k < vertices.length; k++) size = Math.max(size, Math.abs(vertices[k] - vertices[k % 3]));
  return size;
}
