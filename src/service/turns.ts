import { performance } from 'node:perf_hooks';

/** Work that pauses now and then, so that others get their turn. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Milliseconds for which one piece of work may keep all others waiting. */
const SLICE_MS = 4;

/**
 * One thread, many askers: each piece of work gets a slice of time in turn, so that a question of a million states delays a question of one by
 * a slice, not by its whole. Work that ends in its first slice while nobody waits is done at once, without a promise.
 */
export class Turns {
  private readonly waiting: Turn[] = [];
  private isScheduled = false;

  /** Pieces of work that have begun, or wait to. */
  get length(): number {
    return this.waiting.length;
  }

  /** Runs the work; the answer at once, or its promise. What it throws is thrown, or rejects. */
  run<T>(work: Work<T>): T | Promise<T> {
    if (this.waiting.length === 0) {
      const until = performance.now() + SLICE_MS;
      do {
        const { done, value } = work.next();
        if (done) return value;
      } while (performance.now() < until);
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve, reject } as Turn);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.next();
      if (this.waiting.length > 0) this.schedule();
    });
  }

  /** One slice for the first in the line, which then goes to its end. */
  private next(): void {
    const turn = this.waiting.shift()!;
    const until = performance.now() + SLICE_MS;
    try {
      do {
        const { done, value } = turn.work.next();
        if (done) {
          turn.resolve(value);
          return;
        }
      } while (performance.now() < until);
    } catch (error) {
      turn.reject(error);
      return;
    }
    this.waiting.push(turn);
  }
}

interface Turn {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
