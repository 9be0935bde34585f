import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { RobotJointSpace } from '../src/collision/robotJointSpace.ts';
import { Random } from '../src/math/random.ts';
import { completed } from '../src/math/slices.ts';
import { loadScene } from '../src/node/files.ts';
import { frameOf, type RawFrame, readFrame } from '../src/service/frames/binaryFrame.ts';
import type { Work } from '../src/service/scheduler.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';
import { quantile, type Table } from './measure.ts';

export const about = 'binary frames beside JSON: states a second in batches of 1,000, over WebSockets and HTTP';

const SCENE = 'scenes/shelf.yaml';
const BATCH = 1000;
const REPEATS = 8;
/** Rounds of each measurement, in turn with the others'; the first warms up and does not count. */
const ROUNDS = 6;

type Message = string | Buffer;
type Exchange = (message: Message) => Promise<Message>;

/** What is measured: a method with its parameters, by item. */
const kinds = {
  validate: { method: 'validate', key: 'states', params: {} },
  'validate, states out of limits': { method: 'validate', key: 'states', params: {} },
  fk: { method: 'fk', key: 'states', params: {} },
  'fk of one link': { method: 'fk', key: 'states', params: { links: ['tool0'] } },
  clearance: { method: 'clearance', key: 'states', params: {} },
};

export async function* run(): AsyncGenerator<Table> {
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--port', '0']);
  try {
    const [, url] = /(http:\S+)/.exec(String((await once(service.stderr!, 'data'))[0]))!;
    const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`, { perMessageDeflate: false });
    await once(socket, 'open');
    yield await table({ WebSocket: overWebSocket(socket), HTTP: overHttp(url) });
    socket.terminate();
  } finally {
    service.kill();
  }
}

async function table(transports: Readonly<Record<string, Exchange>>): Promise<Table> {
  const space = new RobotJointSpace(createSceneRobot(await loadScene(SCENE)));
  const random = new Random(5);
  const states = Array.from({ length: BATCH }, () => {
    const q = new Float64Array(space.dof);
    space.sample(q, random);
    return q;
  });
  const rows: Record<string, string | number>[] = [];
  for (const [transport, exchange] of Object.entries(transports)) {
    for (const [what, kind] of Object.entries(kinds)) {
      const given = what.includes('limits') ? states.map((q) => q.map((x) => x + 100)) : states;
      const rates: Record<'json' | 'frames', number[]> = { json: [], frames: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [form, call] of [
          ['json', () => asJson(exchange, kind, given)],
          ['frames', () => asFrame(exchange, kind, given)],
        ] as const) {
          const before = performance.now();
          for (let i = 0; i < REPEATS; i++) await call();
          if (round > 0) rates[form].push((1000 * REPEATS * BATCH) / (performance.now() - before));
        }
      }
      const [json, frames] = [quantile(rates.json, 0.5), quantile(rates.frames, 0.5)];
      rows.push({
        transport,
        what,
        'JSON, states/s': Math.round(json),
        'frames, states/s': Math.round(frames),
        ratio: Number((frames / json).toFixed(2)),
      });
    }
  }
  return {
    title: `binary frames beside JSON, batches of ${BATCH} random states of ${SCENE}`,
    rows,
    notes: [
      'one client that waits for each response; medians of interleaved rounds; both sides convert: the client ' +
        'from and to arrays of numbers',
      'states out of limits need no collision check: their rate is that of the messages alone',
    ],
  };
}

type Kind = (typeof kinds)[keyof typeof kinds];

async function asJson(exchange: Exchange, { method, key, params }: Kind, states: readonly Float64Array[]) {
  const listed = states.map((q) => [...q]);
  const text = await exchange(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, [key]: listed } }));
  return JSON.parse(text as string).result as object;
}

async function asFrame(exchange: Exchange, { method, key, params }: Kind, states: readonly Float64Array[]) {
  const width = states[0].length;
  const data = new Float64Array(states.length * width);
  for (let i = 0; i < states.length; i++) data.set(states[i], i * width);
  const shape = [states.length, width];
  const header = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, arrays: { [key]: shape } });
  const answer = (await exchange(frameOf(header, [{ name: key, shape, data }]))) as Buffer;
  const { header: read, payload } = completed(readFrame(answer) as Work<RawFrame> & Generator<undefined, RawFrame>);
  if ('error' in (read as object)) throw new Error(JSON.stringify(read));
  return payload;
}

function overWebSocket(socket: WebSocket): Exchange {
  return async (message) => {
    const answered = once(socket, 'message');
    socket.send(message);
    const [data, isBinary] = (await answered) as [Buffer, boolean];
    return isBinary ? data : String(data);
  };
}

function overHttp(url: string): Exchange {
  return async (message) => {
    const isText = typeof message === 'string';
    const headers = { 'content-type': isText ? 'application/json' : 'application/octet-stream' };
    const body = isText ? message : new Uint8Array(message);
    const reply = await fetch(`${url}/rpc`, { method: 'POST', headers, body });
    return isText ? reply.text() : Buffer.from(await reply.arrayBuffer());
  };
}
