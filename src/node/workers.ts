import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';

/**
 * Threads that each run the default export of `workers/<name>.ts`, once per task: `pool.run(task)` promises its answer, `pool.destroy()` ends
 * them. `data` goes to every thread once, at its start (`workerData` of piscina); what crosses is copied, so it is plain data. A thread that
 * has started costs about 0.1 ms per task: one task is a plan, or a block of states.
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

/** Beside this module where it was compiled or bundled; run from its source, the one that the last build made. */
function workerFile(name: string): string {
  const beside = fileURLToPath(new URL(`./workers/${name}.js`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/cli/workers/${name}.js`, import.meta.url));
}
