import type { TimeRectangle } from '../planning/coordination/freeRectangles.ts';
import { MinHeap } from '../planning/minHeap.ts';
import type { CellProver, CellVerdict } from './cellProver.ts';
import type { DyadicMotion } from './dyadicMotion.ts';

/** Limits of the bisection of a coordination diagram. */
export const diagramDefaults = {
  /** Cells whose sides are both shorter than this are not bisected, seconds. */
  resolution: 0.01,
  /** Maximum number of cells that are decided. */
  cells: 20_000,
  /** The bisection stops once undecided cells cover at most this share of the area. */
  undecided: 0.01,
};

/**
 * Coordination diagram of two robots on given motions [ODonnellLozanoPerez89]: the rectangle of the times along both
 * motions, bisected into cells in which the robots are proved separated (free), proved in collision (colliding), or
 * neither. The largest undecided cell is bisected first, along the motion that is longer in joint space.
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
  /** By cell: the pairs that are not proved separated; empty once it is free, colliding or bisected. */
  private readonly open: Int32Array[] = [];
  private readonly queue = new MinHeap();

  /** @param pairs the pairs of parts of both robots that are checked */
  constructor(
    private readonly prover: CellProver,
    private readonly motionA: DyadicMotion,
    private readonly motionB: DyadicMotion,
    pairs: Int32Array,
    private readonly options: Readonly<typeof diagramDefaults> = diagramDefaults,
  ) {
    this.add(0, 0, pairs);
  }

  /** Bisects undecided cells, the largest first, until few of the area is undecided or a limit is reached. */
  refine(): void {
    const { queue, options } = this;
    const enough = options.undecided * this.area(0);
    while (queue.size > 0 && this.checked < options.cells && this.undecidedArea > enough) this.bisect(queue.pop());
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

  /** Decides a new cell and enqueues it if it is undecided. */
  private add(nodeA: number, nodeB: number, pairs: Int32Array): void {
    const { prover, open } = this;
    const cell = open.length;
    const verdict = prover.decide(nodeA, nodeB, pairs);
    this.checked++;
    this.nodeA.push(nodeA);
    this.nodeB.push(nodeB);
    this.verdicts.push(verdict);
    this.firstHalf.push(-1);
    open.push(verdict === 'undecided' ? prover.open.slice(0, prover.openCount) : NONE);
    if (verdict !== 'undecided') return;
    this.undecidedArea += this.area(cell);
    if (this.canBisect(cell)) this.queue.push(-this.area(cell), cell);
  }

  private canBisect(cell: number): boolean {
    const { resolution } = this.options;
    return this.motionA.width(this.nodeA[cell]) > resolution || this.motionB.width(this.nodeB[cell]) > resolution;
  }

  private bisect(cell: number): void {
    const { motionA, motionB, open } = this;
    const [a, b] = [this.nodeA[cell], this.nodeB[cell]];
    const pairs = open[cell];
    open[cell] = NONE;
    this.undecidedArea -= this.area(cell);
    this.firstHalf[cell] = open.length;
    const alongA = this.longerMotion(a, b) === motionA;
    const half = alongA ? motionA.bisect(a) : motionB.bisect(b);
    for (const next of [half, half + 1]) this.add(alongA ? next : a, alongA ? b : next, pairs);
  }

  /** The motion to bisect: the longer one in joint space, unless its interval is at the resolution. */
  private longerMotion(a: number, b: number): DyadicMotion {
    const { motionA, motionB, options } = this;
    if (!(motionA.width(a) > options.resolution)) return motionB;
    if (!(motionB.width(b) > options.resolution)) return motionA;
    return motionA.length(a) >= motionB.length(b) ? motionA : motionB;
  }
}

const NONE = new Int32Array(0);
