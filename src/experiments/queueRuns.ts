import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StoredProblem } from './problems.ts';
import { isRunRecord, type RunRecord, recordOfFailure } from './record.ts';
import { connectRedis, KEPT, type QueueNames, queueNames } from './redis.ts';
import type { Run } from './runs.ts';

/** Commands of so many keys each. */
const AT_ONCE = 500;
/** Between two looks for results, ms, at least; and so many times as long as the last look took. */
const PAUSE = 200;
const PAUSE_PER_LOOK = 5;
/** After so long without a result the queue is asked whether it still has what is missing, ms. */
const SILENCE = 10_000;

/** A run whose job is taken up again and again in vain is given up after so many attempts. */
const ATTEMPTS = 5;

/** What a job says. */
export type JobData = Run;

/**
 * Has runs made by whoever works on the queue, and takes the records in as they come. Runs that others have asked for, or had made, are
 * not made again. May be ended and begun again at any time: what is finished meanwhile waits in Redis.
 */
export async function makeRunsByQueue(
  runs: readonly Run[],
  problems: readonly StoredProblem[],
  url: string,
  version: string,
  done: (record: RunRecord) => Promise<void>,
  told: (line: string) => void,
): Promise<void> {
  const redis = await connectRedis(url, told);
  const { Queue } = await import('bullmq');
  const names = queueNames();
  const queue = new Queue(names.queue, { connection: redis, prefix: names.prefix });
  queue.on('error', () => {}); // the connection tells of itself
  const missing = new Map(runs.map((run) => [run.id, run]));
  try {
    await takeResults(redis, names, missing, version, done);
    await submit(redis, queue, names, missing, problems);
    let heard = performance.now();
    while (missing.size > 0) {
      const begun = performance.now();
      const taken = await takeResults(redis, names, missing, version, done);
      const now = performance.now();
      if (taken > 0) heard = now;
      if (now - heard > SILENCE && missing.size > 0) {
        await takeFailures(queue, missing, version, done);
        await submit(redis, queue, names, missing, problems); // what is in the queue already is not added again
        heard = performance.now();
      }
      if (missing.size > 0) await pause(Math.max(PAUSE, PAUSE_PER_LOOK * (now - begun)));
    }
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/** Takes the results that are there; resolves to how many. */
async function takeResults(
  redis: Redis,
  names: QueueNames,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<number> {
  let taken = 0;
  const ids = [...missing.keys()];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await redis.mget(some.map(names.result));
    const records = found.flatMap((text, i) =>
      text === null
        ? []
        : [
            recordIn(text, some[i]) ??
              recordOfFailure(missing.get(some[i])!, 'its result in Redis is damaged', version),
          ],
    );
    for (const { id } of records) missing.delete(id);
    await Promise.all(records.map(done));
    taken += records.length;
  }
  return taken;
}

/** Puts what is missing on the queue, with the texts that it needs. */
async function submit(
  redis: Redis,
  queue: Queue,
  names: QueueNames,
  missing: ReadonlyMap<string, Run>,
  problems: readonly StoredProblem[],
): Promise<void> {
  const runs = [...missing.values()];
  const needed = new Set(runs.map(({ problem }) => problem.hash));
  for (const { hash, text, robot } of problems) {
    if (!needed.has(hash)) continue;
    for (const one of [robot, { hash, text }]) {
      if ((await redis.expire(names.text(one.hash), KEPT)) === 0)
        await redis.set(names.text(one.hash), one.text, 'EX', KEPT);
    }
  }
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    await queue.addBulk(
      runs.slice(from, from + AT_ONCE).map((run) => ({
        name: 'run',
        data: run satisfies JobData,
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

/** Jobs that failed for good: workers died of them, or could not read them. */
async function takeFailures(
  queue: Queue,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  const jobs = await queue.getFailed(0, AT_ONCE).catch(() => []); // a damaged job: those after it are taken one by one
  if (jobs.length === 0) return takeDamaged(queue, missing, version, done);
  for (const job of jobs) {
    const run = missing.get((job.data as Partial<JobData> | null)?.id ?? '');
    if (!run) continue;
    missing.delete(run.id);
    await done(recordOfFailure(run, job.failedReason ?? 'the job failed', version));
    await job.remove();
  }
}

/** Runs whose jobs have failed, but cannot be read from Redis. */
async function takeDamaged(
  queue: Queue,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  for (const run of [...missing.values()]) {
    if ((await queue.getJobState(jobIdOf(run.id))) !== 'failed') continue;
    missing.delete(run.id);
    await done(recordOfFailure(run, 'its job in Redis is damaged', version));
  }
}

/** The record in a text, under the id that it is stored by; undefined if the text is damaged. */
function recordIn(text: string, id: string): RunRecord | undefined {
  try {
    const record = { ...(JSON.parse(text) as object), id };
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of jobs must not look like numbers. */
const jobIdOf = (runId: string) => `run-${runId}`;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
