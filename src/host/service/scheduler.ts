import { performance } from 'node:perf_hooks';

/**
 * Work in slices: a generator that yields often, so that other work can run. If it yields a promise, which must not
 * reject, it is continued once that is resolved.
 */
export type Work<T> = Generator<Promise<unknown> | undefined, T, undefined>;

/** Time slice, ms. Each round of the event loop runs at most two: one for work on arrival, one for waiting work. */
const SLICE_MS = 4;

/** Queue of the work: of local clients (Unix sockets, stdio), or of network clients. Slices alternate between both. */
export type Lane = 'local' | 'network';

/**
 * Round-robin scheduler of one thread: all work shares time slices in turn, so that a request of a million states
 * delays other requests by one slice, not by its whole duration. If the queues are empty, work that ends within the
 * slice on arrival runs synchronously, without a promise.
 */
export class Scheduler {
  /** Number of slices between pauses, and the longest of them in ms: it blocked the event loop. */
  slices = 0;
  longestMs = 0;
  private readonly waiting: Readonly<Record<Lane, Task[]>> = { local: [], network: [] };
  /** Number of pieces of work that wait for a promise. */
  private parked = 0;
  private lane: Lane = 'network';
  private isScheduled = false;
  private postponed: (() => void)[] = [];
  private isPostponedScheduled = false;
  /** Time until which work may run on arrival in this round of the event loop; 0: no work has arrived in it. */
  private roundEnd = 0;

  /** Number of unfinished pieces of work. */
  get length(): number {
    return this.ready + this.parked;
  }

  /** Number of pieces of work that can continue. */
  private get ready(): number {
    return this.waiting.local.length + this.waiting.network.length;
  }

  /** True if the slice for work on arrival is used up in this round: further work should wait for `nextRound`. */
  get isRoundOver(): boolean {
    return performance.now() >= this.endOfRound();
  }

  /** Calls `call` in a later round of the event loop with remaining time; calls keep their order. */
  nextRound(call: () => void): void {
    this.postponed.push(call);
    this.schedulePostponed();
  }

  private schedulePostponed(): void {
    if (this.isPostponedScheduled || this.postponed.length === 0) return;
    this.isPostponedScheduled = true;
    setImmediate(() => {
      this.isPostponedScheduled = false;
      this.callPostponed();
      this.schedulePostponed();
    });
  }

  private callPostponed(): void {
    const calls = this.postponed;
    this.postponed = [];
    let done = 0;
    while (done < calls.length && (done === 0 || !this.isRoundOver)) calls[done++]();
    this.postponed = [...calls.slice(done), ...this.postponed];
  }

  /**
   * Runs work and returns its result or a promise of it. An exception of the work is thrown, or rejects the promise.
   */
  run<T>(work: Work<T>, lane: Lane = 'local'): T | Promise<T> {
    if (this.ready === 0) {
      const until = this.endOfRound();
      for (let now = performance.now(); now < until; ) {
        const { done, value } = work.next();
        if (done) return value;
        now = this.measured(now);
        if (value)
          return new Promise<T>((resolve, reject) => this.park({ work, resolve, reject } as Task, lane, value));
      }
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting[lane].push({ work, resolve, reject } as Task);
      this.schedule();
    });
  }

  /** Continues a piece of work once a promise is resolved. */
  private park(task: Task, lane: Lane, until: Promise<unknown>): void {
    this.parked++;
    until.then(() => {
      this.parked--;
      this.waiting[lane].push(task);
      this.schedule();
    });
  }

  private endOfRound(): number {
    if (this.roundEnd === 0) {
      this.roundEnd = performance.now() + SLICE_MS;
      setImmediate(() => {
        this.roundEnd = 0;
      });
    }
    return this.roundEnd;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.next();
      if (this.ready > 0) this.schedule();
    });
  }

  /** Runs one slice of the first work in a queue and moves it to the end of the queue. The queues alternate. */
  private next(): void {
    const { waiting } = this;
    const other = this.lane === 'local' ? 'network' : 'local';
    if (waiting[other].length > 0) this.lane = other;
    const task = waiting[this.lane].shift()!;
    let now = performance.now();
    const until = now + SLICE_MS;
    try {
      do {
        const { done, value } = task.work.next();
        now = this.measured(now);
        if (done) {
          task.resolve(value);
          return;
        }
        if (value) {
          this.park(task, this.lane, value);
          return;
        }
      } while (now < until);
    } catch (error) {
      task.reject(error);
      return;
    }
    waiting[this.lane].push(task);
  }

  /** Records the slice that started at `before`. Returns the current time. */
  private measured(before: number): number {
    const now = performance.now();
    this.slices++;
    this.longestMs = Math.max(this.longestMs, now - before);
    return now;
  }
}

interface Task {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
