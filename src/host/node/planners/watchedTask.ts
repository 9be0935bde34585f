import type { Piscina } from 'piscina';
import { InputError } from '../../../errors.ts';

/** Part of a task that is watched: shared memory in which the thread marks that it has started the task. */
export interface WatchedTask {
  /** One number: 0 until the thread starts the task, then 1. */
  readonly started: Int32Array;
}

/**
 * Time beyond its own limit after which a task is ended, s. The search checks the limit often, so that only code that
 * never returns takes as long.
 */
const GRACE = 5;
/** Interval between two checks, ms. */
const POLL_INTERVAL = 50;

/** Marks a task as started; called by the thread before it loads foreign code. */
export function markStarted({ started }: Partial<WatchedTask>): void {
  if (started) Atomics.store(started, 0, 1);
}

/**
 * Runs a task that executes foreign code, which may never return. If the task has not ended `GRACE` seconds after its
 * time limit, counted from its start on a thread, ends that thread, which the pool replaces, and throws `InputError`.
 * @param limit time limit of the task, s
 * @param who name of the foreign code, for the message
 * @param name function of the worker module to call
 */
export async function runWatched<T>(
  pool: Piscina,
  task: object,
  limit: number,
  who: string,
  name = 'default',
): Promise<T> {
  const started = new Int32Array(new SharedArrayBuffer(4));
  const stop = new AbortController();
  let since: number | undefined;
  const watch = setInterval(() => {
    if (Atomics.load(started, 0) === 0) return;
    since ??= performance.now();
    if (performance.now() - since > 1000 * (limit + GRACE)) stop.abort();
  }, POLL_INTERVAL);
  try {
    return await pool.run({ ...task, started } satisfies WatchedTask, { signal: stop.signal, name });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new InputError(
      `${who}: it did not return within ${GRACE} s after the time limit of ${limit} s`,
      'A planner calls budget.isSpent() in each iteration and returns when it is true.',
    );
  } finally {
    clearInterval(watch);
  }
}
