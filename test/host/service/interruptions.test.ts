import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import { Service } from '../../../src/host/service/service.ts';
import type { ClientSession } from '../../../src/host/service/session/clientSession.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { temporaryFolder } from '../cli/run.ts';
import { openSessions, settled } from './listening.ts';
import { ask, checker, drawn, free, hit, model, scene } from './shelf.ts';

// Requests that end early: in the middle of a batch, a plan, a cloud, a frame or a line. Nothing may be left behind.

const service = new Service({ robot: model, scene, version: '0', jobs: 1 });
const path = join(temporaryFolder(), 'service.sock');
const onSocket = await listenOnSocket(service, path);
const onHttp = await listenOnHttp(service, { host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await onSocket.stop();
  await onHttp.stop();
  await service.close();
});

/** Nothing runs, waits, or is reserved, and no session is open. */
const isIdle = () =>
  service.onThreads === 0 && service.sessions.length === 0 && service.takenMemory === 0 && openSessions(service) === 0;

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const cancel = (id: number) => ({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
/** A plan that does not end by itself. */
const endless = (id: number) => request(id, 'plan', { planner: 'rrt-star', iterations: 1e9, time_limit: 29 });
const random = new Random(18);
const numbersOf = (count: number) => Array.from({ length: 3 * count }, () => random.between(-2, 2));

/** A binary frame. */
function frameOf(
  method: string,
  params: object,
  array: string,
  [count, width]: [number, number],
  numbers: number[],
  id = 7,
) {
  let header = JSON.stringify({ jsonrpc: '2.0', id, method, params, arrays: { [array]: [count, width] } });
  header = header.padEnd(8 * Math.ceil(header.length / 8));
  const bytes = Buffer.alloc(16 + header.length + 8 * numbers.length);
  Buffer.from('93454c42', 'hex').copy(bytes);
  for (const [i, value] of [1, header.length, 8 * numbers.length].entries()) bytes.writeUInt32LE(value, 4 + 4 * i);
  bytes.write(header, 16);
  for (const [i, value] of numbers.entries()) bytes.writeDoubleLE(value, 16 + header.length + 8 * i);
  return bytes;
}

const cloudFrame = (count: number, id = 7) => {
  const params = { body: { type: 'cloud', name: 'scan', radius: 0.005 }, replace: true };
  return frameOf('scene.add', params, 'points', [count, 3], numbersOf(count), id);
};
const stateFrame = (count: number) => {
  const states = Array.from({ length: count }, () => drawn(random)).flat();
  return frameOf('validate', {}, 'states', [count, 6], states);
};
/** Waits without a pause in which the service could end its work. */
const until = async (isSo: () => boolean) => {
  const end = performance.now() + 20_000;
  while (!isSo() && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  expect(isSo()).toBe(true);
};
const headerOf = (bytes: Buffer) => JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(8)));

test('a plan that is cancelled in the middle of a large batch leaves the other results right', async () => {
  const session = service.openSession()!;
  const states = Array.from({ length: 1500 }, () => drawn(random));
  const requests = states.map((q, i) => request(i, 'validate', { q }));
  const batch = session.answer(JSON.stringify([...requests.slice(0, 700), endless(9000), ...requests.slice(700)]));
  const next = session.answer(JSON.stringify(request(9001, 'validate', { q: hit })));
  await settled(() => service.onThreads === 1);
  session.notice(JSON.stringify(cancel(9000)));
  const answers = JSON.parse(await batch) as { id: number; result?: { valid: boolean }; error?: { code: number } }[];
  expect(answers[700]).toMatchObject({ id: 9000, error: { code: -32800 } });
  const others = answers.filter(({ id }) => id < 9000);
  const wrong = others.filter(({ id, result }, i) => id !== i || result!.valid !== checker.isValid(states[i]));
  expect([others.length, wrong]).toEqual([1500, []]);
  expect(JSON.parse(await next).result).toEqual({ valid: false });
  session.close();
  await settled(isIdle);
});

test('a cloud whose request is cancelled, or whose session is closed, while it is grouped is not added', async () => {
  for (const isClosed of [false, true]) {
    const [session, busy] = [service.openSession()!, service.openSession()!];
    const other = busy.answerFrame(stateFrame(20_000)); // so that the cloud is added in slices
    const before = service.takenMemory;
    const added = session.answerFrame(cloudFrame(60_000, 8));
    await until(() => service.takenMemory > before); // its points are reserved, and grouped
    if (isClosed) session.close();
    else session.notice(JSON.stringify(cancel(8)));
    expect(headerOf(await added).error.code).toBe(isClosed ? -32002 : -32800);
    const { result } = isClosed ? {} : await ask(session, request(9, 'describe'));
    expect(JSON.stringify(result ?? '')).not.toMatch(/scan/);
    await other;
    session.close();
    busy.close();
    await settled(isIdle);
  }
});

test('sessions that are closed while their plans and batches wait or run free the only thread', async () => {
  const sessions = Array.from({ length: 150 }, () => service.openSession()!);
  const batch = [request(1, 'validate', { q: free }), endless(2), request(3, 'validate', { q: hit })];
  const answers = sessions.map((session, i) => session.answer(JSON.stringify(i % 2 ? endless(2) : batch)));
  await settled(() => service.onThreads > 100);
  for (const [i, session] of sessions.entries()) {
    if (i % 3 === 0) session.notice(JSON.stringify(cancel(2)));
    else session.close();
    if (i % 50 === 0) await sleep(5);
  }
  const texts = await Promise.all(answers);
  const plans = texts.map((text, i) => (i % 2 ? JSON.parse(text) : JSON.parse(text)[1]));
  const codes = plans.map(({ error }, i) => [error.code, i % 3 === 0]);
  expect(codes.filter(([code, isCancelled]) => code !== -32800 && (isCancelled || code !== -32002))).toEqual([]);
  for (const session of sessions) session.close();
  await settled(isIdle);
  const after = service.openSession()!;
  expect((await ask(after, request(1, 'plan', { seed: 1 }))).result).toMatchObject({ status: 'solved' });
  after.close();
});

/** Connects, sends bytes, waits, and destroys the connection. */
async function abandon(bytes: Buffer, isLocal: boolean): Promise<void> {
  const { hostname, port } = new URL(onHttp.address);
  const socket = isLocal ? net.connect(path) : net.connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  socket.write(bytes);
  await sleep(random.below(20));
  socket.destroy();
}

const post = (type: string, body: Buffer, length = body.length) =>
  Buffer.concat([
    Buffer.from(`POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`),
    body,
  ]);
const upgrade = Buffer.from(
  'GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
);

/** A WebSocket frame of a client, whose mask is 0. */
function webSocketFrame(payload: Buffer, opcode: number): Buffer {
  const header = Buffer.alloc(14);
  header.set([0x80 | opcode, 0x80 | 127]);
  header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}

test('connections that end within a line, a frame, a body or a batch leave nothing behind', async () => {
  const plan = Buffer.from(`${JSON.stringify(endless(1))}\n`);
  const states = stateFrame(2000);
  const cloud = cloudFrame(2000);
  const lines: Buffer[] = [plan, states, cloud, Buffer.concat([states, plan, cloud, plan])];
  const requests: Buffer[] = [
    post('application/json', plan),
    post('application/octet-stream', states),
    Buffer.concat([upgrade, webSocketFrame(cloud, 2), webSocketFrame(plan, 1), webSocketFrame(states, 2)]),
  ];
  const ends: Promise<void>[] = [];
  for (const [list, isLocal] of [
    [lines, true],
    [requests, false],
  ] as const)
    for (const bytes of list)
      for (const part of [0.3, 0.7, 1]) {
        const cut = Math.max(1, Math.floor(part * bytes.length) - random.below(8));
        ends.push(abandon(bytes.subarray(0, part === 1 ? bytes.length : cut), isLocal));
      }
  await Promise.all(ends);
  await settled(isIdle);
  const check: ClientSession = service.openSession()!;
  expect((await ask(check, request(1, 'validate', { states: [free, hit] }))).result).toEqual({ valid: [true, false] });
  check.close();
});
