import { performance } from 'node:perf_hooks';

/** Time in which the clients of a transport may be served in one round of the event loop, ms. */
const ROUND_MS = 4;

/**
 * Divides the time of the thread of the transports among its clients: one that has sent many messages or bytes
 * continues in a later round of the event loop, after the others.
 */
export class Rounds {
  private postponed: (() => void)[] = [];
  private isScheduled = false;
  /** End of the current round; 0: nothing has been done in it. */
  private end = 0;

  /** True if the time of this round is used up: further work should wait for `next`. */
  get isOver(): boolean {
    if (this.end === 0) {
      this.end = performance.now() + ROUND_MS;
      setImmediate(() => {
        this.end = 0;
      });
    }
    return performance.now() >= this.end;
  }

  /** Calls `call` in a later round of the event loop with remaining time; calls keep their order. */
  next(call: () => void): void {
    this.postponed.push(call);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.postponed.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const calls = this.postponed;
      this.postponed = [];
      let done = 0;
      while (done < calls.length && (done === 0 || !this.isOver)) calls[done++]();
      this.postponed = [...calls.slice(done), ...this.postponed];
      this.schedule();
    });
  }
}
