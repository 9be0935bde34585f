import type { Budget } from '../../planning/planner.ts';

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

/** Budget of iterations and, with a clock, of time. */
export class PlanningBudget implements Budget {
  /** True if the time limit ended the search. */
  outOfTime = false;
  private iterations = 0;
  private readonly startTime: number;
  private lastReport: number;

  constructor(
    private readonly maxIterations: number,
    /** Time on the clock, ms. */
    private readonly deadline: number,
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
    if (!clock) return false;
    const now = clock();
    if (progress && now - this.lastReport > PROGRESS_INTERVAL) {
      this.lastReport = now;
      progress(this.iterations, now - this.startTime);
    }
    this.outOfTime = now > this.deadline;
    return this.outOfTime;
  }
}
