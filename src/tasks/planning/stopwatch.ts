import type { Interrupt } from '../../core/math/interrupt.ts';
import type { Budget } from '../../core/planning/planner.ts';

/** Interval between progress reports, ms. */
const PROGRESS_INTERVAL = 100;

/** Accumulates the time spent in each of several phases, ms; 0 without a clock. */
export class Stopwatch<Phase extends string> {
  private readonly spent = new Map<Phase, number>();
  private phase: Phase | undefined;
  private since = 0;

  constructor(private readonly clock: () => number = () => 0) {}

  /** Starts a phase and ends the current one. */
  start(phase: Phase): void {
    this.stop();
    this.phase = phase;
    this.since = this.clock();
  }

  /** Ends the current phase. */
  stop(): void {
    if (this.phase !== undefined) this.spent.set(this.phase, this.elapsed(this.phase) + this.clock() - this.since);
    this.phase = undefined;
  }

  /** Returns the accumulated time of the completed runs of a phase, ms. */
  elapsed(phase: Phase): number {
    return this.spent.get(phase) ?? 0;
  }
}

/**
 * Time that is reserved for time parameterization and proof: a multiple of the time until the path was found, and at
 * most a fraction of the time limit. In 536 plans of the bundled scenes (7 planners, both edge validations), they took
 * 0.2 times (median), 5.6 times (99th percentile) and 6.6 times (maximum) as long as the search for the first path.
 */
const RESERVE_RATIO = 10;
const MAX_RESERVE = 0.5;

/** Time limit of a plan: of the search, of everything that improves its path, and of the proof. */
export class TimeLimit {
  /** True if the limit ended a computation: another run may have another result. */
  hasEnded = false;
  private readonly start: number;
  private readonly end: number;
  /** Milliseconds before the end at which improvements stop. */
  private reserve = 0;

  /** @param seconds from now on; without a clock, there is no limit */
  constructor(
    readonly clock: (() => number) | undefined,
    seconds: number,
  ) {
    this.start = clock?.() ?? 0;
    this.end = this.start + 1000 * seconds;
  }

  /** Interrupts the search for a path, and the proof. */
  readonly isOver: Interrupt = () => this.isPast(this.end);

  /** Interrupts path improvement; as `isOver` until a path is found. */
  readonly isImprovementOver: Interrupt = () => this.isPast(this.end - this.reserve);

  /** Seconds until the end, at least 0; Infinity without a clock. */
  get remaining(): number {
    return this.clock === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.end - this.clock()) / 1000;
  }

  /** Starts a search: no time is reserved for a proof until it finds a path. */
  startSearch(): void {
    this.reserve = 0;
  }

  /**
   * Reserves time for proofs, unless it is reserved already.
   * @param elapsed measured duration of similar work, ms; default: the time since the start, in which the search has
   *   found and validated a path
   */
  keepReserve(elapsed = (this.clock?.() ?? 0) - this.start): void {
    if (this.reserve === 0) this.reserve = Math.min(RESERVE_RATIO * elapsed, MAX_RESERVE * (this.end - this.start));
  }

  /** Returns an interrupt of work before a search or a proof, which may take half of the remaining time. */
  beforeProof(): Interrupt {
    const half = this.clock === undefined ? 0 : (this.clock() + this.end - this.reserve) / 2;
    return () => this.isPast(half);
  }

  private isPast(end: number): boolean {
    if (this.clock === undefined || this.clock() <= end) return false;
    this.hasEnded = true;
    return true;
  }
}

/** Time that several computations of one kind may take together, within a time limit. */
export class TimeShare {
  /** True if the share ended a computation: another run may have another result. */
  hasEnded = false;
  /** Milliseconds that are left. */
  private left: number;

  /** @param seconds of all computations together; without a clock, there is no limit */
  constructor(
    private readonly clock: (() => number) | undefined,
    seconds: number,
    private readonly isOver: Interrupt,
  ) {
    this.left = 1000 * seconds;
  }

  /** Returns the result of a computation with an interrupt that ends it when the share or the limit is used up. */
  within<T>(compute: (interrupt: Interrupt) => T): T {
    const { clock } = this;
    if (!clock) return compute(this.isOver);
    const start = clock();
    const result = compute(() => {
      if (clock() - start <= this.left) return this.isOver();
      this.hasEnded = true;
      return true;
    });
    this.left -= clock() - start;
    return result;
  }
}

/** Budget of iterations and time. */
export class PlanningBudget implements Budget {
  private iterations = 0;
  private readonly startTime: number;
  private lastReport: number;

  constructor(
    private readonly maxIterations: number,
    /** Time limit. */
    private readonly interrupt: Interrupt,
    private readonly hooks: {
      readonly clock?: () => number;
      readonly progress?: (iterations: number, elapsedMs: number) => void;
      /** Returns true if a path found after this number of iterations cannot be used any more. */
      readonly lost?: ((iterations: number) => boolean) | undefined;
    },
  ) {
    this.startTime = hooks.clock?.() ?? 0;
    this.lastReport = this.startTime;
  }

  /** Counts one iteration; returns true if the budget is exhausted. */
  isSpent(): boolean {
    if (this.iterations++ >= this.maxIterations) return true;
    const { clock, progress, lost } = this.hooks;
    if (lost?.(this.iterations)) return true;
    if (clock && progress && clock() - this.lastReport > PROGRESS_INTERVAL) {
      this.lastReport = clock();
      progress(this.iterations, this.lastReport - this.startTime);
    }
    return this.interrupt();
  }
}
