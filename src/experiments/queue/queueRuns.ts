import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StoredProblem } from '../problems.ts';
import { isRunRecord, type RunRecord, recordOfFailure } from '../record.ts';
import type { Run } from '../runs.ts';
import { connectRedis, jobIdOf, KEPT, type QueueNames, queueNames } from './redis.ts';
import { keysOfOtherType, requireQueueKeys } from './redisKeys.ts';

/** Keys per Redis command. */
const BATCH = 500;
/** Polling interval for results, ms; at least `PAUSE_PER_POLL` times the duration of the last poll. */
const PAUSE = 200;
const PAUSE_PER_POLL = 5;
/** Time without a result after which failed and lost jobs are searched, ms. */
const SILENCE = 10_000;

/**
 * Runs that one collecting process keeps in Redis at a time, about 3 kB each. More are submitted as results are
 * collected, so that the memory of Redis and the time of a poll are bounded; the workers empty it in no less than a
 * minute if together they finish a thousand runs a second.
 */
const OUTSTANDING = 100_000;

/** Lifetime of a collected result, s: other collecting processes may still need it. */
const COLLECTED = 600;

/** Attempts after which a job that keeps failing is abandoned. */
const ATTEMPTS = 5;

/** Data of a job. */
export type JobData = Run;

/**
 * Submits runs to the queue and collects their records, at most `outstanding` at a time. Runs that other processes
 * have submitted or finished are not executed again. May be stopped and restarted at any time: records that were not
 * collected stay in Redis.
 */
export async function makeRunsByQueue(
  runs: readonly Run[],
  problems: readonly StoredProblem[],
  url: string,
  version: string,
  done: (record: RunRecord) => Promise<void>,
  notify: (line: string) => void,
  outstanding = OUTSTANDING,
): Promise<void> {
  const redis = await connectRedis(url, notify);
  const { Queue } = await import('bullmq');
  const names = queueNames();
  const queue = new Queue(names.queue, { connection: redis, prefix: names.prefix });
  queue.on('error', () => {}); // reported by `connectRedis`
  const missing = new Map<string, Run>();
  let submitted = 0;
  /** Submits further runs when half of the submitted ones have been collected. */
  const refill = async () => {
    if (submitted === runs.length || missing.size > outstanding / 2) return;
    const added = new Map<string, Run>();
    while (submitted < runs.length && missing.size + added.size < outstanding) {
      const run = runs[submitted++];
      added.set(run.id, run);
    }
    await takeUnreadable(redis, names, added, version, done);
    await takeResults(redis, names, added, version, done);
    await submit(redis, queue, names, added, problems);
    for (const [id, run] of added) missing.set(id, run);
  };
  try {
    await requireQueueKeys(redis, names);
    await refill();
    let lastResult = performance.now();
    while (missing.size > 0 || submitted < runs.length) {
      const begun = performance.now();
      const taken = await takeResults(redis, names, missing, version, done);
      await refill();
      const now = performance.now();
      if (taken > 0) lastResult = now;
      if (now - lastResult > SILENCE && missing.size > 0) {
        await requireQueueKeys(redis, names);
        await takeUnreadable(redis, names, missing, version, done);
        await takeFailures(queue, missing, version, done);
        await submit(redis, queue, names, missing, problems); // does not add jobs that are in the queue
        lastResult = performance.now();
      }
      if (missing.size > 0) await pause(Math.max(PAUSE, PAUSE_PER_POLL * (now - begun)));
    }
  } catch (error) {
    await requireQueueKeys(redis, names); // names the key if a script failed for its type
    throw error;
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/**
 * Ends the runs whose result or job is of another Redis type: no worker can read or write it. Removes jobs that are in
 * no list of the queue, so that they are submitted again.
 */
async function takeUnreadable(
  redis: Redis,
  names: QueueNames,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  const ids = [...missing.keys()];
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    const results = await keysOfOtherType(redis, some.map(names.result), 'string');
    const jobs = await keysOfOtherType(redis, some.map(names.job), 'hash');
    for (const id of some) {
      const problem = results.get(names.result(id)) ?? jobs.get(names.job(id));
      if (problem === undefined) continue;
      const run = missing.get(id)!;
      missing.delete(id);
      await done(recordOfFailure(run, `the Redis key ${problem}`, version));
    }
  }
}

/** Collects the available results. Resolves to their number. */
async function takeResults(
  redis: Redis,
  names: QueueNames,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<number> {
  let taken = 0;
  const ids = [...missing.keys()];
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
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
    if (records.length > 0) {
      const pipeline = redis.pipeline(); // they are on disk now
      for (const { id } of records) pipeline.expire(names.result(id), COLLECTED);
      await pipeline.exec();
    }
    taken += records.length;
  }
  return taken;
}

/** Adds the missing runs to the queue, and the texts of their problems to Redis. */
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
      const key = names.text(one.hash);
      // A key of another type is replaced.
      if ((await redis.type(key)) !== 'string' || (await redis.expire(key, KEPT)) === 0)
        await redis.set(key, one.text, 'EX', KEPT);
    }
  }
  for (let from = 0; from < runs.length; from += BATCH) {
    await queue.addBulk(
      runs.slice(from, from + BATCH).map((run) => ({
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

/** Collects jobs that failed finally: their workers crashed, or could not read them. */
async function takeFailures(
  queue: Queue,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  const jobs = await queue.getFailed(0, BATCH).catch(() => []); // a damaged job: jobs are then queried one by one
  if (jobs.length === 0) return takeDamaged(queue, missing, version, done);
  for (const job of jobs) {
    const run = missing.get((job.data as Partial<JobData> | null)?.id ?? '');
    if (!run) continue;
    missing.delete(run.id);
    await done(recordOfFailure(run, job.failedReason ?? 'the job failed', version));
    await job.remove();
  }
}

/**
 * Collects runs whose jobs have failed but cannot be read from Redis. Removes jobs that are in no list of the queue,
 * because Redis has lost it: they are submitted again.
 */
async function takeDamaged(
  queue: Queue,
  missing: Map<string, Run>,
  version: string,
  done: (record: RunRecord) => Promise<void>,
): Promise<void> {
  for (const run of [...missing.values()]) {
    const state = await queue.getJobState(jobIdOf(run.id));
    if (state === 'unknown') await queue.remove(jobIdOf(run.id));
    if (state !== 'failed') continue;
    missing.delete(run.id);
    await done(recordOfFailure(run, 'its job in Redis is damaged', version));
  }
}

/** Parses a record, with the id of its key; undefined if the text is damaged. */
function recordIn(text: string, id: string): RunRecord | undefined {
  try {
    const record = { ...(JSON.parse(text) as object), id };
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
