import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueNames } from '../../../src/host/experiments/queue/redis.ts';
import { elbowroom, posts, temporaryFolder } from '../cli/run.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A key of another Redis type made the scripts of the queue fail: nothing was executed, and nothing was said. */
describe.skipIf(!hasRedis)('keys of a wrong type in Redis', () => {
  const folder = temporaryFolder();
  const experiment = join(folder, 'experiment.yaml');
  const results = join(folder, 'results');
  const { prefix, queue, result, job } = queueNames();
  let server: ChildProcess;
  let redis: Redis;
  let url = '';
  let ids: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    server = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', folder], { stdio: 'ignore' });
    url = `redis://127.0.0.1:${port}`;
    redis = new Redis(url, { maxRetriesPerRequest: null });
    redis.on('error', () => {}); // the server is starting
    await redis.ping();
    writeFileSync(experiment, `format: elbowroom-experiment/1\nscenes: ${posts}\nseeds: 2\n`);
    await elbowroom(['experiment', experiment, '-o', results]);
    ids = records().map(({ id }) => id);
  });
  afterAll(() => {
    redis.disconnect();
    server.kill();
  });

  const records = () =>
    readFileSync(join(results, 'runs.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string; status: string; reason: string | null });

  /** Runs the collecting command, and a worker until the command ends. */
  async function runBoth() {
    rmSync(results, { recursive: true, force: true });
    let worker: ChildProcess | undefined;
    const work = elbowroom(['experiment', 'worker', '--queue', url, '--jobs', '1', '--idle', '60'], {
      input: (child) => {
        worker = child;
      },
    });
    const collected = await elbowroom(['experiment', experiment, '-o', results, '--queue', url]);
    await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 2000))]);
    worker?.kill('SIGTERM');
    return { collected, worked: await work };
  }

  test.each(['wait', 'meta', 'events', 'stalled-check'])(
    'of the queue: %s ends both commands',
    async (end) => {
      await redis.flushall();
      const key = `${prefix}:${queue}:${end}`;
      await redis.sadd(key, 'x');
      const { collected, worked } = await runBoth();
      for (const { code, stderr } of [collected, worked]) {
        expect(stderr).toContain(`elbowroom: error: --queue: the Redis key ${key} is a set, not a `);
        expect(code).toBe(2);
      }
    },
    60_000,
  );

  test('of a result and of a job, and damaged values of a result: these runs are executed all the same', async () => {
    await redis.flushall();
    await redis.rpush(result(ids[0]), 'x');
    await redis.set(result(ids[1]), '{"status":"sol');
    const first = await runBoth();
    expect(first.collected).toMatchObject({ code: 0 });
    expect(records().map(({ status }) => status)).toEqual(['solved', 'solved']);
    await redis.flushall();
    await redis.rpush(job(ids[0]), 'x');
    const second = await runBoth();
    expect(second.collected).toMatchObject({ code: 0 });
    expect(records().map(({ status }) => status)).toEqual(['solved', 'solved']);
  }, 60_000);

  test('of a problem: it is replaced', async () => {
    const [key] = await redis.keys(`${prefix}:text:*`);
    await redis.flushall();
    await redis.rpush(key, 'x');
    const { collected } = await runBoth();
    expect(collected.code).toBe(0);
    expect(records().map(({ status }) => status)).toEqual(['solved', 'solved']);
  }, 60_000);

  test('a job that is in no list of the queue is submitted again', async () => {
    await redis.flushall();
    await redis.hset(job(ids[0]), 'name', 'run');
    const { collected } = await runBoth();
    expect(collected.code).toBe(0);
    expect(records().map(({ status }) => status)).toEqual(['solved', 'solved']);
  }, 60_000);
});
