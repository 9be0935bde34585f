import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../src/core/math/random.ts';
import type { ServiceClient } from '../../src/host/client/serviceClient.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { connectService } from '../../src/host/service/connectService.ts';
import { quantile, type Table } from '../measure.ts';
import { Shuttle } from './shuttle.ts';

const SCENE = 'scenes/shelf.yaml';
const [WARM_UP, COUNT] = [200, 1000];
/** Proposals that are sent to each gate in turn. */
const BLOCK = 100;
/** States of a batch of another session, and motions of another batch. */
const [STATES, MOTIONS] = [20_000, 1000];

/** Latencies of proposals over a socket while another session sends batches, on both threads of sessions. */
export async function besideBatches(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-bench-'));
  const socket = join(folder, 'service.sock');
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--socket', socket]);
  try {
    await once(service.stderr, 'data');
    const clients = await Promise.all([1, 2, 3].map(() => connectService(`unix:${socket}`)));
    const rows = await latencies(clients as [ServiceClient, ServiceClient, ServiceClient]);
    await Promise.all(clients.map((client) => client.close()));
    const title = `proposals to gates over a Unix socket beside batches of ${STATES} states and of ${MOTIONS} motions`;
    return { title, rows, notes: [`${COUNT} chunks of 50 points each, in turn; times from message to answer`] };
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function latencies([own, shared, other]: [ServiceClient, ServiceClient, ServiceClient]) {
  const shuttle = new Shuttle(await loadScene(SCENE), 1);
  const proposals = Array.from({ length: WARM_UP + COUNT }, () => shuttle.step().proposal);
  // a session that has changed its scene opens its gate on the thread of the other sessions
  const pose = { xyz: [2, 2, 2] };
  await shared.call('scene.add', { body: { name: 'ball', type: 'sphere', radius: 0.05, pose } as never });
  const gates = [await own.gate(), await shared.gate()];
  const batches = new Batches(other);
  const timesOf = async () => {
    const times: number[][] = [[], []];
    for (let first = 0; first < proposals.length; first += BLOCK)
      for (const [k, gate] of gates.entries())
        for (const [i, { now, points }] of proposals.slice(first, first + BLOCK).entries()) {
          const began = performance.now();
          await gate.propose(now, points);
          if (first + i >= WARM_UP) times[k].push(performance.now() - began);
          await setTimeout(5);
        }
    return times;
  };
  batches.begin();
  const [alone, beside] = await timesOf();
  await batches.end();
  const rowOf = (gate: string, times: number[]) => ({
    gate,
    'median ms': quantile(times, 0.5),
    'p99 ms': quantile(times, 0.99),
    'most ms': Math.max(...times),
  });
  return [rowOf('on the thread of the gates', alone), rowOf('on the thread of the batches', beside)];
}

/** Sends batches without a pause. */
class Batches {
  private isEnded = false;
  private running: Promise<void> | undefined;

  constructor(private readonly client: ServiceClient) {}

  begin(): void {
    this.running = this.run();
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.running;
  }

  private async run(): Promise<void> {
    const { client } = this;
    const { start, joints } = client.about;
    const random = new Random(1);
    const values = Float64Array.from({ length: STATES * joints.length }, (_, i) => {
      return start![i % joints.length] + random.between(-0.5, 0.5);
    });
    while (!this.isEnded) {
      await client.areValid(values);
      await client.areValidMotions(values.subarray(0, 2 * MOTIONS * joints.length));
    }
  }
}
