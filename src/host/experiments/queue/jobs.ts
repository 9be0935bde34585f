import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StoredProblem } from '../problems.ts';
import type { Run } from '../runs.ts';
import { jobIdOf, KEPT, type QueueNames } from './redis.ts';

/** Jobs per Redis command. */
const BULK = 500;
/** Attempts after which a job that keeps failing is abandoned. */
const ATTEMPTS = 5;

/** Adds a job for each run to the queue, except those that it has. */
export async function addJobs(queue: Queue, runs: readonly Run[]): Promise<void> {
  for (let from = 0; from < runs.length; from += BULK) {
    await queue.addBulk(
      runs.slice(from, from + BULK).map((run) => ({
        name: 'run',
        data: run,
        opts: {
          jobId: jobIdOf(run.id),
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: 500 },
          removeOnComplete: true,
        },
      })),
    );
  }
}

/** Stores the texts of problems and their robots in Redis. */
export async function storeTexts(
  redis: Redis,
  names: QueueNames,
  problems: readonly StoredProblem[],
  needed: ReadonlySet<string>,
): Promise<void> {
  for (const { hash, text, robot } of problems) {
    if (!needed.has(hash)) continue;
    for (const one of [robot, { hash, text }]) {
      const key = names.text(one.hash);
      // A key of another type is replaced.
      if ((await redis.type(key)) !== 'string' || (await redis.expire(key, KEPT)) === 0)
        await redis.set(key, one.text, 'EX', KEPT);
    }
  }
}

/**
 * Returns true if a job failed because of damaged data in Redis, which is no result of its runs: it is to be submitted
 * again. The text of a problem that cannot be read is removed, so that it is stored again.
 */
export async function failedByDamage(redis: Redis, names: QueueNames, reason: string): Promise<boolean> {
  const [, hash] = /the problem (\S+) in Redis/.exec(reason) ?? [];
  if (hash !== undefined) await redis.del(names.text(hash));
  return /\bRedis\b/.test(reason);
}
