import { performance } from 'node:perf_hooks';
import type { Slices } from '../collision/slicedProof.ts';

/** Work that pauses now and then, so that others get their turn. */
export type Work<T> = Slices<T>;

/** Milliseconds for which work may keep the event loop from everything else, twice in each of its rounds: on arrival, and in turn. */
const SLICE_MS = 4;

/** Whose work it is: that of clients on Unix sockets and stdio, who are known, or that of clients on the network. Both get every second slice. */
export type Lane = 'local' | 'network';

/**
 * One thread, many clients: each piece of work gets a slice of time in turn, so that a request of a million states delays a request of one by
 * a slice, not by its whole. Work that ends within the slice of its round while nobody waits is done at once, without a promise.
 */
export class Turns {
  /** Slices that were run, and the longest of them in ms: what the event loop waited for. */
  slices = 0;
  longestMs = 0;
  private readonly waiting: Readonly<Record<Lane, Turn[]>> = { local: [], network: [] };
  private lane: Lane = 'network';
  private isScheduled = false;
  private postponed: (() => void)[] = [];
  private isPostponedScheduled = false;
  /** Until when work may be done on arrival in this round of the event loop; 0: nothing has arrived in it. */
  private roundEnd = 0;

  /** Pieces of work that have begun, or wait to. */
  get length(): number {
    return this.waiting.local.length + this.waiting.network.length;
  }

  /** True if this round of the event loop has done its share of work on arrival: what else arrives should wait for `nextRound`. */
  get isRoundOver(): boolean {
    return performance.now() >= this.endOfRound();
  }

  /** Calls back in a later round of the event loop that has time for it, in the order of the calls. */
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

  /** Runs the work; the answer at once, or its promise. What it throws is thrown, or rejects. */
  run<T>(work: Work<T>, lane: Lane = 'local'): T | Promise<T> {
    if (this.length === 0) {
      const until = this.endOfRound();
      for (let now = performance.now(); now < until; ) {
        const { done, value } = work.next();
        if (done) return value;
        now = this.measured(now);
      }
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting[lane].push({ work, resolve, reject } as Turn);
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
      if (this.length > 0) this.schedule();
    });
  }

  /** One slice for the first in the line of a lane, which then goes to its end; the lanes alternate. */
  private next(): void {
    const { waiting } = this;
    const other = this.lane === 'local' ? 'network' : 'local';
    if (waiting[other].length > 0) this.lane = other;
    const turn = waiting[this.lane].shift()!;
    let now = performance.now();
    const until = now + SLICE_MS;
    try {
      do {
        const { done, value } = turn.work.next();
        now = this.measured(now);
        if (done) {
          turn.resolve(value);
          return;
        }
      } while (now < until);
    } catch (error) {
      turn.reject(error);
      return;
    }
    waiting[this.lane].push(turn);
  }

  /** Counts what ran since `before` without a pause; returns the time. */
  private measured(before: number): number {
    const now = performance.now();
    this.slices++;
    this.longestMs = Math.max(this.longestMs, now - before);
    return now;
  }
}

interface Turn {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
