import type { Configuration } from '../../math/configuration.ts';
import type { CellBound, DistanceBounds, PairGeometry, PairJoint } from './cellBound.ts';

/** Cells above this depth are too large for any bound. */
const MIN_DEPTH = 3;
/** Depth of the smallest cells: 0.012 rad wide, if the range is a full turn. */
const MAX_DEPTH = 9;
/** Maximum number of cells of a table: about 2 MB. */
const MAX_CELLS = 1 << 16;
/**
 * Cells are computed larger by this on all sides (rad, m): covers the rounding of joint values and of their turns
 * up to MAX_VALUE.
 */
const ENLARGED = 1e-9;
/** Maximum number of cells along a segment. */
const MAX_STEPS = 512;

/**
 * Lower bounds on the distance of a pair for all values of the one or two joints that move it: a tree of cells, which
 * are bisected where they are queried until the bound suffices or the cell is small. Bounds depend on the cell alone.
 */
export class PairTable {
  /** Metres: distance that the pair loses at most over 1 rad or m of both joints. */
  readonly reach: number;
  private readonly tree: CellTree;
  private readonly joints: readonly PairJoint[];
  /** Queried values, reduced to the range of the cells; rates of a segment; bounds of the cell that contains them. */
  private readonly values: Float64Array;
  private readonly rates: Float64Array;
  private readonly lower: Float64Array;
  private readonly size: Float64Array;
  private readonly middle: Float64Array;
  private readonly half: Float64Array;
  /** Bounds of cells in which states were found separated. */
  private readonly grid: CellGrid;
  /** Cell that `cellExceeds` found last. */
  private cell = 0;
  private readonly computed: DistanceBounds = { lower: 0, upper: 0 };

  constructor(
    private readonly geometry: PairGeometry,
    private readonly bound: CellBound,
  ) {
    const { joints } = geometry;
    this.joints = joints;
    this.reach = joints.reduce((sum, { reach }) => sum + reach, 0);
    this.tree = new CellTree(joints.length === 2);
    this.grid = new CellGrid(joints);
    const vector = () => new Float64Array(joints.length);
    [this.values, this.rates, this.lower, this.size] = [vector(), vector(), vector(), vector()];
    [this.middle, this.half] = [vector(), vector()];
  }

  /** Number of cells. */
  get cells(): number {
    return this.tree.length;
  }

  /** Returns true if the distance of the pair in state q is proved to exceed `distance`. */
  exceeds(q: Configuration, distance: number): boolean {
    const { grid, joints, tree } = this;
    const index = grid.indexOf(q);
    if (index >= 0 && grid.boundOf(index) > distance) return true;
    if (!this.locate(q, q, 0) || !this.cellExceeds(distance)) return false;
    if (index >= 0) grid.store(index, joints, this.lower, this.size, tree.lower(this.cell));
    return true;
  }

  /**
   * Returns true if the distance of the pair is proved to exceed `distance` at all times from `start` to `end` of the
   * straight line that is at qFrom at 0 and at qTo at 1.
   */
  exceedsAlong(qFrom: Configuration, qTo: Configuration, start: number, end: number, distance: number): boolean {
    const { joints, rates } = this;
    let speed = 0;
    for (let k = 0; k < joints.length; k++) {
      const { variable, multiplier } = joints[k].joint;
      rates[k] = multiplier * (qTo[variable] - qFrom[variable]);
      speed += Math.abs(rates[k]);
    }
    let t = start;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (!this.locate(qFrom, qTo, t) || !this.cellExceeds(distance)) return false;
      t += this.timeInCell();
      if (!(t < end)) return true;
      t += (0.1 * ENLARGED) / speed; // into the next cell
    }
    return false;
  }

  /** Computes `values` at time t; returns false if a value is out of the range of the cells. */
  private locate(qFrom: Configuration, qTo: Configuration, t: number): boolean {
    const { joints, values } = this;
    for (let k = 0; k < joints.length; k++) {
      const { joint, isPrismatic, start, size } = joints[k];
      const { variable, multiplier, offset } = joint;
      const q = qFrom[variable] + t * (qTo[variable] - qFrom[variable]);
      const value = multiplier * q + offset;
      if (!(Math.abs(value) <= MAX_VALUE)) return false;
      values[k] = isPrismatic ? value : value - size * Math.floor(value / size);
      if (isPrismatic && !(value >= start && value <= start + size)) return false;
    }
    return true;
  }

  /** Time until the segment leaves the cell that contains `values`; Infinity if it does not move. */
  private timeInCell(): number {
    const { joints, values, rates, lower, size } = this;
    let time = Number.POSITIVE_INFINITY;
    for (let k = 0; k < joints.length; k++) {
      if (rates[k] === 0) continue;
      const side = rates[k] > 0 ? lower[k] + size[k] : lower[k];
      time = Math.min(time, Math.max(0, (side - values[k]) / rates[k]));
    }
    return time;
  }

  /** Descends to a cell that contains `values` and whose lower bound exceeds `distance`; false if there is none. */
  private cellExceeds(distance: number): boolean {
    const { tree, joints, lower, size } = this;
    for (let k = 0; k < joints.length; k++) {
      lower[k] = joints[k].start;
      size[k] = joints[k].size;
    }
    let cell = 0;
    for (let depth = 0; ; depth++) {
      if (depth >= MIN_DEPTH) {
        if (Number.isNaN(tree.lower(cell))) this.computeBounds(cell);
        this.cell = cell;
        if (tree.lower(cell) > distance) return true;
        if (!(tree.upper(cell) > distance)) return false;
      }
      if (depth === MAX_DEPTH) return false;
      let child = tree.firstChild(cell);
      if (child === 0) {
        if (tree.length >= MAX_CELLS) return false;
        child = tree.split(cell);
      }
      cell = child + this.enterChild();
    }
  }

  /** Narrows the current cell to the child that contains `values`; returns the index of the child. */
  private enterChild(): number {
    const { joints, lower, size, values } = this;
    let index = 0;
    for (let k = 0; k < joints.length; k++) {
      size[k] *= 0.5;
      if (!(values[k] >= lower[k] + size[k])) continue;
      lower[k] += size[k];
      index += 1 << k;
    }
    return index;
  }

  private computeBounds(cell: number): void {
    const { tree, joints, lower, size, middle, half, computed } = this;
    for (let k = 0; k < joints.length; k++) {
      half[k] = 0.5 * size[k] + ENLARGED;
      middle[k] = lower[k] + 0.5 * size[k];
    }
    this.bound.compute(computed, this.geometry, middle, half);
    tree.setBounds(cell, computed.lower, computed.upper);
  }
}

/** Numbers per cell: lower and upper bound on the distance over the cell. */
const BOUNDS = 2;

/**
 * Quadtree over a rectangle of two variables, or binary tree over an interval of one. Each cell has bounds on a
 * function over the cell: NaN until they are computed. Flat arrays that double; cells are never removed.
 */
class CellTree {
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

/** Depth in the tree of the cells of a grid: 0.1 rad wide, if the range is a full turn. */
const DEPTH = 6;
/** Cells along one joint. */
const WIDTH = 1 << DEPTH;
/** Greatest magnitude of joint values (rad, m): cells are enlarged by enough to cover the rounding of smaller ones. */
const MAX_VALUE = 1e5;

/**
 * Lower bounds on the distance of a pair, copied from the tree of a table into a grid of cells of equal size: a state
 * is found there by its joint values, without a descent. Each cell has the best bound of a tree cell that contains it,
 * −∞ until one is stored.
 *
 * The cell of a state is computed with a rounding error of less than 1e-10 rad or m: values up to MAX_VALUE and their
 * products have errors below 2⁻⁵² · 1e5 each. Bounds hold for cells that are enlarged by 1e-9, so they hold for the
 * state whichever of two adjacent cells rounding selects.
 */
class CellGrid {
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
