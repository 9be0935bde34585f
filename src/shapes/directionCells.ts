/** By how much cells are taken for larger than they are, in u and v: more than what a lookup shifts a direction by (NEARLY_ONE). */
const OVERLAP = 2e-9;

/** x, y, z. */
export type Direction = readonly [number, number, number];

/** Numbers a cell has among `directions`: its middle and the four ends between which it lies, x, y, z each. */
export const PER_CELL = 15;

/** The cells that directions are binned in (directionMap.ts), those of one fineness. */
export interface Cells {
  readonly directions: Float64Array;
  /** 1 where some direction falls between the ends: outside the octahedron none does. */
  readonly isInUse: Uint8Array;
}

const known: Cells[] = [];

/** The cells of maps of a fineness; they are the same for all bodies, and made once. */
export function cellsOf(bits: number): Cells {
  known[bits] ??= createCells(bits);
  return known[bits];
}

function createCells(bits: number): Cells {
  const count = 2 << (2 * bits);
  const mask = (1 << bits) - 1;
  const half = 1 << (bits - 1);
  const directions = new Float64Array(PER_CELL * count);
  const isInUse = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++) {
    const side = cell >> (2 * bits) === 0 ? -1 : 1;
    const u = (((cell >> bits) & mask) + 0.5) / half - 1;
    const v = ((cell & mask) + 0.5) / half - 1;
    const signU = u < 0 ? -1 : 1;
    const signV = v < 0 ? -1 : 1;
    isInUse[cell] = signU * u + signV * v < 1 + 1 / half ? 1 : 0;
    // On the rim of the octahedron the ends reach over it, which only adds candidates.
    const reach = 0.5 / half + OVERLAP;
    let at = PER_CELL * cell;
    for (let corner = -1; corner < 4; corner++, at += 3) {
      const endU = corner < 0 ? u : u + (corner < 2 ? -reach : reach);
      const endV = corner < 0 ? v : v + (corner % 2 === 0 ? -reach : reach);
      directions[at] = endU;
      directions[at + 1] = endV;
      directions[at + 2] = side * (1 - signU * endU - signV * endV);
    }
  }
  return { directions, isInUse };
}

/** The direction in the middle of a cell. */
export function middleOf(directions: Float64Array, cell: number): Direction {
  const at = PER_CELL * cell;
  return [directions[at], directions[at + 1], directions[at + 2]];
}

/** The cell of the map half as fine that a cell is a quarter of. */
export function parentOf(cell: number, bits: number): number {
  const mask = (1 << bits) - 1;
  const i = (cell >> bits) & mask;
  const j = cell & mask;
  return ((((cell >> (2 * bits)) << (bits - 1)) + (i >> 1)) << (bits - 1)) + (j >> 1);
}
