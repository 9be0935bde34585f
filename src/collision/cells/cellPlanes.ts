import type { ProofRecorder } from '../pairProver.ts';

/** A cell in which one direction separates a pair: [cell, nx, ny, nz], unit, in the frame of part B. */
export type SeparatedCell = readonly [cell: number, nx: number, ny: number, nz: number];

/** Records the separating directions by which the pairs of cells are proved. */
export class CellPlanes implements ProofRecorder {
  readonly takesKnownPlanes = true;
  /** The cell that is being decided. */
  cell = 0;
  /** By pair: the cells in which it was proved. */
  private readonly cells = new Map<number, SeparatedCell[]>();

  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void {
    if (from > -1 || to < 1) return; // a part of the cell only: the pair is open in its halves
    const known = this.cells.get(pair);
    if (known) known.push([this.cell, nx, ny, nz]);
    else this.cells.set(pair, [[this.cell, nx, ny, nz]]);
  }

  /** Returns the cells in which a pair was proved, in the order of the proofs. */
  of(pair: number): readonly SeparatedCell[] {
    return this.cells.get(pair) ?? [];
  }
}
