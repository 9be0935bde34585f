import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import { Random } from '../src/core/math/random.ts';
import type { ServiceClient } from '../src/host/client/serviceClient.ts';
import { loadScene } from '../src/host/node/files.ts';
import { connectService } from '../src/host/service/connectService.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';
import { quantile, type Table } from './measure.ts';

export const about = 'binary frames beside JSON: states a second in batches of 1,000, over each transport';

const SCENE = 'scenes/shelf.yaml';
const BATCH = 1000;
const REPEATS = 8;
/** Rounds of each measurement, in turn with the others'; the first two warm up and do not count. */
const ROUNDS = 9;
const WARM_UP = 2;

/** A method in both forms, as users of the client call it. */
interface Kind {
  readonly json: (client: ServiceClient, states: number[][]) => Promise<unknown>;
  readonly frame: (client: ServiceClient, numbers: Float64Array) => Promise<unknown>;
  /** Added to each value. */
  readonly offset?: number;
}

const validate: Kind = {
  json: (client, states) => client.call('validate', { states }),
  frame: (client, numbers) => client.areValid(numbers),
};
const kinds: Readonly<Record<string, Kind>> = {
  validate,
  'validate, states out of limits': { ...validate, offset: 100 },
  fk: {
    json: (client, states) => client.call('fk', { states }),
    frame: (client, numbers) => client.poses(numbers),
  },
  'fk of one link': {
    json: (client, states) => client.call('fk', { states, links: ['tool0'] }),
    frame: (client, numbers) => client.poses(numbers, ['tool0']),
  },
  clearance: {
    json: (client, states) => client.call('clearance', { states }),
    frame: (client, numbers) => client.clearances(numbers),
  },
};

export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-bench-'));
  const path = join(folder, 'service.sock');
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--port', '0', '--socket', path]);
  try {
    const [, url] = await lineThat(service.stderr!, /(http:\S+)/);
    const addresses = { 'Unix socket': `unix:${path}`, WebSocket: url.replace('http', 'ws'), HTTP: url };
    yield await table(addresses, service.pid!);
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function table(addresses: Readonly<Record<string, string>>, pid: number): Promise<Table> {
  const space = new RobotJointSpace(createSceneRobot(await loadScene(SCENE)));
  const random = new Random(5);
  const states = Array.from({ length: BATCH }, () => {
    const q = new Float64Array(space.dof);
    space.sample(q, random);
    return q;
  });
  const rows: Record<string, string | number>[] = [];
  for (const [transport, address] of Object.entries(addresses)) {
    const client = await connectService(address); // a session that is not used ends
    for (const [what, { json, frame, offset = 0 }] of Object.entries(kinds)) {
      const lists = states.map((q) => Array.from(q, (x) => x + offset));
      const numbers = Float64Array.from(lists.flat());
      const found = { json: new Measured(pid), frame: new Measured(pid) };
      for (let round = 0; round < ROUNDS; round++) {
        await found.json.round(() => json(client, lists), round >= WARM_UP);
        await found.frame.round(() => frame(client, numbers), round >= WARM_UP);
      }
      rows.push({
        transport,
        what,
        'JSON, states/s': found.json.rate,
        'frames, states/s': found.frame.rate,
        ratio: Number((found.frame.rate / found.json.rate).toFixed(2)),
        'ratio of processor times': Number((found.json.used / found.frame.used).toFixed(2)),
      });
    }
    await client.close();
  }
  return {
    title: `binary frames beside JSON, batches of ${BATCH} random states of ${SCENE}`,
    rows,
    notes: [
      'the client of this package, which waits for each response; medians of interleaved rounds; given are lists of ' +
        'numbers (JSON) and one array (frames)',
      'processor times are those of client and service together; other work on the machine affects them less',
      'states out of limits need no collision check: their rate is that of the messages alone',
    ],
  };
}

/** Rates and processor times of some rounds. */
class Measured {
  private readonly seconds: number[] = [];
  private readonly processor: number[] = [];

  constructor(private readonly pid: number) {}

  async round(call: () => Promise<unknown>, counts: boolean): Promise<void> {
    const [before, used] = [performance.now(), this.processorTime()];
    for (let i = 0; i < REPEATS; i++) await call();
    if (!counts) return;
    this.seconds.push((performance.now() - before) / 1000);
    this.processor.push(this.processorTime() - used);
  }

  /** States a second. */
  get rate(): number {
    return Math.round((REPEATS * BATCH) / quantile(this.seconds, 0.5));
  }

  /** Processor time of a round. */
  get used(): number {
    return quantile(this.processor, 0.5);
  }

  /** Processor time of this process and the service, ns (Linux). */
  private processorTime(): number {
    const { user, system } = process.cpuUsage();
    const tasks = `/proc/${this.pid}/task`;
    const each = readdirSync(tasks).map((task) => readFileSync(join(tasks, task, 'schedstat'), 'utf8'));
    return 1000 * (user + system) + each.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
  }
}

async function lineThat(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  for (let text = ''; ; ) {
    text += String((await once(stream, 'data'))[0]);
    const found = pattern.exec(text);
    if (found) return found;
  }
}
