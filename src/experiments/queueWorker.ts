import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { writeWhole } from '../node/files.ts';
import { packageVersion } from '../node/packageVersion.ts';
import { createOwned, removeOrphans } from './ownedFiles.ts';
import { RunPool } from './pool.ts';
import { hashOf } from './problems.ts';
import type { JobData } from './queueRuns.ts';
import { type RunRecord, recordOfAnswer } from './record.ts';
import { connectRedis, KEPT, type QueueNames, queueNames } from './redis.ts';

/** A job whose worker is silent for so long is given to another one, ms. Planning goes on in threads, so workers are never silent for work. */
const LOCK = 10_000;
/** Between two looks for such jobs, ms. */
const STALLED_EVERY = 5000;
/** A job may lose so many workers; one that loses more is what kills them. */
const MOST_LOST_WORKERS = 25;
/** A thread that has finished finds its next job waiting. */
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

/** How to work. */
export interface QueueWorkOptions {
  readonly threads: number;
  /** Leave after so long without a job, s; undefined: stay. */
  readonly idle: number | undefined;
  readonly told: (line: string) => void;
  /** It takes runs from here on. */
  readonly ready: () => void;
  readonly finished: (record: RunRecord) => void;
}

/** Makes runs from the queue until it is told to stop, or has been idle for long enough. */
export class QueueWork {
  private stop: () => void = () => {};
  /** Ends the work once the runs at hand are finished. */
  readonly end = (): void => this.stop();

  async run(url: string, { threads, idle, told, ready, finished }: QueueWorkOptions): Promise<void> {
    const redis = await connectRedis(url, told);
    const { Worker } = await import('bullmq');
    const names = queueNames();
    const folder = createWorkerFolder();
    const leave = () => rmSync(folder, { recursive: true, force: true });
    process.once('exit', leave);
    const pool = await RunPool.start(folder, threads);
    const version = packageVersion();
    let lastJob = performance.now();
    let active = 0;

    const answer = async ({ data }: { readonly data: JobData }) => {
      active++;
      try {
        const record = await makeRun(redis, names, pool, folder, data, version);
        if (record) finished(record);
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
      maxStalledCount: MOST_LOST_WORKERS,
    });
    worker.once('ready', ready);
    worker.on('error', () => {}); // the connection tells of itself; a job that was lost is taken up again
    await new Promise<void>((resolve) => {
      this.stop = resolve;
      const look = setInterval(() => {
        if (idle === undefined || active > 0 || performance.now() - lastJob < 1000 * idle) return;
        clearInterval(look);
        resolve();
      }, 100);
    });
    await worker.close();
    await pool.end();
    redis.disconnect();
    process.off('exit', leave);
    leave();
  }
}

/** Makes one run and stores its record, unless somebody has: undefined then. */
async function makeRun(
  redis: Redis,
  names: QueueNames,
  pool: RunPool,
  folder: string,
  run: JobData,
  version: string,
): Promise<RunRecord | undefined> {
  if ((await redis.get(names.result(run.id))) !== null) return undefined; // throws for a value that is no text
  const text = await fetchText(redis, names, folder, run.problem.hash);
  await fetchText(redis, names, folder, robotHashIn(text, run.problem.hash));
  const record = recordOfAnswer(run, await pool.make(run), version);
  // The key decides: of two workers that made the same run, the first one counts.
  const stored = await redis.set(names.result(run.id), JSON.stringify(record), 'EX', KEPT, 'NX');
  return stored === 'OK' ? record : undefined;
}

function robotHashIn(text: string, hash: string): string {
  try {
    const { robot } = JSON.parse(text) as { readonly robot: unknown };
    if (typeof robot === 'string') return robot;
  } catch {
    // told below
  }
  throw new Error(`the problem ${hash} in Redis is damaged`);
}

const texts = new Map<string, string>();

/** A text by its hash, as a file for threads to read. */
async function fetchText(redis: Redis, names: QueueNames, folder: string, hash: string): Promise<string> {
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new Error(`no hash: ${hash}`);
  const file = join(folder, `${hash}.json`);
  const known = texts.get(hash);
  if (known !== undefined && existsSync(file)) return known;
  const text = await redis.get(names.text(hash));
  if (text === null) throw new Error(`the problem ${hash} is not in Redis any more`);
  if (hashOf(text) !== hash) throw new Error(`the problem ${hash} in Redis is damaged`);
  await writeWhole(file, text);
  texts.set(hash, text);
  return text;
}
