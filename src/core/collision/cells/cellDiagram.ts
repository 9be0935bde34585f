import type { TimeRectangle } from '../../planning/coordination/freeRectangles.ts';
import type { CellPlanes, PlaneVisitor } from './cellPlanes.ts';
import type { CellProver, CellVerdict } from './cellProver.ts';
import type { DyadicMotion } from './dyadicMotion.ts';

/** Limits of the bisection of a coordination diagram. */
export const diagramDefaults = {
  /** Cells whose sides are shorter than this are not bisected, seconds; 16 times finer along paths. */
  resolution: 0.01,
  /** Maximum number of cells that are decided. */
  cells: 40_000,
  /** The bisection stops once undecided cells cover at most this share of the area. */
  undecided: 0.01,
};

/**
 * Coordination diagram of two robots on given motions [ODonnellLozanoPerez89]: the rectangle of the times along both
 * motions, bisected into cells in which the robots are proved separated (free), proved in collision (colliding), or
 * neither. Undecided cells are bisected level by level, along the motion that is longer in joint space.
 */
export class CellDiagram {
  /** Number of cells decided so far. */
  checked = 0;
  /** Area of the undecided cells, seconds squared. */
  undecidedArea = 0;
  /**
   * By cell: interval of each motion, verdict, and the first of its two halves (−1: not bisected). Cell 0 is the whole.
   */
  private readonly nodeA: number[] = [];
  private readonly nodeB: number[] = [];
  private readonly verdicts: CellVerdict[] = [];
  private readonly firstHalf: number[] = [];
  /** By cell: where the pairs that are not proved separated begin and end in `openPairs`; none once it is decided. */
  private readonly openStart: number[] = [];
  private readonly openEnd: number[] = [];
  private openPairs: Int32Array;
  private openCount = 0;
  /**
   * The undecided cells that can be bisected, and the number of those that are. In the order in which they are added,
   * large ones come first, and neighbors follow each other, so that the caches of the prover hold what is near.
   */
  private readonly queue: number[] = [];
  private next = 0;
  /** Cells that were added unchecked and are not bisected yet. */
  private readonly unchecked: number[] = [];
  /** By pair, if planes are wanted: the cells in which it was proved separated. */
  private readonly separated: Map<number, number[]> | undefined;
  private containsFree: Uint8Array | undefined;
  /** Resolution along paths, seconds. */
  private readonly finest: number;

  /**
   * @param pairs the pairs of parts of both robots that are checked
   * @param planes finds the planes of `forEachPlane`
   */
  constructor(
    private readonly prover: CellProver,
    private readonly motionA: DyadicMotion,
    private readonly motionB: DyadicMotion,
    readonly pairs: Int32Array,
    private readonly options: Readonly<typeof diagramDefaults> = diagramDefaults,
    private readonly planes?: CellPlanes,
  ) {
    this.finest = options.resolution / FINER;
    this.separated = planes && new Map(Array.from(pairs, (pair) => [pair, []]));
    this.openPairs = pairs.slice();
    this.openCount = pairs.length;
    this.add(0, 0, 0, pairs.length);
  }

  /**
   * Bisects undecided cells, large ones first, until little of the area is undecided, or half of the cells are used:
   * the rest is for `refineAlong`, after which it must not be called again.
   */
  refine(): void {
    const { queue, options } = this;
    const enough = options.undecided * this.area(0);
    const limit = 0.5 * options.cells;
    while (this.next < queue.length && this.checked < limit && this.undecidedArea > enough)
      this.quarter(queue[this.next++]);
  }

  /**
   * Bisects the undecided cells that a path crosses, to a finer resolution: a passage may be narrow. Returns
   * false if there are none, if they are at that resolution, or if the number of cells is reached.
   * @param path points in ascending order of both times
   */
  refineAlong(path: readonly (readonly [a: number, b: number])[]): boolean {
    let crossed = new Map<number, number>();
    for (let cell = 0; cell < this.verdicts.length; cell++) {
      if (this.isBisectable(cell) && this.isCrossed(cell, path)) crossed.set(cell, 0);
    }
    if (crossed.size === 0 || this.checked >= this.options.cells) return false;
    while (crossed.size > 0) {
      const next = new Map<number, number>();
      for (const [cell, level] of crossed) {
        this.bisect(cell, this.finest);
        for (const half of [this.firstHalf[cell], this.firstHalf[cell] + 1]) {
          if (level < LEVELS && this.isBisectable(half) && this.isCrossed(half, path)) next.set(half, level + 1);
        }
      }
      crossed = next;
    }
    return true;
  }

  /** Returns the maximal free cells: a cell whose halves are both free counts as one. */
  free(): TimeRectangle[] {
    return this.collect('free');
  }

  /** Returns the colliding cells, likewise. */
  colliding(): TimeRectangle[] {
    return this.collect('colliding');
  }

  /** Returns the undecided cells, likewise. */
  undecided(): TimeRectangle[] {
    return this.collect('undecided');
  }

  /**
   * Visits planes that separate a pair: each free cell is within one of their rectangles, or is divided into such.
   * Cells are bisected for them, so that the diagram must not be refined afterwards.
   */
  forEachPlane(pair: number, visit: PlaneVisitor): void {
    const { planes, separated, nodeA, nodeB } = this;
    this.containsFree ??= this.computeContainsFree();
    for (const cell of separated?.get(pair) ?? [])
      if (this.containsFree[cell] === 1) planes!.find(pair, nodeA[cell], nodeB[cell], visit);
  }

  /** By cell: 1 if it contains a free one. */
  private computeContainsFree(): Uint8Array {
    const contains = new Uint8Array(this.verdicts.length);
    for (let cell = this.verdicts.length - 1; cell >= 0; cell--) {
      const half = this.firstHalf[cell];
      contains[cell] = half < 0 ? Number(this.verdicts[cell] === 'free') : contains[half] | contains[half + 1];
    }
    return contains;
  }

  /** Returns the undecided cells that `refineAlong` can still bisect. */
  bisectable(): TimeRectangle[] {
    return [...this.verdicts.keys()].filter((cell) => this.isBisectable(cell)).map((cell) => this.rectangle(cell));
  }

  private collect(verdict: CellVerdict): TimeRectangle[] {
    const uniform = this.uniformVerdicts();
    const out: TimeRectangle[] = [];
    const visit = (cell: number): void => {
      if (uniform[cell] === verdict) out.push(this.rectangle(cell));
      else if (uniform[cell] === undefined) {
        visit(this.firstHalf[cell]);
        visit(this.firstHalf[cell] + 1);
      }
    };
    visit(0);
    return out;
  }

  /** By cell: its verdict, or that of both halves if they agree; undefined if they do not. */
  private uniformVerdicts(): (CellVerdict | undefined)[] {
    const uniform = new Array<CellVerdict | undefined>(this.verdicts.length);
    for (let cell = this.verdicts.length - 1; cell >= 0; cell--) {
      const half = this.firstHalf[cell];
      if (half < 0) uniform[cell] = this.verdicts[cell];
      else uniform[cell] = uniform[half] === uniform[half + 1] ? uniform[half] : undefined;
    }
    return uniform;
  }

  private rectangle(cell: number): TimeRectangle {
    const { motionA, motionB } = this;
    const [a, b] = [this.nodeA[cell], this.nodeB[cell]];
    return [motionA.from[a], motionA.to[a], motionB.from[b], motionB.to[b]];
  }

  /** Area of a cell, seconds squared; a motion without duration counts as one of a second. */
  private area(cell: number): number {
    const { motionA, motionB } = this;
    const widthOf = (motion: DyadicMotion, node: number) => (motion.to[0] > 0 ? motion.width(node) : 1);
    return widthOf(motionA, this.nodeA[cell]) * widthOf(motionB, this.nodeB[cell]);
  }

  /** Decides a new cell, whose pairs are in a range of `openPairs`, and enqueues it if it is undecided. */
  private add(nodeA: number, nodeB: number, from: number, to: number): void {
    const { prover } = this;
    const cell = this.verdicts.length;
    const verdict = prover.decide(nodeA, nodeB, this.openPairs, from, to);
    if (this.separated && verdict !== 'colliding') this.addSeparated(cell, from, to);
    this.checked++;
    this.nodeA.push(nodeA);
    this.nodeB.push(nodeB);
    this.verdicts.push(verdict);
    this.firstHalf.push(-1);
    this.openStart.push(this.openCount);
    if (verdict === 'undecided') this.keepOpen();
    this.openEnd.push(this.openCount);
    if (verdict !== 'undecided') return;
    this.undecidedArea += this.area(cell);
    if (this.canBisect(cell)) this.queue.push(cell);
  }

  /** Adds a cell that is bisected without being checked. */
  private addUnchecked(nodeA: number, nodeB: number, from: number, to: number): void {
    this.unchecked.push(this.verdicts.length);
    this.nodeA.push(nodeA);
    this.nodeB.push(nodeB);
    this.verdicts.push('undecided');
    this.firstHalf.push(-1);
    this.openStart.push(from);
    this.openEnd.push(to);
    this.undecidedArea += this.area(this.nodeA.length - 1);
  }

  /** Appends the pairs that the prover left open. */
  private keepOpen(): void {
    const { open, openCount } = this.prover;
    const end = this.openCount + openCount;
    if (end > this.openPairs.length) {
      const grown = new Int32Array(2 * end);
      grown.set(this.openPairs);
      this.openPairs = grown;
    }
    for (let i = 0; i < openCount; i++) this.openPairs[this.openCount++] = open[i];
  }

  /** Adds a cell to those of the pairs that the prover did not leave open in it. */
  private addSeparated(cell: number, from: number, to: number): void {
    const open = new Set(this.prover.open.subarray(0, this.prover.openCount));
    for (const pair of this.openPairs.subarray(from, to)) if (!open.has(pair)) this.separated!.get(pair)!.push(cell);
  }

  /** Returns true if a cell that a path crosses can be bisected. */
  private isBisectable(cell: number): boolean {
    return this.verdicts[cell] === 'undecided' && this.firstHalf[cell] < 0 && this.canBisect(cell, this.finest);
  }

  /** Returns true if a step of the path, within the rectangle of its ends, crosses a cell. */
  private isCrossed(cell: number, path: readonly (readonly [a: number, b: number])[]): boolean {
    const [a0, a1, b0, b1] = this.rectangle(cell);
    return path.some(([a, b], i) => {
      const [beforeA, beforeB] = path[Math.max(0, i - 1)];
      return overlap(beforeA, a, a0, a1) && overlap(beforeB, b, b0, b1);
    });
  }

  private canBisect(cell: number, resolution = this.options.resolution): boolean {
    return this.motionA.width(this.nodeA[cell]) > resolution || this.motionB.width(this.nodeB[cell]) > resolution;
  }

  /** Bisects a cell, and at once its halves that are to be bisected along the other motion: few halves are decided. */
  private quarter(cell: number): void {
    const { unchecked } = this;
    this.bisect(cell, this.options.resolution, true);
    while (unchecked.length > 0) this.bisect(unchecked.pop()!, this.options.resolution);
  }

  /** @param quarters whether halves are not checked if they are to be bisected along the other motion */
  private bisect(cell: number, resolution: number, quarters = false): void {
    const { motionA, motionB, openStart, openEnd, firstHalf } = this;
    const [a, b] = [this.nodeA[cell], this.nodeB[cell]];
    this.undecidedArea -= this.area(cell);
    firstHalf[cell] = this.verdicts.length;
    const motion = this.longerMotion(a, b, resolution);
    const half = motion === motionA ? motionA.bisect(a) : motionB.bisect(b);
    for (let next = half; next < half + 2; next++) {
      const c = motion === motionA ? next : a;
      const d = motion === motionA ? b : next;
      const isChecked = !quarters || this.longerMotion(c, d, resolution) === motion;
      if (isChecked) this.add(c, d, openStart[cell], openEnd[cell]);
      else this.addUnchecked(c, d, openStart[cell], openEnd[cell]);
    }
  }

  /** The motion to bisect: the longer one in joint space, unless its interval is at the resolution. */
  private longerMotion(a: number, b: number, resolution: number): DyadicMotion {
    const { motionA, motionB } = this;
    if (!(motionA.width(a) > resolution)) return motionB;
    if (!(motionB.width(b) > resolution)) return motionA;
    return motionA.length(a) >= motionB.length(b) ? motionA : motionB;
  }
}

/** How much finer the resolution is along a path. */
const FINER = 16;

/** Times that the halves of a cell that a path crosses are bisected again, before the path is computed anew. */
const LEVELS = 3;

/** Returns true if two intervals have more than an end in common; the first one may be a point. */
const overlap = (from: number, to: number, low: number, high: number): boolean =>
  from < to ? Math.max(from, low) < Math.min(to, high) : low <= from && from <= high;
