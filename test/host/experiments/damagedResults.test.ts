import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRunsByQueue } from '../../../src/host/experiments/queue/queueRuns.ts';
import { queueNames } from '../../../src/host/experiments/queue/redis.ts';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import type { Run } from '../../../src/host/experiments/runs.ts';
import { temporaryFolder } from '../cli/run.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('redis-server is not installed: damaged results are not tried');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const record = JSON.parse(readFileSync('test/fixtures/runRecord.json', 'utf8')) as Readonly<Record<string, unknown>>;

/** Texts of a result key that are no record. */
const DAMAGED: readonly string[] = [
  '',
  'null',
  '[]',
  '7',
  '"text"',
  '{}',
  '{"id":',
  '\u0000\ufffd',
  '[[[[',
  JSON.stringify({ ...record, status: { toString: 'x' } }),
  JSON.stringify({ ...record, status: undefined }),
  JSON.stringify({ ...record, total_ms: 'text' }),
  JSON.stringify({ ...record, planner_options: { goalBias: {} } }),
  JSON.stringify({ ...record, planner_options: null }),
  JSON.stringify({ ...record, cut_short: 0 }),
  JSON.stringify({ ...record, problem: {} }),
];

const runOf = (id: string): Run => ({
  id,
  problem: { scene: 's', problem: null, hash: 'h' },
  settings: {
    planner: 'rrt',
    options: {},
    checker: 'gjk',
    edges: 'certified',
    step: 0.02,
    shortcut: true,
    timing: true,
    timeLimit: 1,
    corners: 'blend',
  } as unknown as Run['settings'],
  seed: 1,
  repetition: 1,
});

describe.skipIf(!hasRedis)('damaged results in a Redis server', () => {
  let url = '';
  let stop: () => void = () => {};
  beforeAll(async () => {
    const port = await freePort();
    const server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', temporaryFolder()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    stop = () => server.kill('SIGKILL');
    let text = '';
    for await (const piece of server.stdout) {
      text += piece;
      if (text.includes('Ready to accept')) break;
    }
    url = `redis://127.0.0.1:${port}`;
  });
  afterAll(() => stop());

  test('each is removed and its run executed again; good results beside them are taken', async () => {
    const redis = new Redis(url);
    const names = queueNames();
    const damaged = [...DAMAGED.map((_, i) => runOf(`damaged${i}`)), runOf('binary')];
    for (const [i, text] of DAMAGED.entries()) await redis.set(names.result(`damaged${i}`), text);
    await redis.set(names.result('binary'), Buffer.from([0xff, 0xfe, 0x7b, 0x80]));
    await redis.set(names.result('good'), JSON.stringify(record));
    /** In place of a worker: writes the result of each damaged run, once its value is removed. */
    const executed: string[] = [];
    const execute = async () => {
      for (const { id } of damaged)
        if ((await redis.set(names.result(id), JSON.stringify({ ...record, planner: 'again' }), 'NX')) === 'OK')
          executed.push(id);
    };
    let isOver = false;
    const worker = (async () => {
      for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 20))) await execute();
    })();

    const records: RunRecord[] = [];
    const done = async (one: RunRecord) => void records.push(one);
    const told: string[] = [];
    await makeRunsByQueue([...damaged, runOf('good')], [], url, '1', done, (line) => told.push(line));
    expect(told).toEqual([]);
    isOver = true;
    await worker;
    redis.disconnect();
    expect(executed.sort()).toEqual(damaged.map(({ id }) => id).sort());
    expect(records).toHaveLength(damaged.length + 1);
    const byId = new Map(records.map((one) => [one.id, one]));
    for (const { id } of damaged) expect(byId.get(id), id).toMatchObject({ id, planner: 'again' });
    expect(byId.get('good')).toMatchObject({ status: record['status'], planner: record['planner'] });
  });
});
