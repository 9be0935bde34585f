import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { RecentMap } from '../../../core/math/recentMap.ts';
import { parseJson } from '../../../errors.ts';
import { writeAtomically } from '../../node/files.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { createOwned, removeOrphans } from '../ownedFiles.ts';
import { RunPool } from '../pool.ts';
import { hashOf } from '../problems.ts';
import { type RunRecord, recordOfAnswer } from '../record.ts';
import type { Run } from '../runs.ts';
import { connectRedis, jobIdOf, KEPT, type QueueNames, queueNames, requireQueueKeys } from './redis.ts';

/**
 * Lock duration, ms: a job whose worker does not renew the lock is passed to another one. Planning runs in threads and
 * does not delay renewals.
 */
const LOCK = 10_000;
/** Interval of the search for such jobs, ms. */
const STALLED_EVERY = 5000;
/** Maximum number of workers that may crash during a job; beyond it, the job is assumed to cause the crashes. */
const MAX_LOST_WORKERS = 25;
/** Jobs that are fetched in advance, so that a free thread need not wait. */
const AHEAD = 1;

const FOLDER_PREFIX = 'elbowroom-worker-';

/** Creates a folder for this worker in the temporary folder, and removes those of killed workers. Returns its path. */
export function createWorkerFolder(parent = tmpdir()): string {
  removeOrphans(parent, FOLDER_PREFIX);
  const name = createOwned(
    (owner) => `${FOLDER_PREFIX}${owner}`,
    (one) => mkdirSync(join(parent, one), { mode: 0o700 }),
  );
  return join(parent, name);
}

/** Options of a worker process. */
export interface QueueWorkOptions {
  readonly threads: number;
  /** Time without a job after which the worker exits, s; undefined: no limit. */
  readonly idle: number | undefined;
  readonly notify: (line: string) => void;
  /** Called when the worker accepts runs. */
  readonly ready: () => void;
  readonly finished: (record: RunRecord) => void;
}

/** Executes runs from the queue until it is stopped or has been idle for too long. */
export class QueueWork {
  private stop: () => void = () => {};
  /** Stops after the current runs. */
  readonly end = (): void => this.stop();

  async run(url: string, { threads, idle, notify: told, ready, finished }: QueueWorkOptions): Promise<void> {
    const redis = await connectRedis(url, told);
    const { Worker } = await import('bullmq');
    const names = queueNames();
    await requireQueueKeys(redis, names).catch((error) => {
      redis.disconnect();
      throw error;
    });
    const folder = createWorkerFolder();
    const leave = () => rmSync(folder, { recursive: true, force: true });
    process.once('exit', leave);
    const pool = await RunPool.start(folder, threads);
    const version = packageVersion();
    let lastJob = performance.now();
    let active = 0;

    const answer = async ({ id, data }: { readonly id?: string; readonly data: Run }) => {
      active++;
      try {
        requireRun(data, id);
        await storeRun({ redis, names, pool, folder, version, finished }, data);
      } finally {
        active--;
        lastJob = performance.now();
      }
    };
    const worker = new Worker(names.queue, answer, {
      connection: redis,
      prefix: names.prefix,
      concurrency: threads + AHEAD,
      lockDuration: LOCK,
      stalledInterval: STALLED_EVERY,
      maxStalledCount: MAX_LOST_WORKERS,
    });
    worker.once('ready', ready);
    let failure: unknown;
    // Lost connections are reported by `connectRedis`, and lost jobs are retried; a key of another type is final.
    worker.on('error', () => {
      requireQueueKeys(redis, names).catch((error: unknown) => {
        failure ??= error;
        this.stop();
      });
    });
    await new Promise<void>((resolve) => {
      this.stop = resolve;
      const idleCheck = setInterval(() => {
        if (idle === undefined || active > 0 || performance.now() - lastJob < 1000 * idle) return;
        clearInterval(idleCheck);
        resolve();
      }, 100);
    });
    await worker.close(failure !== undefined);
    await pool.end();
    redis.disconnect();
    process.off('exit', leave);
    leave();
    if (failure !== undefined) throw failure;
  }
}

/** Resources for the execution of runs. */
interface RunMaker extends Pick<QueueWorkOptions, 'finished'> {
  readonly redis: Redis;
  readonly names: QueueNames;
  readonly pool: RunPool;
  readonly folder: string;
  readonly version: string;
}

/** Throws an error if the data of a job are not those of the run with its id. */
export function requireRun(data: unknown, job: string | undefined): asserts data is Run {
  const { id, problem } = (data ?? {}) as Partial<Run>;
  const isWhole = /^[0-9a-f]{32}$/.test(String(id)) && jobIdOf(String(id)) === job && typeof problem?.hash === 'string';
  if (!isWhole) throw new Error('its job in Redis is damaged');
}

/** Executes a run, unless another worker has finished it, and stores its record in Redis. */
async function storeRun(maker: RunMaker, run: Run): Promise<void> {
  const { redis, names, finished } = maker;
  if ((await textAt(redis, names.result(run.id))) !== null) return;
  const record = await makeRun(maker, run);
  // NX: if two workers executed the same run, the first record counts.
  const stored = await redis.set(names.result(run.id), JSON.stringify(record), 'EX', KEPT, 'NX');
  if (stored === 'OK') finished(record);
}

/** Executes one run. */
async function makeRun({ redis, names, pool, folder, version }: RunMaker, run: Run): Promise<RunRecord> {
  const text = await fetchText(redis, names, folder, run.problem.hash);
  await fetchText(redis, names, folder, robotHashIn(text, run.problem.hash));
  return recordOfAnswer(run, await pool.make(run), version);
}

function robotHashIn(text: string, hash: string): string {
  try {
    const { robot } = parseJson(text, '') as { readonly robot: unknown };
    if (typeof robot === 'string') return robot;
  } catch {
    // reported below
  }
  throw new Error(`the problem ${hash} in Redis is damaged`);
}

/** Returns the text of a key, null if it does not exist. Throws an error that names the key if it cannot be read. */
async function textAt(redis: Redis, key: string): Promise<string | null> {
  try {
    return await redis.get(key);
  } catch (error) {
    throw new Error(`the Redis key ${key} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Texts of problems and robots that were fetched last, by their hashes. */
const texts = new RecentMap<string, string>(64);

/** Fetches a text by its hash and writes it to a file for the threads. */
async function fetchText(redis: Redis, names: QueueNames, folder: string, hash: string): Promise<string> {
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new Error(`no hash: ${hash}`);
  const file = join(folder, `${hash}.json`);
  const known = texts.get(hash);
  if (known !== undefined && existsSync(file)) return known;
  const text = await textAt(redis, names.text(hash));
  if (text === null) throw new Error(`the problem ${hash} is not in Redis any more`);
  if (hashOf(text) !== hash) throw new Error(`the problem ${hash} in Redis is damaged`);
  await writeAtomically(file, text);
  texts.set(hash, text);
  return text;
}
