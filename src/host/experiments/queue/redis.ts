import type { Redis } from 'ioredis';
import { InputError } from '../../../errors.ts';
import { packageVersion } from '../../node/packageVersion.ts';

/** Names of the queue and of the keys in Redis. */
export interface QueueNames {
  /** Prefix of the keys of the queue. */
  readonly prefix: string;
  readonly queue: string;
  /** Key of a job. */
  readonly job: (runId: string) => string;
  /** Key of the record of a finished run, a line of JSON. It is written once, so each run counts once. */
  readonly result: (runId: string) => string;
  /** Key of the text of a problem or a robot. */
  readonly text: (hash: string) => string;
}

/** Returns the names. Each version has its own: results of different versions must not be mixed. */
export function queueNames(): QueueNames {
  const prefix = `elbowroom:${packageVersion()}`;
  const queue = 'runs';
  return {
    prefix,
    queue,
    job: (runId) => `${prefix}:${queue}:${jobIdOf(runId)}`,
    result: (runId) => `${prefix}:result:${runId}`,
    text: (hash) => `${prefix}:text:${hash}`,
  };
}

/** Returns the id of the job of a run: bullmq does not accept numbers. */
export const jobIdOf = (runId: string) => `run-${runId}`;

/** Lifetime of unused keys in Redis, s: one week. */
export const KEPT = 7 * 24 * 3600;

/** Timeout of the first connection, ms, for wrong addresses; later, lost connections are retried without limit. */
const FIRST_ANSWER = 5000;
/** Longest delay between two connection attempts, ms. */
const LONGEST_PAUSE = 2000;

/**
 * Connects to a Redis server. The connection survives restarts of the server: commands wait until it is connected
 * again.
 * @param notify receives a message when the connection is lost and when it is restored
 */
export async function connectRedis(url: string, notify: (line: string) => void): Promise<Redis> {
  const shown = shownUrl(url);
  const { Redis } = await import('ioredis').catch(() => {
    throw new InputError('--queue needs the packages bullmq and ioredis', 'npm install bullmq ioredis');
  });
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_PAUSE),
  });
  let away = false;
  let last = '';
  redis.on('error', (error: Error) => {
    last = error.message || (error as NodeJS.ErrnoException).code || error.name;
  });
  const answered = await Promise.race([
    redis.ping().then(
      () => true,
      (error: Error) => {
        last = error.message;
        return false;
      },
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, FIRST_ANSWER, false).unref()),
  ]);
  if (!answered) {
    redis.disconnect();
    throw new InputError(
      `--queue: ${shown} does not respond (${last || 'no reply'})`,
      'Start redis-server there, or name another: redis://HOST:PORT.',
    );
  }
  redis.on('close', () => {
    if (!away) notify(`${shown}: the connection is lost; waiting for it`);
    away = true;
  });
  redis.on('ready', () => {
    if (away) notify(`${shown}: connected again`);
    away = false;
  });
  return redis;
}

/** Returns the address without its password, for messages. Throws `InputError` if it is not a Redis URL. */
export function shownUrl(url: string): string {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new InputError(`--queue is "${url}"`, 'Give the address of a Redis server: redis://127.0.0.1:6379.');
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Redis type of each key that bullmq uses for a queue, by the end of its name. */
const QUEUE_KEYS: Readonly<Record<string, string>> = {
  active: 'list',
  completed: 'zset',
  delayed: 'zset',
  events: 'stream',
  failed: 'zset',
  id: 'string',
  limiter: 'string',
  marker: 'zset',
  meta: 'hash',
  paused: 'list',
  pc: 'string',
  prioritized: 'zset',
  stalled: 'set',
  'stalled-check': 'string',
  wait: 'list',
  'waiting-children': 'zset',
};

/**
 * Checks the Redis types of the keys of the queue: with one of another type, its scripts fail, and no job is ever
 * executed. Throws `InputError` that names the key.
 */
export async function requireQueueKeys(redis: Redis, { prefix, queue }: QueueNames): Promise<void> {
  const keys = Object.keys(QUEUE_KEYS).map((end) => `${prefix}:${queue}:${end}`);
  const wrong = await keysOfOtherType(redis, keys, Object.values(QUEUE_KEYS));
  for (const problem of wrong.values())
    throw new InputError(
      `--queue: the Redis key ${problem}`,
      'Another program wrote it: delete it, or use another database: redis://HOST:PORT/1.',
    );
}

/**
 * Returns `KEY is a list, not a string` for each key that exists and is of another type than expected, by key.
 * @param expected type of each key, or one type of all
 */
export async function keysOfOtherType(
  redis: Redis,
  keys: readonly string[],
  expected: readonly string[] | string,
): Promise<Map<string, string>> {
  const pipeline = redis.pipeline();
  for (const key of keys) pipeline.type(key);
  const replies = (await pipeline.exec()) ?? [];
  const problems = new Map<string, string>();
  for (const [i, [, type]] of replies.entries()) {
    const wanted = typeof expected === 'string' ? expected : expected[i];
    if (typeof type === 'string' && type !== 'none' && type !== wanted)
      problems.set(keys[i], `${keys[i]} is a ${type}, not a ${wanted}`);
  }
  return problems;
}
