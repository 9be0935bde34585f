/** Slightly below 1, so that u = 1 and w = 1 fall into the last cells and not beyond. Relative. */
const NEARLY_ONE = 1 - 1e-9;
/** Margin added to each cell in u and v: greater than the shift of a direction by a lookup (NEARLY_ONE). */
const CELL_MARGIN = 2e-9;

/** [x, y, z], any length except zero. */
export type Direction = readonly [number, number, number];

/** Numbers per cell in `directions`: its center and its four vertex directions, x, y, z each. */
export const PER_CELL = 15;

/** Cells of the direction map (directionMap.ts) at one resolution. */
export interface Cells {
  readonly directions: Float64Array;
  /** 1 if some direction falls into the cell: none does outside the octahedron. */
  readonly isInUse: Uint8Array;
}

const cache: Cells[] = [];

/** Returns the cells at a resolution; they are equal for all shapes and computed once. */
export function cellsOf(bits: number): Cells {
  cache[bits] ??= createCells(bits);
  return cache[bits];
}

/**
 * Returns the cell of a direction of any length; NaN and zero fall into some cell. (Takes an array because number
 * arguments of a call that is not inlined may cost an allocation each; for the same reason it does not call `cellAt`.)
 */
export function cellOf(d: ArrayLike<number>, bits: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  const s = NEARLY_ONE / (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const half = 1 << (bits - 1);
  const side = (z * s + 1) | 0;
  return (((side << bits) + (((x * s + 1) * half) | 0)) << bits) + (((y * s + 1) * half) | 0);
}

/** As `cellOf`, without an array: for kernels, into which it is inlined. */
export function cellAt(x: number, y: number, z: number, bits: number): number {
  const s = NEARLY_ONE / (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const half = 1 << (bits - 1);
  const side = (z * s + 1) | 0;
  return (((side << bits) + (((x * s + 1) * half) | 0)) << bits) + (((y * s + 1) * half) | 0);
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
    // At the rim of the octahedron the vertex directions extend beyond it, which only adds candidates.
    const halfWidth = 0.5 / half + CELL_MARGIN;
    let at = PER_CELL * cell;
    for (let end = -1; end < 4; end++, at += 3) {
      const endU = end < 0 ? u : u + (end < 2 ? -halfWidth : halfWidth);
      const endV = end < 0 ? v : v + (end % 2 === 0 ? -halfWidth : halfWidth);
      directions[at] = endU;
      directions[at + 1] = endV;
      directions[at + 2] = side * (1 - signU * endU - signV * endV);
    }
  }
  return { directions, isInUse };
}

/** Returns the direction at the center of a cell. */
export function centerOfCell(directions: Float64Array, cell: number): Direction {
  const at = PER_CELL * cell;
  return [directions[at], directions[at + 1], directions[at + 2]];
}

/** Returns the parent of a cell: the cell of the next coarser map that contains it. */
export function parentOf(cell: number, bits: number): number {
  const mask = (1 << bits) - 1;
  const i = (cell >> bits) & mask;
  const j = cell & mask;
  return ((((cell >> (2 * bits)) << (bits - 1)) + (i >> 1)) << (bits - 1)) + (j >> 1);
}
