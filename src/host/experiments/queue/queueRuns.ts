import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { parseJson } from '../../../errors.ts';
import type { StoredProblem } from '../problems.ts';
import { isRunRecord, type RunRecord, recordOfFailure } from '../record.ts';
import type { Run } from '../runs.ts';
import { addJobs, failedByDamage, storeTexts } from './jobs.ts';
import { connectRedis, jobIdOf, keysOfOtherType, type QueueNames, queueNames, requireQueueKeys } from './redis.ts';

/** Keys per Redis command. */
const BATCH = 500;
/** Polling interval for results, ms; at least `PAUSE_PER_POLL` times the duration of the last poll. */
const PAUSE = 200;
const PAUSE_PER_POLL = 5;
/** Time without a result after which failed and lost jobs are searched, ms. */
const SILENCE = 10_000;

/**
 * Runs that one collecting process keeps in Redis at a time, about 3 kB each. More are submitted as results are
 * collected, so that the memory of Redis and the time of a poll are bounded; at 1,000 runs/s the workers need 100 s for
 * them.
 */
const OUTSTANDING = 100_000;

/** Lifetime of a collected result, s: other collecting processes may still need it. */
const COLLECTED = 600;

/**
 * Submits runs to the queue and collects their records, at most `outstanding` at a time. Runs that other processes
 * have submitted or finished are not executed again. May be stopped and restarted at any time: records that were not
 * collected stay in Redis.
 * @param missing runs without a record
 */
export async function makeRunsByQueue(
  missing: readonly Run[],
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
  const waiting = new WaitingRuns(version, done);
  let submitted = 0;
  /** Submits further runs when half of the submitted ones have been collected. */
  const refill = async () => {
    if (submitted === missing.length || waiting.runs.size > outstanding / 2) return;
    const added = new WaitingRuns(version, done);
    while (submitted < missing.length && waiting.runs.size + added.runs.size < outstanding)
      added.add(missing[submitted++]);
    await removeUnreadable(redis, names, added);
    await takeResults(redis, names, added);
    await submit(redis, queue, names, added, problems);
    for (const run of added.runs.values()) waiting.add(run);
  };
  try {
    await requireQueueKeys(redis, names);
    await refill();
    let lastResult = performance.now();
    while (waiting.runs.size > 0 || submitted < missing.length) {
      const begun = performance.now();
      const taken = await takeResults(redis, names, waiting);
      await refill();
      const now = performance.now();
      if (taken > 0) lastResult = now;
      if (now - lastResult > SILENCE && waiting.runs.size > 0) {
        await requireQueueKeys(redis, names);
        await removeUnreadable(redis, names, waiting);
        await takeFailures(redis, queue, names, waiting);
        await submit(redis, queue, names, waiting, problems); // does not add jobs that are in the queue
        lastResult = performance.now();
      }
      if (waiting.runs.size > 0) await pause(Math.max(PAUSE, PAUSE_PER_POLL * (now - begun)));
    }
  } catch (error) {
    await requireQueueKeys(redis, names); // names the key if a script failed for its type
    throw error;
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/** Submitted runs whose records have not been collected. */
class WaitingRuns {
  /** By id. */
  readonly runs = new Map<string, Run>();

  constructor(
    readonly version: string,
    private readonly done: (record: RunRecord) => Promise<void>,
  ) {}

  add(run: Run): void {
    this.runs.set(run.id, run);
  }

  /** Stores the records and removes their runs from the waiting ones. */
  async take(records: readonly RunRecord[]): Promise<void> {
    for (const { id } of records) this.runs.delete(id);
    await Promise.all(records.map(this.done));
  }

  /** Ends a waiting run with the reason of the failure. */
  async fail(run: Run, reason: string): Promise<void> {
    await this.take([recordOfFailure(run, reason, this.version)]);
  }
}

/**
 * Removes results and jobs that are of another Redis type, which no worker can read or write: the runs are executed
 * again.
 */
async function removeUnreadable(redis: Redis, names: QueueNames, waiting: WaitingRuns): Promise<void> {
  const results = [...waiting.runs.keys()].map(names.result);
  const jobs = [...waiting.runs.keys()].map(names.job);
  for (const [keys, type] of [
    [results, 'string'],
    [jobs, 'hash'],
  ] as const)
    for (let from = 0; from < keys.length; from += BATCH) {
      const others = await keysOfOtherType(redis, keys.slice(from, from + BATCH), type);
      if (others.size > 0) await redis.del(...others.keys());
    }
}

/** Collects the available results. Resolves to their number. */
async function takeResults(redis: Redis, names: QueueNames, waiting: WaitingRuns): Promise<number> {
  let taken = 0;
  const ids = [...waiting.runs.keys()];
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    const found = await redis.mget(some.map(names.result));
    const records: RunRecord[] = [];
    const damaged: string[] = [];
    for (const [i, text] of found.entries()) {
      const record = text === null ? undefined : recordIn(text, some[i]);
      if (record !== undefined) records.push(record);
      else if (text !== null) damaged.push(some[i]);
    }
    await waiting.take(records);
    if (damaged.length > 0) await redis.del(damaged.map(names.result));
    if (records.length > 0) {
      const pipeline = redis.pipeline(); // the records are on disk now
      for (const { id } of records) pipeline.expire(names.result(id), COLLECTED);
      await pipeline.exec();
    }
    taken += records.length;
  }
  return taken;
}

/** Adds the jobs with waiting runs to the queue, and the texts of their problems to Redis. */
async function submit(
  redis: Redis,
  queue: Queue,
  names: QueueNames,
  waiting: WaitingRuns,
  problems: readonly StoredProblem[],
): Promise<void> {
  const needed = new Set(Array.from(waiting.runs.values(), ({ problem }) => problem.hash));
  await storeTexts(redis, names, problems, needed);
  await addJobs(queue, [...waiting.runs.values()]);
}

/** Collects jobs that failed finally: their workers crashed, or could not read them. */
async function takeFailures(redis: Redis, queue: Queue, names: QueueNames, waiting: WaitingRuns): Promise<void> {
  const jobs = await queue.getFailed(0, BATCH).catch(() => []); // a damaged job: jobs are then queried one by one
  if (jobs.length === 0) return removeDamaged(queue, waiting);
  for (const job of jobs) {
    const run = waiting.runs.get((job.data as Partial<Run> | null)?.id ?? '');
    if (run === undefined) continue;
    const reason = job.failedReason ?? 'the job failed';
    if (!(await failedByDamage(redis, names, reason))) await waiting.fail(run, reason);
    await job.remove();
  }
}

/**
 * Removes jobs that cannot be read from Redis, and those that are in no list of the queue because Redis has lost it:
 * they are submitted again.
 */
async function removeDamaged(queue: Queue, waiting: WaitingRuns): Promise<void> {
  for (const id of waiting.runs.keys()) {
    const state = await queue.getJobState(jobIdOf(id));
    if (state === 'unknown' || state === 'failed') await queue.remove(jobIdOf(id));
  }
}

/** Parses a record, with the id of its key; undefined if the text is damaged. */
function recordIn(text: string, id: string): RunRecord | undefined {
  try {
    const record = { ...(parseJson(text, '') as object), id };
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
