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
  const reaches = new Reaches(vertices);
  let best = 0;
  allCells().forEach(({ ends, middle: [x, y, z], isInUse }, cell) => {
    // Cells outside the octahedron are looked up by NaN at most: any extreme corner will do.
    if (isInUse || cell === 0) best = farthest(vertices, x, y, z);
    corners.push(best);
    if (!onlyBest && isInUse) reaches.addRivals(corners, best / 3, ends);
    start[cell + 1] = corners.length;
  });
  return { start, corners: Int32Array.from(corners) };
}

/** How far each corner reaches along the ends of cells, each end being worked out once for the four cells that share it. */
class Reaches {
  private readonly relative: Float64Array;
  private readonly clearly: number;
  private readonly known = new Map<Direction, { readonly along: Float64Array; readonly best: number }>();

  constructor(vertices: Float64Array) {
    this.relative = vertices.map((x, i) => x - vertices[i % 3]); // far from the origin, too, nothing is lost
    this.clearly = CLEARLY * this.relative.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
  }

  /** Appends every corner but `best` that none of the farthest corners at middle and ends of the cell beats all over it. */
  addRivals(corners: number[], best: number, ends: readonly Direction[]): void {
    const [p, q, r, s] = ends.map((end) => this.at(end));
    const winners = [...new Set([best, p.best, q.best, r.best, s.best])];
    const { clearly } = this;
    const [along0, along1, along2, along3] = [p.along, q.along, r.along, s.along];
    for (let i = 0; i < along0.length; i++) {
      let isBeaten = i === best;
      for (let j = 0; j < winners.length && !isBeaten; j++) {
        const w = winners[j];
        isBeaten =
          along0[w] - along0[i] > clearly &&
          along1[w] - along1[i] > clearly &&
          along2[w] - along2[i] > clearly &&
          along3[w] - along3[i] > clearly;
      }
      if (!isBeaten) corners.push(3 * i);
    }
  }

  private at(end: Direction): { readonly along: Float64Array; readonly best: number } {
    const found = this.known.get(end);
    if (found !== undefined) return found;

    const { relative } = this;
    const [x, y, z] = end;
    const along = new Float64Array(relative.length / 3);
    let best = 0;
    for (let i = 0; i < along.length; i++) {
      along[i] = x * relative[3 * i] + y * relative[3 * i + 1] + z * relative[3 * i + 2];
      if (along[i] > along[best]) best = i;
    }
    const made = { along, best };
    this.known.set(end, made);
    return made;
  }
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
  return allCells()
    .filter(({ isInUse }) => isInUse)
    .map(({ middle }) => middle);
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

interface Cell {
  readonly ends: readonly Direction[];
  readonly middle: Direction;
  /** Whether some direction falls between the ends: outside the octahedron none does. */
  readonly isInUse: boolean;
}

let cells: Cell[] | undefined;

/** The cells in order; they are the same for all bodies, and made once. Neighbours share their ends, to the very object. */
function allCells(): Cell[] {
  if (cells !== undefined) return cells;
  const shared = new Map<string, Direction>();
  cells = Array.from({ length: 2 * CELLS * CELLS }, (_, cell) => {
    const ends = endsOfCell(cell).map((end) => {
      const known = shared.get(end.join()) ?? end;
      shared.set(end.join(), known);
      return known;
    });
    const sum = [0, 1, 2].map((k) => ends.reduce((total, end) => total + end[k], 0) / ends.length);
    return { ends, middle: [sum[0], sum[1], sum[2]], isInUse: ends.some(([u, v]) => Math.abs(u) + Math.abs(v) < 1) };
  });
  return cells;
}
