import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import { Random } from '../src/core/math/random.ts';
import { loadScene } from '../src/host/node/files.ts';
import { createSceneRobot } from '../src/tasks/sceneRobot.ts';
import { createStateValidityChecker } from '../src/tasks/validation/stateValidityChecker.ts';
import { nanosecondsPerCall, quantile, type Table } from './measure.ts';

export const about =
  'the service of validity over each transport: states a second, one by one and many at once, beside a bare echo';

const SCENE = 'scenes/shelf.yaml';
const BATCH = 100;
const SINGLES = 2000;
const BATCHES = 300;
/** Rounds of each measurement, in turn with the others'; the first warms up and does not count. */
const ROUNDS = 5;

/** Sends a text, resolves with its answer. */
type Exchange = (text: string) => Promise<string>;

interface Peer {
  readonly exchange: Exchange;
  readonly close: () => void;
}

export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-bench-'));
  const socket = join(folder, 'service.sock');
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--socket', socket, '--port', '0']);
  const stdio = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, '--stdio']);
  const echo = spawn(process.execPath, ['-e', echoProgram, join(folder, 'echo.sock')]);
  try {
    const [, url] = await lineThat(service.stderr!, /(http:\S+)/);
    await lineThat(echo.stdout!, /(ready)/);
    const peers: Record<string, Peer> = {
      'bare echo, Unix socket': await overLines(net.connect(join(folder, 'echo.sock'))),
      'Unix socket': await overLines(net.connect(socket)),
      stdio: overStdio(stdio),
      WebSocket: await overWebSocket(url.replace('http', 'ws')),
      HTTP: overHttp(url),
    };
    yield await table(peers);
    for (const { close } of Object.values(peers)) close();
  } finally {
    for (const child of [service, stdio, echo]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers each chunk with itself. */
const echoProgram =
  `require('node:net').createServer((s) => s.on('data', (d) => s.write(d))).listen(process.argv[1], () => ` +
  `console.log('ready'))`;

async function table(peers: Readonly<Record<string, Peer>>): Promise<Table> {
  const loaded = await loadScene(SCENE);
  const space = new RobotJointSpace(createSceneRobot(loaded));
  const random = new Random(5);
  const states = Array.from({ length: 50 * BATCH }, () => {
    const q = new Float64Array(space.dof);
    space.sample(q, random);
    return [...q];
  });
  const request = (params: object, id = 1) => ({ jsonrpc: '2.0', id, method: 'validate', params });
  const blocks = Array.from({ length: 50 }, (_, i) => states.slice(BATCH * i, BATCH * (i + 1)));
  const texts: Readonly<Record<string, readonly string[]>> = {
    single: states.map((q) => JSON.stringify(request({ q }))),
    array: blocks.map((block) => JSON.stringify(block.map((q, id) => request({ q }, id)))),
    states: blocks.map((block) => JSON.stringify(request({ states: block }))),
  };
  const found = new Map<string, { p50: number[]; rate: Record<string, number[]> }>();
  for (const name of Object.keys(peers)) found.set(name, { p50: [], rate: { single: [], array: [], states: [] } });
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { exchange }] of Object.entries(peers)) {
      for (const [kind, list] of Object.entries(texts)) {
        const { microseconds, seconds } = await time(exchange, list, kind === 'single' ? SINGLES : BATCHES);
        if (round === 0) continue;
        const { p50, rate } = found.get(name)!;
        if (kind === 'single') p50.push(quantile(microseconds, 0.5));
        rate[kind].push(((kind === 'single' ? 1 : BATCH) * microseconds.length) / seconds);
      }
    }
  }
  const middle = (numbers: readonly number[]) => quantile(numbers, 0.5);
  const bare = middle(found.get('bare echo, Unix socket')!.p50);
  const checker = createStateValidityChecker(loaded.robot, loaded.scene);
  const { least } = nanosecondsPerCall(states.length, () => {
    for (const q of states) checker.isValid(q);
  });
  const inProcess = { transport: 'none: createStateValidityChecker', 'one by one, states/s': Math.round(1e9 / least) };
  const rows: Record<string, string | number>[] = [...found].map(([transport, { p50, rate }]) => ({
    transport,
    'one state: p50, µs': Math.round(middle(p50)),
    '/ bare echo': Number((middle(p50) / bare).toFixed(2)),
    'one by one, states/s': Math.round(middle(rate['single'])),
    [`arrays of ${BATCH} requests, states/s`]: Math.round(middle(rate['array'])),
    [`${BATCH} states a request, states/s`]: Math.round(middle(rate['states'])),
  }));
  return {
    title: `validity of random states of ${SCENE} over each transport`,
    rows: [...rows, inProcess],
    notes: [
      'one client that waits for each response before its next request; medians of interleaved rounds (in this ' +
        'process: minimum); texts are made beforehand',
      'the echo sends back the same bytes and does nothing else: its rates are what the socket and the client ' +
        'alone allow',
    ],
  };
}

async function time(exchange: Exchange, texts: readonly string[], count: number) {
  const microseconds: number[] = [];
  const began = performance.now();
  for (let i = 0; i < count; i++) {
    const before = performance.now();
    await exchange(texts[i % texts.length]);
    microseconds.push(1000 * (performance.now() - before));
  }
  return { microseconds, seconds: (performance.now() - began) / 1000 };
}

async function overLines(socket: net.Socket): Promise<Peer> {
  await once(socket, 'connect');
  return { exchange: lineExchange(socket, socket), close: () => socket.destroy() };
}

function overStdio(child: ChildProcess): Peer {
  return { exchange: lineExchange(child.stdout!, child.stdin!), close: () => child.stdin!.end() };
}

function lineExchange(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Exchange {
  let text = '';
  let resolve: (text: string) => void = () => {};
  input.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    const whole = text;
    text = '';
    resolve(whole);
  });
  return (question) =>
    new Promise((done) => {
      resolve = done;
      output.write(`${question}\n`);
    });
}

async function overWebSocket(url: string): Promise<Peer> {
  const socket = new WebSocket(`${url}/rpc`, { perMessageDeflate: false });
  await once(socket, 'open');
  let resolve: (text: string) => void = () => {};
  socket.on('message', (data) => resolve(String(data)));
  const exchange: Exchange = (text) =>
    new Promise((done) => {
      resolve = done;
      socket.send(text);
    });
  return { exchange, close: () => socket.terminate() };
}

function overHttp(url: string): Peer {
  const exchange: Exchange = async (body) =>
    (await fetch(`${url}/rpc`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
  return { exchange, close: () => {} };
}

/** The first text of a stream that fits. */
async function lineThat(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const match = pattern.exec(text);
    if (match) return match;
  }
  throw new Error(`the service did not begin: ${text}`);
}
