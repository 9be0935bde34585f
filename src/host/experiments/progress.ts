const WIDTH = 24;

/**
 * Progress line: `[=====>      ]  1234 of 5000 runs, 45.2/s, 1 min 23 s left`. The rate counts only runs of this
 * process.
 */
export class Progress {
  private readonly begun: number;
  private done: number;

  /** @param before number of runs that were finished earlier
   * @param clock returns the time, ms */
  constructor(
    private readonly wanted: number,
    private readonly before: number,
    private readonly clock: () => number,
  ) {
    this.begun = clock();
    this.done = before;
  }

  /** Counts one finished run and returns the line. */
  step(): string {
    this.done++;
    return this.line();
  }

  /** Sets the number of finished runs and returns the line. */
  at(done: number): string {
    this.done = done;
    return this.line();
  }

  line(): string {
    const { wanted, done, before } = this;
    const filled = Math.floor((WIDTH * done) / Math.max(1, wanted));
    const bar = `${'='.repeat(filled)}${filled < WIDTH ? '>' : ''}`.slice(0, WIDTH).padEnd(WIDTH);
    const seconds = (this.clock() - this.begun) / 1000;
    const rate = seconds > 0 ? (done - before) / seconds : 0;
    const left = rate > 0 ? `, ${rate.toPrecision(3)}/s, ${timeLeft((wanted - done) / rate)} left` : '';
    return `[${bar}] ${done} of ${wanted} runs${left}`;
  }
}

/** Formats a duration: `42 s`, `3 min 20 s`, `5 h 12 min`. */
function timeLeft(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}
