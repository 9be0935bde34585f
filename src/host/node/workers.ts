import { join } from 'node:path';
import type { Piscina } from 'piscina';
import { packageFolder } from './packageFolder.ts';

/**
 * Creates a pool of threads that run the default export of `workers/<name>.ts`, once per task: `pool.run(task)` returns
 * a promise of the result, `pool.destroy()` ends the threads. Each thread receives `data` once, at its start
 * (`workerData` of piscina). Tasks, results and data are copied, so they are plain data. The overhead is about 0.1 ms
 * per task, so one task is a planning run or a block of states.
 */
export async function createWorkerPool(name: string, { threads, data }: WorkerPoolOptions): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: workerFile(name),
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    workerData: data,
  });
}

export interface WorkerPoolOptions {
  readonly threads: number;
  readonly data?: unknown;
}

/** Returns the file of a thread in the bundle of the command line, which the library uses, too. */
export function workerFile(name: string): string {
  return join(packageFolder('dist') ?? '.', 'cli', 'workers', `${name}.js`);
}
