import type { ExperimentOutcome, ExperimentTask, ExperimentThreadData } from '../node/experimentTask.ts';
import { createWorkerPool } from '../node/workers.ts';
import { type Answer, type RunRecord, recordOfAnswer } from './record.ts';
import type { Run } from './runs.ts';

/** Threads that make runs of experiments; problems are read from a folder. */
export class RunPool {
  private constructor(private readonly pool: Awaited<ReturnType<typeof createWorkerPool>>) {}

  static async start(folder: string, threads: number): Promise<RunPool> {
    const data: ExperimentThreadData = { folder };
    return new RunPool(await createWorkerPool('experimentWorker', { threads, data }));
  }

  /** Makes a run on the next thread that is free. What a run throws is an answer too: the others go on. */
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

/** So many runs are on their way for each thread: it finds its next task waiting while the disk takes in what it has finished. */
const AHEAD = 4;

/** Makes all runs, as many at a time as there are threads; `done` is told of each, in the order in which they end. */
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
