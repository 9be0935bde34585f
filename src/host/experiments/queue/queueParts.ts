import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StoredProblem } from '../problems.ts';
import { recordOfFailure } from '../record.ts';
import type { Batch } from '../runs.ts';
import { addJobs, failedByDamage, storeTexts } from './jobs.ts';
import { type Merged, mergeParts, partName, partsIn, writePart } from './parts.ts';
import { connectRedis, jobIdOf, type QueueNames, queueNames, requireQueueKeys } from './redis.ts';

/** Polling interval of the folder of parts, ms. */
const PAUSE = 500;
/** Time without a new part after which failed and lost jobs are searched, ms. */
const SILENCE = 10_000;
/** Maximum number of jobs in Redis at a time, about 100 kB each if a job has 100 runs. */
const OUTSTANDING = 2000;

/** A folder of parts that this process and all workers can write to, and the table that they are merged into. */
export interface PartsTarget {
  readonly folder: string;
  /** Runs per job, and per part. */
  readonly size: number;
  readonly table: string;
}

/** Hooks of `makePartsByQueue`. */
export interface PartsHooks {
  /** Receives the number of runs whose parts exist, when it changes. */
  readonly counted: (runs: number) => void;
  readonly notify: (line: string) => void;
}

/**
 * Submits jobs to the queue whose workers write their records as Parquet parts, and merges these when all are there.
 * Existing parts are not computed again, so that the command may be stopped and repeated. A part that is damaged, or
 * does not contain each run of its job once, is removed and computed again. Resolves to the contents of the table.
 * @param batches all jobs of the experiment, finished or not
 */
export async function makePartsByQueue(
  batches: readonly Batch[],
  problems: readonly StoredProblem[],
  url: string,
  version: string,
  { folder, size, table }: PartsTarget,
  { counted, notify }: PartsHooks,
): Promise<Merged> {
  mkdirSync(folder, { recursive: true });
  const redis = await connectRedis(url, notify);
  const { Queue } = await import('bullmq');
  const names = queueNames({ parts: true });
  const queue = new Queue(names.queue, { connection: redis, prefix: names.prefix });
  queue.on('error', () => {}); // reported by `connectRedis`
  const total = batches.reduce((sum, { runs }) => sum + runs.length, 0);
  const openIn = (some: readonly Batch[]) => withoutPart(some, folder, size);
  const submit = async (some: readonly Batch[]) => {
    const needed = new Set(some.flatMap(({ runs }) => runs.map(({ problem }) => problem.hash)));
    await storeTexts(redis, names, problems, needed);
    await addJobs(queue, some); // does not add jobs that are in the queue
  };
  const endFailed = (some: readonly Batch[]) => endFailures({ redis, names, queue }, some, folder, version);
  try {
    await requireQueueKeys(redis, names);
    for (let waiting = openIn(batches); ; ) {
      await awaitParts(waiting, { openIn, submit, endFailed, counted: (open) => counted(total - open) });
      const merged = await mergeParts(folder, batches, table);
      const { damaged } = merged;
      if (damaged.length === 0) return merged;
      for (const { id } of damaged) rmSync(join(folder, partName(size, id)), { force: true });
      notify(`${folder}: damaged parts are removed, and their runs executed again: ${damaged.length}`);
      waiting = [...damaged];
    }
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

interface PartsQueue {
  /** Returns the jobs whose parts do not exist. */
  readonly openIn: (batches: readonly Batch[]) => Batch[];
  readonly submit: (batches: readonly Batch[]) => Promise<void>;
  /** Writes the parts of jobs that failed finally. */
  readonly endFailed: (batches: readonly Batch[]) => Promise<void>;
  /** Receives the number of runs without a part, when it changes. */
  readonly counted: (open: number) => void;
}

/** Submits jobs, at most `OUTSTANDING` at a time, and resolves when all parts exist. */
async function awaitParts(
  batches: readonly Batch[],
  { openIn, submit, endFailed, counted }: PartsQueue,
): Promise<void> {
  const added = new Set<string>();
  let [before, lastPart] = [-1, performance.now()];
  for (let waiting = batches; waiting.length > 0; waiting = openIn(waiting)) {
    const now = performance.now();
    const window = waiting.slice(0, OUTSTANDING);
    if (waiting.length !== before) {
      [before, lastPart] = [waiting.length, now];
      counted(waiting.reduce((sum, { runs }) => sum + runs.length, 0));
    }
    const isSilent = now - lastPart > SILENCE;
    if (isSilent) {
      lastPart = now;
      await endFailed(window);
    }
    const inQueue = waiting.filter(({ id }) => added.has(id)).length;
    if (isSilent || (inQueue <= OUTSTANDING / 2 && inQueue < waiting.length)) {
      await submit(window);
      for (const { id } of window) added.add(id);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function withoutPart(batches: readonly Batch[], folder: string, size: number): Batch[] {
  const parts = partsIn(folder, size);
  return batches.filter(({ id }) => !parts.has(partName(size, id)));
}

/** What jobs are stored in. */
interface StoredJobs {
  readonly redis: Redis;
  readonly names: QueueNames;
  readonly queue: Queue;
}

/**
 * Writes the parts of jobs that failed finally; removes jobs that are in no list of the queue, and those that damaged
 * data in Redis let fail: they are submitted again.
 */
async function endFailures(
  { redis, names, queue }: StoredJobs,
  batches: readonly Batch[],
  folder: string,
  version: string,
): Promise<void> {
  for (const { id, size, runs } of batches) {
    const state = await queue.getJobState(jobIdOf(id));
    if (state === 'unknown') await queue.remove(jobIdOf(id));
    if (state !== 'failed') continue;
    const job = await queue.getJob(jobIdOf(id)).catch(() => undefined);
    const reason = job === undefined ? 'its job in Redis is damaged' : (job.failedReason ?? 'the job failed');
    const isDamaged = await failedByDamage(redis, names, reason);
    const records = runs.map((run) => recordOfFailure(run, reason, version));
    if (!isDamaged && !existsSync(join(folder, partName(size, id))))
      await writePart(folder, partName(size, id), records);
    await queue.remove(jobIdOf(id));
  }
}
