import type { Budget } from '../../planning/planner.ts';

/** How often, in ms, the person watching hears of a search. */
const PROGRESS_EVERY = 100;

/** Adds up the time spent in each of several phases, in ms on the clock it was lent; all zero without one. */
export class Stopwatch<Phase extends string> {
  private readonly spent = new Map<Phase, number>();
  private phase: Phase | undefined;
  private since = 0;

  constructor(private readonly clock: () => number = () => 0) {}

  /** Ends the phase that was running. */
  start(phase: Phase): void {
    this.stop();
    this.phase = phase;
    this.since = this.clock();
  }

  stop(): void {
    if (this.phase !== undefined) this.spent.set(this.phase, this.elapsed(this.phase) + this.clock() - this.since);
    this.phase = undefined;
  }

  /** Ms in all the times that the phase ran and was ended. */
  elapsed(phase: Phase): number {
    return this.spent.get(phase) ?? 0;
  }
}

/** A budget of iterations, and of time where there is a clock. */
export class WatchedBudget implements Budget {
  /** The clock ended the search, not the iterations. */
  outOfTime = false;
  private iterations = 0;
  private readonly begun: number;
  private told: number;

  constructor(
    private readonly mostIterations: number,
    /** On the clock, in ms. */
    private readonly deadline: number,
    private readonly hooks: {
      readonly clock?: () => number;
      readonly progress?: (iterations: number, elapsedMs: number) => void;
      /** Would a path be of no use any more after so many iterations? */
      readonly lost?: ((iterations: number) => boolean) | undefined;
    },
  ) {
    this.begun = hooks.clock?.() ?? 0;
    this.told = this.begun;
  }

  isSpent(): boolean {
    if (this.iterations++ >= this.mostIterations) return true;
    const { clock, progress, lost } = this.hooks;
    if (lost?.(this.iterations)) return true;
    if (!clock) return false;
    const now = clock();
    if (progress && now - this.told > PROGRESS_EVERY) {
      this.told = now;
      progress(this.iterations, now - this.begun);
    }
    this.outOfTime = now > this.deadline;
    return this.outOfTime;
  }
}
