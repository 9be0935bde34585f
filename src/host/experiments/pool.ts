import type { ExperimentOutcome, ExperimentTask, ExperimentThreadData } from '../node/experimentTask.ts';
import { createWorkerPool } from '../node/workers.ts';
import { type Answer, type RunRecord, recordOfAnswer } from './record.ts';
import type { Run } from './runs.ts';

/** Worker threads that execute runs of experiments; they read problems from a folder. */
export class RunPool {
  private constructor(private readonly pool: Awaited<ReturnType<typeof createWorkerPool>>) {}

  static async start(folder: string, threads: number): Promise<RunPool> {
    const data: ExperimentThreadData = { folder };
    return new RunPool(await createWorkerPool('experimentWorker', { threads, data }));
  }

  /**
   * Executes a run on the next free thread. An exception of a run is returned as a failure, so that other runs
   * continue.
   */
  async make({ problem, settings, seed }: Run): Promise<Answer> {
    const task: ExperimentTask = { problem: problem.hash, settings, seed };
    try {
      return { outcome: (await this.pool.run(task)) as ExperimentOutcome };
    } catch (error) {
      return { failure: error instanceof Error ? error.message.split('\n')[0] : String(error) };
    }
  }

  end(): Promise<void> {
    return this.pool.destroy();
  }
}

/** Runs in progress per thread: its next tasks are queued while finished records are written to disk. */
const AHEAD = 4;

/**
 * Executes all runs, as many at a time as there are threads. Calls `done` with each record, in the order in which runs
 * end.
 */
export async function makeRuns(
  runs: Iterable<Run>,
  folder: string,
  threads: number,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  const pool = await RunPool.start(folder, threads);
  const queue = runs[Symbol.iterator]();
  const lane = async () => {
    for (let next = queue.next(); !next.done; next = queue.next())
      await done(recordOfAnswer(next.value, await pool.make(next.value), version));
  };
  try {
    await Promise.all(Array.from({ length: AHEAD * threads }, lane));
  } finally {
    await pool.end();
  }
}
