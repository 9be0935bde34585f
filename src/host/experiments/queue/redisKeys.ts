import type { Redis } from 'ioredis';
import { InputError } from '../../../errors.ts';
import type { QueueNames } from './redis.ts';

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
