/** Numbers per cell: lower and upper bound on the distance over the cell. */
const BOUNDS = 2;

/**
 * Quadtree over a rectangle of two variables, or binary tree over an interval of one. Each cell has bounds on a
 * function over the cell: NaN until they are computed. Flat arrays that double; cells are never removed.
 */
export class CellTree {
  /** Number of cells; cell 0 is the root. */
  length = 1;
  /** First child of each cell; 0: none. */
  private children = new Int32Array(64);
  private bounds = new Float64Array(BOUNDS * 64).fill(Number.NaN);

  /** @param isPlanar two variables: four children per cell; bit k of the index is the upper half of variable k */
  constructor(readonly isPlanar: boolean) {}

  /** First child of a cell, 0 if it has none. */
  firstChild(cell: number): number {
    return this.children[cell];
  }

  /** Creates the children of a cell; returns the first one. */
  split(cell: number): number {
    const first = this.length;
    this.length += this.isPlanar ? 4 : 2;
    if (this.length > this.children.length) this.grow();
    this.children[cell] = first;
    return first;
  }

  private grow(): void {
    const { children, bounds } = this;
    this.children = new Int32Array(2 * children.length);
    this.children.set(children);
    this.bounds = new Float64Array(2 * bounds.length).fill(Number.NaN);
    this.bounds.set(bounds);
  }

  /** Lower bound over a cell; NaN if it is not computed yet. */
  lower(cell: number): number {
    return this.bounds[BOUNDS * cell];
  }

  /** Upper bound on the values that the lower bound of any part of the cell can have. */
  upper(cell: number): number {
    return this.bounds[BOUNDS * cell + 1];
  }

  setBounds(cell: number, lower: number, upper: number): void {
    this.bounds[BOUNDS * cell] = lower;
    this.bounds[BOUNDS * cell + 1] = upper;
  }
}
