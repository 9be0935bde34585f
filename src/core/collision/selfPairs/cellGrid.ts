import type { Configuration } from '../../math/configuration.ts';
import type { PairJoint } from './pairGeometry.ts';

/** Depth in the tree of the cells of a grid: 0.1 rad wide, if the range is a full turn. */
const DEPTH = 6;
/** Cells along one joint. */
const WIDTH = 1 << DEPTH;
/** Greatest magnitude of joint values (rad, m): cells are enlarged by enough to cover the rounding of smaller ones. */
export const MAX_VALUE = 1e5;

/**
 * Lower bounds on the distance of a pair, copied from the tree of a table into a grid of cells of equal size: a state
 * is found there by its joint values, without a descent. Each cell has the best bound of a tree cell that contains it,
 * −∞ until one is stored.
 *
 * The cell of a state is computed with a rounding error of less than 1e-10 rad or m: values up to MAX_VALUE and their
 * products have errors below 2⁻⁵² · 1e5 each. Bounds hold for cells that are enlarged by 1e-9, so they hold for the
 * state whichever of two adjacent cells rounding selects.
 */
export class CellGrid {
  private readonly bounds: Float64Array;
  private readonly variables: Int32Array;
  /** By joint: multiplier and offset of its value, start of its range, and cells per unit of its value. */
  private readonly factors: Float64Array;
  private readonly slides: Uint8Array;

  constructor(joints: readonly PairJoint[]) {
    this.bounds = new Float64Array(1 << (DEPTH * joints.length)).fill(Number.NEGATIVE_INFINITY);
    this.variables = Int32Array.from(joints, ({ joint }) => joint.variable);
    this.factors = Float64Array.from(
      joints.flatMap(({ joint, start, size }) => [joint.multiplier, joint.offset, start, WIDTH / size]),
    );
    this.slides = Uint8Array.from(joints, ({ isPrismatic }) => (isPrismatic ? 1 : 0));
  }

  /** Returns the index of the cell that contains state q; −1 if a value is out of range. */
  indexOf(q: Configuration): number {
    const { variables, factors, slides } = this;
    let index = 0;
    for (let k = 0; k < variables.length; k++) {
      const value = factors[4 * k] * q[variables[k]] + factors[4 * k + 1];
      if (!(Math.abs(value) <= MAX_VALUE)) return -1;
      const cell = Math.floor((value - factors[4 * k + 2]) * factors[4 * k + 3]);
      if (slides[k] === 1 && !(cell >= 0 && cell < WIDTH)) return -1;
      index = WIDTH * index + (cell & (WIDTH - 1)); // a turning joint: the same cell after full turns
    }
    return index;
  }

  /** Returns the lower bound (metres) of a cell. */
  boundOf(index: number): number {
    return this.bounds[index];
  }

  /**
   * Stores the bound of the tree cell at `lower`, `size` of each joint, for a cell of the grid, unless this is not
   * contained in it.
   */
  store(index: number, joints: readonly PairJoint[], lower: Float64Array, size: Float64Array, bound: number): void {
    let rest = index;
    for (let k = joints.length - 1; k >= 0; k--) {
      const cell = rest % WIDTH;
      rest = (rest - cell) / WIDTH;
      const count = Math.round(joints[k].size / size[k]);
      if (count > WIDTH || Math.floor((cell * count) / WIDTH) !== Math.round((lower[k] - joints[k].start) / size[k]))
        return;
    }
    this.bounds[index] = Math.max(this.bounds[index], bound);
  }
}
