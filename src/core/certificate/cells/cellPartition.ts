/** Pair (index into the list of the tree) that overlaps throughout a cell, and the point in both: x, y, z. */
export type Witness = readonly [number, number, number, number];

/**
 * A tree of cells in preorder: a number bisects the cell along that joint of the tree; a witness states that the cell
 * is in collision, false that no state of it has the pose of a goal; null claims nothing of the cell itself.
 */
export type CellEntry = number | null | false | Witness;

/** Maximum number of bisections from the box to a cell. */
const MAX_DEPTH = 200;
/** Metres or radians: values this close to a face of a wrapped joint are on both of its ends. */
const FACE = 1e-9;

/** Options of `CellPartition.flood`. */
export interface FloodOptions {
  /** Also continues through these cells in collision. */
  readonly isOpen?: (witness: Witness) => boolean;
  /** Cells of which paths contain as many as possible: the search continues from them first. */
  readonly isFree?: (cell: number) => boolean;
  /** Ends the search when one of these cells is reached. */
  readonly until?: ReadonlySet<number>;
}

/** Box of joint values that is bisected into cells, which are closed and cover it. Nodes are numbered; 0 is the box. */
export class CellPartition {
  /** Witness of each cell in collision. */
  readonly witness: (Witness | undefined)[] = [undefined];
  /** Cells without a state that has the pose of the goal. */
  readonly unreached = new Set<number>();
  /** Bounds of each node, `dimension` numbers each. */
  readonly lower: number[];
  readonly upper: number[];
  /** The joint along which a node is bisected, −1 for cells; and its first half, which the second one follows. */
  private readonly axis: number[] = [-1];
  private readonly half: number[] = [-1];

  /** @param wraps joints of which both ends are the same state; their range exceeds a full turn by a little */
  constructor(
    lower: readonly number[],
    upper: readonly number[],
    private readonly wraps: readonly boolean[],
  ) {
    this.lower = [...lower];
    this.upper = [...upper];
  }

  get dimension(): number {
    return this.wraps.length;
  }

  /** Number of nodes. */
  get size(): number {
    return this.axis.length;
  }

  isCell(node: number): boolean {
    return this.axis[node] < 0;
  }

  /** Bisects a cell and returns its first half; the second one has the next number. */
  bisect(node: number, axis: number): number {
    const { dimension: n, lower, upper } = this;
    const first = this.size;
    this.axis[node] = axis;
    this.half[node] = first;
    for (const side of [0, 1]) {
      for (let k = 0; k < n; k++) {
        const middle = this.middle(node, k);
        lower.push(k === axis && side === 1 ? middle : lower[n * node + k]);
        upper.push(k === axis && side === 0 ? middle : upper[n * node + k]);
      }
      this.axis.push(-1);
      this.half.push(-1);
      this.witness.push(undefined);
    }
    return first;
  }

  middle(node: number, k: number): number {
    return 0.5 * (this.lower[this.dimension * node + k] + this.upper[this.dimension * node + k]);
  }

  halfWidth(node: number, k: number): number {
    return 0.5 * (this.upper[this.dimension * node + k] - this.lower[this.dimension * node + k]);
  }

  /** Returns the joint along which a cell is widest; −1 without joints. */
  widestAxis(node: number): number {
    let widest = this.dimension > 0 ? 0 : -1;
    for (let k = 1; k < this.dimension; k++) if (this.halfWidth(node, k) > this.halfWidth(node, widest)) widest = k;
    return widest;
  }

  /** Returns all cells that meet a closed box; values of joints that wrap are compared up to a turn. */
  cellsMeeting(lower: readonly number[], upper: readonly number[], root = 0, found: number[] = []): number[] {
    const { dimension: n } = this;
    for (let k = 0; k < n; k++) if (!this.meets(root, k, lower[k], upper[k])) return found;
    if (this.isCell(root)) found.push(root);
    else for (const side of [0, 1]) this.cellsMeeting(lower, upper, this.half[root] + side, found);
    return found;
  }

  private meets(node: number, k: number, low: number, high: number): boolean {
    const at = this.dimension * node + k;
    const [lower, upper] = [this.lower[at], this.upper[at]];
    if (low <= upper && lower <= high) return true;
    if (!this.wraps[k]) return false;
    const turn = 2 * Math.PI;
    return [-turn, turn].some((by) => low + by <= upper + FACE && lower - FACE <= high + by);
  }

  /**
   * Searches the cells that are connected with some cells through cells that are not in collision, which share at least
   * a point. Returns the cell before each one, −1 for the first ones and −2 for those not reached.
   */
  flood(from: readonly number[], { isOpen, isFree, until }: FloodOptions = {}): Int32Array {
    const { dimension: n, witness, lower, upper } = this;
    const before = new Int32Array(this.size).fill(-2);
    let [free, next]: number[][] = [[], []];
    const add = (cell: number, previous: number) => {
      const wall = witness[cell];
      if (before[cell] !== -2 || (wall !== undefined && !isOpen?.(wall))) return;
      before[cell] = previous;
      (isFree?.(cell) === false ? next : free).push(cell);
    };
    for (const cell of from) add(cell, -1);
    while (free.length > 0 || next.length > 0) {
      if (free.length === 0) [free, next] = [next, free];
      const cell = free.pop()!;
      if (until?.has(cell)) break;
      const at = n * cell;
      for (const other of this.cellsMeeting(lower.slice(at, at + n), upper.slice(at, at + n))) add(other, cell);
    }
    return before;
  }

  /** Returns the cells in collision that share a point with cells that `flood` reached. */
  wallAround(before: Int32Array): number[] {
    const { dimension: n, lower, upper, witness } = this;
    const reached = [...before.keys()].filter((cell) => before[cell] !== -2).map((cell) => n * cell);
    const around = reached.flatMap((at) => this.cellsMeeting(lower.slice(at, at + n), upper.slice(at, at + n)));
    return [...new Set(around)].filter((cell) => witness[cell] !== undefined);
  }

  /** Returns the entries of the tree. */
  toEntries(node = 0, entries: CellEntry[] = []): CellEntry[] {
    const claim = this.unreached.has(node) ? false : (this.witness[node] ?? null);
    entries.push(this.isCell(node) ? claim : this.axis[node]);
    if (!this.isCell(node)) for (const side of [0, 1]) this.toEntries(this.half[node] + side, entries);
    return entries;
  }

  /** Bisects the box as entries state; returns false if they are not those of a tree. */
  addEntries(entries: readonly CellEntry[]): boolean {
    const open: [node: number, depth: number][] = [[0, 0]];
    for (const entry of entries) {
      const next = open.pop();
      if (next === undefined) return false;
      const [node, depth] = next;
      if (typeof entry === 'number') {
        if (!(Number.isInteger(entry) && entry >= 0 && entry < this.dimension && depth < MAX_DEPTH)) return false;
        const first = this.bisect(node, entry);
        open.push([first + 1, depth + 1], [first, depth + 1]);
      } else if (entry === false) this.unreached.add(node);
      else if (entry !== null) this.witness[node] = entry;
    }
    return open.length === 0;
  }
}
