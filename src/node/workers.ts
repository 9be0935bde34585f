import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';

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

/**
 * Returns the file `workers/<name>.js` beside the calling module if that was compiled or bundled; when it is run from
 * source, that of the last build.
 * @param from `import.meta.url` of the calling module, or of one in a subfolder of its folder
 */
export function workerFile(name: string, from = import.meta.url): string {
  const beside = ['.', '..'].map((folder) => fileURLToPath(new URL(`${folder}/workers/${name}.js`, from)));
  const source = fileURLToPath(new URL(`../../dist/cli/workers/${name}.js`, import.meta.url));
  return beside.find((file) => existsSync(file)) ?? source;
}
