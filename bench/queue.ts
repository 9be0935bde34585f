import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { RecordFile, readRecords } from '../src/host/experiments/recordFile.ts';
import type { Table } from './measure.ts';

export const about = 'the queue of experiments: what a run costs Redis, the collecting process and the disk';

const SCENE = 'test/host/cli/fixtures/posts.yaml';
const RUNS = 300;
const JOBS = 3000;
const RECORDS = 5000;

/** Costs of a run (docs/scaling.md): processor time, which depends little on other work. */
export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'elbowroom-bench-'));
  try {
    const results = path.join(folder, 'results');
    const experiment = path.join(folder, 'runs.yaml');
    const scenes = path.resolve(SCENE);
    writeFileSync(experiment, `format: elbowroom-experiment/1\nscenes: ${scenes}\nseeds: ${RUNS}\n`);
    const args = ['bin/elbowroom.js', 'experiment', experiment, '-o', results];
    execFileSync(process.execPath, args, { stdio: 'ignore' });
    const { records } = readRecords(results);
    const sizeOf = (file: string) => statSync(path.join(results, file)).size / RUNS;

    const file = await RecordFile.open(path.join(folder, 'collected.jsonl'));
    const lines = records.map((record) => JSON.stringify(record));
    const before = process.cpuUsage();
    for (let from = 0; from < RECORDS; from += 500)
      await Promise.all(Array.from({ length: 500 }, (_, i) => file.append(JSON.parse(lines[(from + i) % RUNS]))));
    const { user, system } = process.cpuUsage(before);
    await file.close();

    const rows = [
      {
        what: 'collecting process, a record: parse, write, sync in groups of 500',
        unit: 'ms',
        value: (user + system) / 1000 / RECORDS,
      },
      { what: 'a record, JSON line', unit: 'bytes', value: sizeOf('runs.jsonl') },
      ...(await redisCosts(folder, lines)),
    ];
    yield {
      title: `A run through the queue: ${JOBS} jobs`,
      rows: rows.map(({ what, unit, value }) => ({ what, unit, value: Number(value.toPrecision(3)) })),
      notes: ['processor time of the Redis server and of this process; records of plans of a few ms'],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of Redis for a job and its result, and its memory for a waiting job and a kept result. */
async function redisCosts(folder: string, lines: readonly string[]) {
  if (spawnSync('redis-server', ['--version']).status !== 0) return [];
  const port = await freePort();
  const server = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', folder], { stdio: 'ignore' });
  const redis = new Redis(`redis://127.0.0.1:${port}`, { maxRetriesPerRequest: null });
  redis.on('error', () => {}); // the server is starting
  const info = async (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(await redis.info())![1]);
  const cpu = async () => (await info('used_cpu_user')) + (await info('used_cpu_sys'));
  try {
    await redis.ping();
    const queue = new Queue('runs', { connection: redis });
    const empty = await info('used_memory');
    const begun = await cpu();
    for (let from = 0; from < JOBS; from += 500) {
      const jobs = Array.from({ length: 500 }, (_, i) => ({
        name: 'run',
        data: JSON.parse(lines[(from + i) % lines.length]) as object,
        opts: { jobId: `run-${from + i}`, attempts: 5, removeOnComplete: true },
      }));
      await queue.addBulk(jobs);
    }
    const full = await info('used_memory');
    let left = JOBS;
    const own = redis.duplicate();
    own.on('error', () => {}); // the server has ended
    await new Promise<void>((resolve) => {
      const worker = new Worker('runs', async () => {}, { connection: own, concurrency: 4 });
      worker.on('completed', () => {
        if (--left === 0)
          void worker
            .close()
            .then(() => own.disconnect())
            .then(resolve);
      });
    });
    const jobs = await cpu();
    const memory = await info('used_memory');
    for (let i = 0; i < JOBS; i++) {
      await redis.get(`result:${i}`);
      await redis.set(`result:${i}`, lines[i % lines.length], 'EX', 600, 'NX');
    }
    for (let from = 0; from < JOBS; from += 500)
      await redis.mget(Array.from({ length: 500 }, (_, i) => `result:${from + i}`));
    const stored = await cpu();
    const kept = await info('used_memory');
    await queue.close();
    return [
      { what: 'Redis, a job: added, taken, completed', unit: 'ms', value: (1000 * (jobs - begun)) / JOBS },
      { what: 'Redis, a result: found, written, collected', unit: 'ms', value: (1000 * (stored - jobs)) / JOBS },
      { what: 'Redis, memory of a waiting job', unit: 'bytes', value: (full - empty) / JOBS },
      { what: 'Redis, memory of a result', unit: 'bytes', value: (kept - memory) / JOBS },
    ];
  } finally {
    redis.disconnect();
    server.kill();
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
