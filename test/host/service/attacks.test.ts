import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import { RpcError } from '../../../src/host/service/jsonRpc.ts';
import { parseMessage } from '../../../src/host/service/messageText.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { ViewServer } from '../../../src/host/service/viewServer.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { temporaryFolder } from '../cli/run.ts';
import { dial, openSessions, request, settled, valid } from './listening.ts';
import { ask, call, free, model, open, serviceWith, sessionsWith } from './shelf.ts';

const far = free.map((x, i) => (i === 5 ? 1e6 : x));
const get = (target: string, host = 'localhost', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Sends bytes on a connection of its own; what has come back after `ms`, or when it is closed. */
/** Sends bytes; what the server returns until it closes the socket, the text is whole, or 20 s have passed. */
async function exchange(address: string, bytes: string | Buffer, isWhole = (_: string) => false): Promise<string> {
  const socket = net.connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
    if (isWhole(text)) socket.emit('whole');
  });
  socket.write(bytes);
  await Promise.race([once(socket, 'close'), once(socket, 'whole'), sleep(20_000)]);
  socket.destroy();
  return text;
}

test('messages nested, named or multiplied beyond any message are refused before they are parsed', () => {
  for (const text of [
    '['.repeat(50_000) + ']'.repeat(50_000),
    `[${'[],'.repeat(600_000)}0]`,
    `"${'a'.repeat(2_500_000)}"`,
    `["${'\\"'.repeat(1_100_000)}`,
    `[${'{"a":0,"b":0,"c":0},'.repeat(400_000)}0]`,
  ])
    expect(() => parseMessage(text), text.slice(0, 20)).toThrow(/not accepted/);
  const brackets = JSON.stringify(['[{"\\'.repeat(10_000), { ']"\\': ['{'.repeat(10_000)] }]);
  expect(parseMessage(brackets)).toEqual(JSON.parse(brackets));
  expect(() => parseMessage(brackets.slice(0, -2))).toThrow(RpcError);
});

describe('no message keeps the service from others', () => {
  test('motions of a million radians end with the time limit, and other requests get responses meanwhile', async () => {
    const own = serviceWith({ time: 1 });
    onTestFinished(() => own.close());
    const [one, other] = [own.openSession()!, own.openSession()!];
    const long = { jsonrpc: '2.0', id: 1, method: 'validate_motion' };
    const attack = ask(one, { ...long, params: { motions: Array(50).fill([free, far]), details: true } });
    let answered = 0;
    const isOver = attack.then(() => true);
    while (!(await Promise.race([isOver, sleep(0).then(() => false)]))) {
      expect((await call(other, 'validate', { q: free })).result).toEqual({ valid: true });
      answered++;
    }
    expect((await attack).error!.code).toBe(-32002);
    expect(answered).toBeGreaterThan(3);
    expect(own.takenMemory).toBe(0);
  });

  test('states, clearances and contacts among many bodies are those of a checker of their own', async () => {
    const own = sessionsWith();
    const session = open(own);
    for (let i = 0; i < 150; i++) {
      const pose = { xyz: [0.25 + 0.004 * i, -0.5 + 0.01 * i, 0.9 - 0.003 * i], rpy: [0.3 * i, 0.2, 0] };
      await call(session, 'scene.add', { body: { name: `b${i}`, type: 'box', size: [0.01, 0.2, 0.3], pose } });
    }
    const checker = new StateValidityChecker(model, session.scene.current);
    expect(checker.manager.model.pairCount).toBeGreaterThan(1000);
    const random = new Random(92);
    const states = Array.from({ length: 60 }, () => free.map((x) => x + random.between(-0.7, 0.7)));
    const expected = states.map((q) => checker.isValid(q));
    expect(new Set(expected).size).toBe(2);
    expect((await call(session, 'validate', { states })).result).toEqual({ valid: expected });
    const { result } = await call(session, 'clearance', { states: states.slice(0, 20), gradient: true });
    for (const [i, answer] of (result!.answers as { distance: number; pair: string[] }[]).entries()) {
      const { distance, pair } = checker.manager.clearance(Float64Array.from(states[i]));
      expect(answer.distance).toBeCloseTo(distance, 9);
      expect(answer.pair).toEqual(pair);
    }
  });

  test('what runs in one turn is bounded: points of hulls, pairs of scenes, values of parameters', async () => {
    const session = open(sessionsWith({ points: 100, allPoints: 250, pairs: 500 }));
    const points = Array.from({ length: 101 }, (_, i) => [Math.cos(i), Math.sin(i), i / 100]);
    const convex = (name: string, count: number) => ({ name, type: 'convex', points: points.slice(0, count) });
    expect((await call(session, 'scene.add', { body: convex('a', 101) })).error!.message).toMatch(/the limit is 100$/);
    for (const name of ['a', 'b'])
      expect((await call(session, 'scene.add', { body: convex(name, 100) })).error).toBeUndefined();
    expect((await call(session, 'scene.add', { body: convex('c', 100) })).error!.message).toMatch(/more than 250/);
    const before = session.scene.current;
    let refused = '';
    for (let i = 0; i < 60 && refused === ''; i++) {
      const body = { name: `s${i}`, type: 'sphere', radius: 0.01, link: 'tool0', pose: { xyz: [0, 0, i] } };
      refused = (await call(session, 'scene.add', { body })).error?.message ?? '';
    }
    expect(refused).toMatch(/more than \d+ pairs of parts/);
    expect(session.scene.current).not.toBe(before);
    for (const params of [{ q: Array(100_000).fill(0) }, { q: free, links: [Array(60_000).fill('a').join('')] }])
      expect((await call(session, 'fk', params)).error!.code).toBe(-32001);
    const states = [...Array(5000).fill(free), [null], ...Array(5000).fill([null])];
    const { error } = await call(session, 'validate', { states });
    expect(error!.message).toMatch(/^params\.states\[5000\]\[0\]/);
    expect(error!.message.length).toBeLessThan(50_000);
  });
});

describe('transports', () => {
  test('pipelined requests get responses in order, one at a time, and a client that does not read is not read from', async () => {
    const own = serviceWith({ idle: 1 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const answers = await exchange(listening.address, get('/healthz').repeat(50) + get('/rpc'), (text) =>
      text.includes('HTTP/1.1 404'),
    );
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(50);
    expect(answers.indexOf('404')).toBeGreaterThan(answers.lastIndexOf('HTTP/1.1 200'));
    const socket = net.connect(Number(new URL(listening.address).port), '127.0.0.1').on('error', () => {});
    let sent = 0;
    for (let i = 0; i < 200; i++) if (socket.write(get('/openapi.json').repeat(1000))) sent++;
    const closed = new Promise((resolve) => socket.once('close', resolve)); // it reads nothing
    await sleep(100);
    expect(await (await fetch(`${listening.address}/healthz`)).text()).toMatch(/ok/);
    await closed;
    expect(sent).toBeLessThan(200);
    await listening.stop();
  });

  test('headers and bodies that do not end are cut off after --idle, and odd targets and hosts are refused', async () => {
    const own = serviceWith({ idle: 0.4 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const { address } = listening;
    const body =
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
    for (const bytes of ['GET / HTTP/1.1\r\nHost: loc', body]) {
      const began = performance.now();
      await exchange(address, bytes);
      expect(performance.now() - began).toBeLessThan(10_000);
    }
    await settled(() => own.takenMemory === 0);
    for (const [bytes, status] of [
      [get('http://localhost/rpc'), 400],
      [get('*', 'localhost', 'OPTIONS'), 400],
      [get('/healthz', 'localhost', 'HEAD'), 200],
      [get('/metrics', 'elsewhere.example'), 403],
      [get('/metrics', 'evil@localhost'), 403],
      [get('/..%2f..%2fetc/passwd'), 404],
      [get('/%00'), 404],
      [get(`/${'a'.repeat(100_000)}`), 431],
      ['GET /metrics HTTP/1.1\r\n\r\n', 400],
    ] as const)
      expect(await exchange(address, bytes, (text) => text.includes('\r\n')), bytes.slice(0, 60)).toMatch(
        new RegExp(`^HTTP/1.1 ${status} `),
      );
    await listening.stop();
  });

  test('pings hold no memory, and WebSockets that stop in mid-message or do not return a pong are closed', async () => {
    const own = serviceWith({ idle: 0.4, memory: 200_000, body: 100_000 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const upgrade = `${get('/rpc').trimEnd()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`;
    const ping = Buffer.concat([Buffer.of(0x89, 0x80 | 100, 0, 0, 0, 0), Buffer.alloc(100, 1)]);
    const flood = Buffer.concat([Buffer.from(upgrade), ...Array<Buffer>(10_000).fill(ping)]); // 1 MB through 0.1 MB
    const text = await exchange(listening.address, flood, (received) => received.length > 50_000);
    expect(text).toMatch(/^HTTP\/1.1 101/);
    expect(text.length).toBeGreaterThan(50_000); // pongs
    expect(own.metrics.text()).not.toMatch(/reason="size"/);
    const stuck = Buffer.concat([
      Buffer.from(upgrade),
      Buffer.of(0x81, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 1),
    ]);
    for (const bytes of [stuck, upgrade]) {
      const began = performance.now();
      await exchange(listening.address, bytes);
      expect(performance.now() - began).toBeLessThan(10_000);
    }
    await settled(() => own.takenMemory === 0 && openSessions(own) === 0);
    await listening.stop();
  });

  test('sessions that anybody opens do not lock out clients of the Unix socket', async () => {
    const own = serviceWith({ sessions: 3 });
    const path = join(temporaryFolder(), 'own.sock');
    const [onHttp, onSocket] = [
      await listenOnHttp(own, { host: '127.0.0.1', port: 0 }),
      await listenOnSocket(own, path),
    ];
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await fetch(`${onHttp.address}/sessions`, { method: 'POST' })).status);
    expect(statuses).toEqual([201, 201, 201, 503, 503]);
    const { socket, arrived } = await dial(path);
    socket.write(`${request({ q: free })}\n`);
    expect(await arrived(1)).toEqual([valid(true)]);
    expect(own.networkMemory.total).toBeLessThan(own.memory.total);
    socket.destroy();
    await onSocket.stop();
    await onHttp.stop();
  });

  test('view: bad encodings are 400, there is a policy, and pipelined requests of a client that does not read are bounded', async () => {
    let loads = 0;
    const server = new ViewServer({
      page: '<script type="module">1</script>',
      scene: async (name) => {
        loads++;
        return name === 'big' ? JSON.stringify('x'.repeat(1e6)) : undefined;
      },
    });
    const address = await server.listen(0);
    for (const [path, status] of [
      ['scenes/%.json', 400],
      ['scenes/%ff.json', 400],
      ['scenes/..%2f..%2fpackage.json', 404],
      ['scenes/%00.json', 404],
      ['nothing', 404],
      ['', 200],
    ] as const)
      expect((await fetch(`${address}${path}`)).status, path).toBe(status);
    const policy = (await fetch(address)).headers.get('content-security-policy')!;
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+'/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    const before = process.memoryUsage().rss;
    const greedy = net.connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
    greedy.write(get('/scenes/big.json').repeat(1000)); // a gigabyte
    await sleep(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(3e8);
    expect(loads).toBeLessThan(5);
    greedy.destroy();
    await server.close();
  });
});
