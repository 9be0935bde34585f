import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../src/core/math/random.ts';
import type { ServiceClient } from '../src/host/client/serviceClient.ts';
import { loadScene } from '../src/host/node/files.ts';
import { connectService } from '../src/host/service/connectService.ts';
import { createPlanner } from '../src/tasks/createPlanner.ts';
import { quantile, type Table } from './measure.ts';

export const about =
  'plans over a warm socket beside a planner, validity while plans run, and watches of a motion among 100 obstacles';

const SCENE = 'scenes/table-top.yaml';
const REPEATS = 60;
/** Rounds of all seeds before those that count: threads of the service compile their code as they run it. */
const WARM_UP = 5;

export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-bench-'));
  const socket = join(folder, 'service.sock');
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--socket', socket]);
  try {
    await once(service.stderr!, 'data');
    const clients = await Promise.all([1, 2, 3].map(() => connectService(`unix:${socket}`)));
    yield await table(clients as [ServiceClient, ServiceClient, ServiceClient]);
    await Promise.all(clients.map((client) => client.close()));
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function table([client, ...others]: [ServiceClient, ServiceClient, ServiceClient]): Promise<Table> {
  const loaded = await loadScene(SCENE);
  const planner = createPlanner(loaded);
  const direct: number[] = [];
  const served: number[] = [];
  for (let i = 0; i < (WARM_UP + 2) * REPEATS; i++) {
    const seed = 1 + (i % REPEATS);
    direct.push(await milliseconds(() => planner.plan({ seed }, { clock: () => performance.now() })));
    served.push(await milliseconds(() => client.plan({ seed })));
  }
  const q = [...(await client.describe()).start!];
  const validity = async () => {
    const times: number[] = [];
    for (let i = 0; i < 500; i++) times.push(await milliseconds(() => client.isValid(q)));
    return times;
  };
  const idle = await validity();
  const stop = new AbortController();
  const endless = { planner: 'rrt-star', iterations: 1e9, time_limit: 29 };
  const plans = others.map((other) => other.plan(endless, { signal: stop.signal }).catch(() => {}));
  const busy = await validity();
  stop.abort();
  await Promise.all(plans);
  return {
    title: `planning and watching over a Unix socket, ${SCENE}`,
    rows: [
      rowOf('a planner in this process, warm', direct.slice(WARM_UP * REPEATS)),
      rowOf('plan over the socket, warm', served.slice(WARM_UP * REPEATS)),
      rowOf('validate one state', idle),
      rowOf('validate one state while two plans run', busy),
      rowOf('from scene.move to $/watch, one moved obstacle of 100', await watchTimes(client)),
    ],
    notes: ['plans with 60 seeds in turn; times from the request to its response, or to the notification'],
  };
}

/** Moves one of 100 balls to random places near the robot, while it executes a planned motion. */
async function watchTimes(client: ServiceClient): Promise<number[]> {
  const { trajectory, certificate } = await client.plan({ certificate: true });
  const random = new Random(3);
  const place = () => ({ xyz: [random.between(0.2, 1), random.between(-0.9, 0.9), random.between(0, 1.2)] });
  for (let i = 0; i < 100; i++) {
    const pose = { xyz: [random.between(1, 2), random.between(-1, 1), random.between(0, 1)] };
    const body = { name: `ball ${i}`, type: 'sphere', radius: 0.04, pose };
    await client.call('scene.add', { body: body as never });
  }
  let reported = 0;
  await client.watch({ trajectory: { ...trajectory! }, certificate: { ...certificate! } }, () => {
    reported = performance.now();
  });
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const before = performance.now();
    await client.call('scene.move', { name: `ball ${i % 100}`, pose: place() });
    times.push(reported - before);
    await client.call('scene.move', { name: `ball ${i % 100}`, pose: { xyz: [2, 0, 0.5] } });
  }
  return times.slice(50);
}

async function milliseconds(call: () => unknown): Promise<number> {
  const before = performance.now();
  await call();
  return performance.now() - before;
}

const rowOf = (what: string, times: readonly number[]) => ({
  what,
  '10 %, ms': Number(quantile(times, 0.1).toFixed(2)),
  'median, ms': Number(quantile(times, 0.5).toFixed(2)),
  '99 %, ms': Number(quantile(times, 0.99).toFixed(2)),
});
