import type { Redis } from 'ioredis';
import { InputError } from '../errors.ts';
import { packageVersion } from '../node/packageVersion.ts';

/** What stands for one run in the queue: everything but the texts of its problem. */
export interface QueueNames {
  /** Of the queue's own keys. */
  readonly prefix: string;
  readonly queue: string;
  /** The record of a finished run, a line of JSON. The first one written stays: that makes each run count once. */
  readonly result: (runId: string) => string;
  /** The text of a problem or a robot. */
  readonly text: (hash: string) => string;
}

/** Answers of two versions are no answers to one question: each version has keys of its own. */
export function queueNames(): QueueNames {
  const prefix = `elbowroom:${packageVersion()}`;
  return {
    prefix,
    queue: 'runs',
    result: (runId) => `${prefix}:result:${runId}`,
    text: (hash) => `${prefix}:text:${hash}`,
  };
}

/** What was put into Redis is forgotten after a week without use, s. */
export const KEPT = 7 * 24 * 3600;

/** Whoever names a wrong address learns it after so long, ms; later on a server that is away is waited for. */
const FIRST_ANSWER = 5000;
/** Between two attempts to reach a server that has gone away, ms. */
const LONGEST_PAUSE = 2000;

/**
 * A connection that outlives the server's restarts: commands wait until it is back.
 * @param told hears when the server goes away, and when it is back
 */
export async function connectRedis(url: string, told: (line: string) => void): Promise<Redis> {
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
      `--queue: ${shown} does not answer (${last || 'silence'})`,
      'Start redis-server there, or name another: redis://HOST:PORT.',
    );
  }
  redis.on('close', () => {
    if (!away) told(`${shown}: the connection is lost; waiting for it`);
    away = true;
  });
  redis.on('ready', () => {
    if (away) told(`${shown}: connected again`);
    away = false;
  });
  return redis;
}

/** The address as people may see it: without its password. Throws InputError for what is none. */
export function shownUrl(url: string): string {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new InputError(`--queue is "${url}"`, 'Give the address of a Redis server: redis://127.0.0.1:6379.');
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
