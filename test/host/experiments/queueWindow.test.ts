import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunSettings } from '../../../src/formats/schemas/experimentFile.ts';
import type { StoredProblem } from '../../../src/host/experiments/problems.ts';
import { makeRunsByQueue } from '../../../src/host/experiments/queue/queueRuns.ts';
import { queueNames } from '../../../src/host/experiments/queue/redis.ts';
import { recordOfFailure } from '../../../src/host/experiments/record.ts';
import type { Run } from '../../../src/host/experiments/runs.ts';
import { temporaryFolder } from '../cli/run.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const RUNS = 41;
const OUTSTANDING = 6;

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe.skipIf(!hasRedis)('a queue with more runs than are kept in Redis at a time', () => {
  let server: ChildProcess;
  let redis: Redis;
  let url = '';
  beforeAll(async () => {
    const port = await freePort();
    server = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', temporaryFolder()], {
      stdio: 'ignore',
    });
    url = `redis://127.0.0.1:${port}`;
    redis = new Redis(url, { maxRetriesPerRequest: null });
    redis.on('error', () => {}); // the server is starting
    await redis.ping();
  });
  afterAll(() => {
    redis.disconnect();
    server.kill();
  });

  test('collects each run once, with few waiting, and keeps results for minutes', async () => {
    const names = queueNames();
    const problem = { scene: 'posts', problem: null, hash: 'a'.repeat(32), text: '{}' };
    const stored = { ...problem, robot: { hash: 'b'.repeat(32), text: '{}' } } as unknown as StoredProblem;
    const settings = { planner: 'rrt-connect' } as unknown as RunSettings;
    const runs = Array.from({ length: RUNS }, (_, i): Run => {
      const id = String(i).padStart(32, '0');
      return { id, problem, settings, seed: i + 1, repetition: 1 };
    });
    let most = 0;
    const worker = new Worker<Run>(
      names.queue,
      async ({ data: run }) => {
        most = Math.max(most, (await redis.keys(`${names.prefix}:${names.queue}:run-*`)).length);
        await redis.set(names.result(run.id), JSON.stringify(recordOfFailure(run, 'tried', '0')), 'EX', 86_400);
      },
      { connection: redis.duplicate(), prefix: names.prefix, concurrency: 2 },
    );
    const collected: string[] = [];
    await makeRunsByQueue(
      runs,
      [stored],
      url,
      '0',
      async ({ id }) => void collected.push(id),
      () => {},
      OUTSTANDING,
    );
    await worker.close();
    expect(collected.sort()).toEqual(runs.map(({ id }) => id));
    expect(most).toBeGreaterThan(1);
    // Locks and the jobs that are being removed are keys of jobs, too.
    expect(most).toBeLessThanOrEqual(3 * OUTSTANDING);
    for (const { id } of runs) expect(await redis.ttl(names.result(id))).toBeLessThanOrEqual(600);
  });
});
