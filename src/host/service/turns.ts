import { performance } from 'node:perf_hooks';

/** Longest time that a request runs before others, ms. */
const TURN_MS = 4;

/** Local clients (Unix sockets, stdio), or network clients. */
export type Lane = 'local' | 'network';

/**
 * Turns of the requests of one thread: requests of many items run for a few milliseconds at a time, alternately those
 * of both lanes.
 */
export class Turns {
  /** The running request. */
  current: Turn | undefined;
  private readonly waiting: Readonly<Record<Lane, (() => void)[]>> = { local: [], network: [] };
  private lane: Lane = 'network';
  private isScheduled = false;

  /** True if requests wait for a turn. */
  get isBusy(): boolean {
    return this.waiting.local.length + this.waiting.network.length > 0;
  }

  /** Resolves when it is the turn of a request. */
  next(lane: Lane): Promise<void> {
    return new Promise((resolve) => {
      this.waiting[lane].push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const other = this.lane === 'local' ? 'network' : 'local';
      if (this.waiting[other].length > 0) this.lane = other;
      this.waiting[this.lane].shift()!();
      if (this.isBusy) this.schedule();
    });
  }
}

/** The turns of one request. */
export class Turn {
  private end = 0;

  /** @param check throws if the request is to end: it is cancelled, its time limit has passed, or its client is gone */
  constructor(
    private readonly turns: Turns,
    private readonly lane: Lane,
    readonly check: () => void,
  ) {}

  /** Waits for its first turn. */
  async begin(): Promise<void> {
    if (this.turns.isBusy) await this.yield();
    else this.resume();
  }

  /** True if other requests should run. */
  get isOver(): boolean {
    return performance.now() > this.end;
  }

  /** Lets other requests run. */
  async yield(): Promise<void> {
    await this.turns.next(this.lane);
    this.resume();
  }

  /** Lets other requests run. Throws if the request is to end. */
  async next(): Promise<void> {
    await this.yield();
    this.check();
  }

  private resume(): void {
    this.turns.current = this;
    this.end = performance.now() + TURN_MS;
  }
}
