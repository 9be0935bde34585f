import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { loadScene } from '../../src/node/files.ts';
import { connectService, ServiceError } from '../../src/service/client.ts';
import { listenOnHttp } from '../../src/service/http.ts';
import { Service } from '../../src/service/service.ts';
import { type Listening, listenOnSocket } from '../../src/service/socket.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { temporaryFolder } from '../cli/run.ts';

const loaded = await loadScene('scenes/shelf.yaml');
const robot = createSceneRobot(loaded);
const createService = (limits = {}) => new Service({ robot, scene: loaded.scene, version: '0', limits });
const folder = temporaryFolder();
const free = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
const hit = [0, 0, 0, 0, 0, 0];
const request = (params: object, id = 1, method = 'validate') => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const valid = (is: boolean, id = 1) => `{"jsonrpc":"2.0","id":${id},"result":{"valid":${is}}}`;

const service = createService();
const path = join(folder, 'service.sock');
let onSocket: Listening;
let onHttp: Listening;
let url: string;
beforeAll(async () => {
  onSocket = await listenOnSocket(service, path);
  onHttp = await listenOnHttp(service, { host: '127.0.0.1', port: 0 });
  url = onHttp.address;
});
afterAll(async () => {
  await onSocket.stop();
  await onHttp.stop();
});

/** The body of a reply. */
interface Reply {
  readonly session: string;
  readonly result: { readonly valid: boolean | readonly boolean[] };
  readonly error: { readonly code: number; readonly message: string };
}
const bodyOf = async (reply: Response | Promise<Response>) => (await (await reply).json()) as Reply;

/** A socket, and the lines that come out of it. */
async function dial(to = path) {
  const socket = net.connect(to);
  await once(socket, 'connect');
  const lines: string[] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  socket.on('error', () => {});
  const arrived = async (count: number) => {
    while (lines.length < count) {
      if (socket.destroyed) throw new Error(`closed after ${lines.length} of ${count} answers`);
      await sleep(2);
    }
    return lines;
  };
  return { socket, lines, arrived };
}

const settled = async (isSo: () => boolean) => {
  for (let i = 0; i < 1000 && !isSo(); i++) await sleep(5);
  expect(isSo()).toBe(true);
};
const sessionsOf = (of: Service) => Number(/^elbowroom_sessions (\d+)$/m.exec(of.metrics.text())![1]);

describe.each([
  ['the Unix socket', () => onSocket.address],
  ['HTTP', () => url],
  ['WebSockets', () => url.replace('http', 'ws')],
])('the client over %s', (_, address) => {
  test('asks everything, changes the scene of its session, and is told what is wrong', async () => {
    const client = await connectService(address());
    expect(await client.isValid(free)).toBe(true);
    expect(await client.areValid([free, Float64Array.from(hit)])).toEqual([true, false]);
    expect(await client.judgeState(hit)).toMatchObject({ valid: false, limits: [] });
    expect(await client.isValidMotion(free, hit)).toBe(false);
    expect(
      await client.areValidMotions([
        [free, free],
        [free, hit],
      ]),
    ).toEqual([true, false]);
    const { verdict, contact } = await client.judgeMotion(free, hit);
    expect(verdict).toBe('collision');
    expect(contact!.time - contact!.free_until).toBeLessThan(1e-4);
    const { distance, gradient } = await client.clearance(free, { gradient: true });
    expect(distance).toBeGreaterThan(0);
    expect(gradient).toHaveLength(6);
    expect(Object.keys(await client.fk(free, ['tool0']))).toEqual(['tool0']);
    expect(await client.describe()).toMatchObject({ scene: 'shelf' });
    await client.call('scene.move', { name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } });
    const answers = await Promise.all([client.isValid(free), client.isValid(hit), client.isValid(free)]);
    expect(answers).toEqual([false, false, false]);
    const both = [
      { method: 'scene.reset', params: {} },
      { method: 'validate', params: { q: free } },
    ] as const;
    expect((await client.callAll(both))[1]).toEqual({ valid: true });
    const error = await client.isValid([1]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: -32602, note: expect.stringContaining('shoulder_pan_joint') });
    await client.close();
    await settled(() => sessionsOf(service) === 0);
  });
});

describe('lines on a socket', () => {
  test('come in any pieces, several at once or byte by byte, and are answered in order', async () => {
    const { socket, arrived } = await dial();
    const texts = [request({ q: free }, 1), request({ q: hit }, 2), '', '  ', 'nonsense ü', request({ q: free }, 3)];
    socket.write(`${texts.join('\n')}\r\n`);
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":"naïve €","method":"validate","params":{"q":[${hit}]}}\n`);
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    socket.end(request({ q: free }, 5)); // without an end of the line, and with no more to say
    const lines = await arrived(6);
    expect(lines[0]).toBe(valid(true, 1));
    expect(lines[1]).toBe(valid(false, 2));
    expect(lines[2]).toMatch(/"id":null,"error":\{"code":-32700/);
    expect(lines[3]).toBe(valid(true, 3));
    expect(JSON.parse(lines[4])).toEqual({ jsonrpc: '2.0', id: 'naïve €', result: { valid: false } });
    expect(lines[5]).toBe(valid(true, 5));
    await settled(() => socket.closed);
  });

  test('a client that dies in the middle of a message, or before its answer, leaves nothing behind', async () => {
    const { socket } = await dial();
    socket.write(`{"jsonrpc":"2.0","id":1,"method":"validate","params":{"states":[${'['.repeat(100_000)}`);
    await settled(() => service.memory.taken >= 100_000);
    socket.destroy();
    await settled(() => service.memory.taken === 0);
    const other = await dial();
    const motions = Array(500).fill([free, hit]);
    other.socket.write(`${request({ motions, details: true }, 1, 'validate_motion')}\n`);
    await settled(() => service.memory.taken > 0);
    other.socket.destroy();
    await settled(() => service.memory.taken === 0 && sessionsOf(service) === 0);
  });

  test('a message that is too long is refused once and skipped, however long; the next is answered, and others meanwhile', async () => {
    const own = createService({ body: 10_000 });
    const listening = await listenOnSocket(own, join(folder, 'small.sock'));
    const [big, other] = [await dial(join(folder, 'small.sock')), await dial(join(folder, 'small.sock'))];
    let most = 0;
    for (let i = 0; i < 200; i++) {
      if (!big.socket.write('1'.repeat(65_536))) await once(big.socket, 'drain');
      most = Math.max(most, own.memory.taken);
      if (i % 20 === 0) {
        other.socket.write(`${request({ q: free }, i)}\n`);
        expect((await other.arrived(i / 20 + 1)).at(-1)).toBe(valid(true, i));
      }
    }
    big.socket.write(`\n${request({ q: free }, 9)}\n${' '.repeat(20_000)}\n${request({ q: hit }, 10)}\n`);
    const lines = await big.arrived(4);
    expect(most).toBeLessThanOrEqual(10_000);
    expect(lines.map((line) => JSON.parse(line).error?.code ?? line)).toEqual([
      -32001,
      valid(true, 9),
      -32001,
      valid(false, 10),
    ]);
    for (const { socket } of [big, other]) socket.destroy();
    await listening.stop();
  });

  test('a client that does not read is not read from: what waits for it stays bounded, and others are served', async () => {
    const own = createService({ memory: 8_000_000 });
    const listening = await listenOnSocket(own, join(folder, 'slow.sock'));
    const slow = net.connect(join(folder, 'slow.sock')).on('error', () => {});
    await once(slow, 'connect');
    slow.pause();
    const question = `${request({ states: Array(300).fill(free) }, 1, 'fk')}\n`; // 17 kB in, 450 kB out
    let sent = 0;
    const feed = () => {
      while (sent < 2000 && slow.write(question)) sent++;
    };
    slow.on('drain', feed);
    feed();
    const other = await dial(join(folder, 'slow.sock'));
    for (let i = 1; i <= 50; i++) {
      other.socket.write(`${request({ q: free }, i)}\n`);
      expect((await other.arrived(i)).at(-1)).toBe(valid(true, i));
      expect(own.memory.taken).toBeLessThanOrEqual(2_000_000);
      await sleep(5);
    }
    expect(sent).toBeLessThan(200); // the rest waits with the client
    slow.destroy();
    other.socket.destroy();
    await settled(() => own.memory.taken === 0);
    await listening.stop();
  });

  test('where there is no room for the answers of slow readers they must go, and whoever stands still is let go', async () => {
    const own = createService({ memory: 200_000, idle: 0.2 });
    const to = join(folder, 'idle.sock');
    const listening = await listenOnSocket(own, to);
    const slow = net.connect(to).on('error', () => {});
    slow.pause();
    slow.write(`${request({ states: Array(2000).fill(free) }, 1, 'fk')}\n`);
    await settled(() => /refused_total\{reason="slow"\} 1/.test(own.metrics.text()));
    const half = await dial(to);
    half.socket.write('{"jsonrpc":');
    const quiet = await dial(to);
    await once(half.socket, 'close'); // in the middle of a message
    await sleep(300);
    quiet.socket.write(`${request({ q: free })}\n`); // between two messages one may stay as long as one likes
    expect(await quiet.arrived(1)).toEqual([valid(true)]);
    quiet.socket.destroy();
    slow.destroy();
    await listening.stop();
  });

  test('stopping finishes what is under way and nothing after it, and removes the socket', async () => {
    const own = createService();
    const to = join(folder, 'stop.sock');
    const listening = await listenOnSocket(own, to);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const [busy, idle] = [await dial(to), await dial(to)];
    const motions = Array(2000).fill([free, free.map((x) => x + 0.3)]);
    busy.socket.write(`${request({ motions }, 1, 'validate_motion')}\n${request({ q: free }, 2)}\n`);
    await settled(() => own.turns.length === 1);
    const ends = Promise.all([busy, idle].map(({ socket }) => once(socket, 'close')));
    await listening.stop();
    await ends;
    expect(busy.lines.map((line) => JSON.parse(line).result.valid.length)).toEqual([2000]);
    expect(existsSync(to)).toBe(false);
  });

  test('a socket that is served, or a file that is none, is left alone; one left behind is taken over', async () => {
    await expect(listenOnSocket(service, path)).rejects.toThrow(/another service listens/);
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    await expect(listenOnSocket(service, file)).rejects.toThrow(/there is a file of that name/);
    await expect(listenOnSocket(service, join(folder, 'no/such/folder'))).rejects.toThrow(/cannot be listened on/);
  });
});

describe('HTTP', () => {
  const json = { 'content-type': 'application/json' };
  const post = (to: string, body?: string, headers: Record<string, string> = json) =>
    fetch(`${url}${to}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

  test('answers a message, says nothing to a notification, and refuses what it cannot take', async () => {
    const answer = await post('/rpc', request({ q: free }));
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      valid(true),
    ]);
    expect((await post('/rpc', '{"jsonrpc":"2.0","method":"describe"}')).status).toBe(204);
    expect((await post('/rpc', request({ q: free }), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await bodyOf(post('/rpc', 'nonsense'))).error.code).toBe(-32700);
    expect((await bodyOf(post('/rpc', request({}, 1, 'scene.reset')))).error.message).toMatch(/needs a session/);
    for (const [method, to] of [
      ['GET', '/rpc'],
      ['POST', '/nothing'],
      ['DELETE', '/sessions/none'],
      ['POST', '/sessions/none/rpc'],
    ])
      expect((await fetch(`${url}${to}`, { method, headers: json })).status, to).toBe(404);
  });

  test('a body that is too large is refused by what it says, and by what it is', async () => {
    const claimed = await dialHttp(
      `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{`,
    );
    expect(claimed).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":-32001/);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const streamed = await dialHttp(
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      Array(400).fill(chunk),
    );
    expect(streamed).toMatch(/^HTTP\/1.1 413 /);
    expect(service.memory.taken).toBe(0);
    expect((await post('/rpc', request({ q: free }))).status).toBe(200);
  });

  test('sessions are opened, used by their name alone, ended, and end by themselves when nobody uses them', async () => {
    const { session } = await bodyOf(post('/sessions'));
    const ask = async (text: string) => bodyOf(post(`/sessions/${session}/rpc`, text));
    await ask(request({ name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } }, 1, 'scene.move'));
    expect((await ask(request({ q: free }))).result).toEqual({ valid: false });
    expect(await (await post('/rpc', request({ q: free }))).text()).toBe(valid(true));
    expect((await fetch(`${url}/sessions/${session}`, { method: 'DELETE' })).status).toBe(204);
    expect((await post(`/sessions/${session}/rpc`, request({ q: free }))).status).toBe(404);
    const own = createService({ idle: 0.2 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    await fetch(`${listening.address}/sessions`, { method: 'POST' });
    expect(sessionsOf(own)).toBe(1);
    await settled(() => sessionsOf(own) === 0);
    await listening.stop();
  });

  test('pages of other sites are not served, nor names that were made to point here', async () => {
    const page = await post('/rpc', request({ q: free }), { ...json, origin: 'https://elsewhere.example' });
    expect(page.status).toBe(403);
    expect((await post('/rpc', request({ q: free }), { ...json, origin: 'http://localhost:3000' })).status).toBe(200);
    expect(await dialHttp('GET /metrics HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 403 /,
    );
    const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`, { origin: 'https://elsewhere.example' });
    const [error] = await once(socket, 'error');
    expect(String(error)).toMatch(/403/);
  });

  test('other machines only with a token, and with one everything but /healthz asks for it', async () => {
    await expect(listenOnHttp(service, { host: '0.0.0.0', port: 0 })).rejects.toThrow(/other machines could ask/);
    const listening = await listenOnHttp(service, { host: '127.0.0.1', port: 0, token: 'open sesame' });
    const status = async (to: string, token?: string) =>
      (await fetch(`${listening.address}${to}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })).status;
    expect(await status('/healthz')).toBe(200);
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', 'open sesame!')).toBe(401);
    expect(await status('/metrics', 'open sesame')).toBe(200);
    await expect(connectService(listening.address)).rejects.toThrow(/401/);
    for (const address of [listening.address, listening.address.replace('http', 'ws')]) {
      const client = await connectService(address, { token: 'open sesame' });
      expect(await client.isValid(free)).toBe(true);
      await client.close();
    }
    await listening.stop();
  });

  test('metrics are what Prometheus reads, and count what was asked', async () => {
    const before = metricsOf(await (await fetch(`${url}/metrics`)).text());
    await post('/rpc', request({ states: [free, hit, free] }));
    await post('/rpc', request({ q: [1] }));
    const after = metricsOf(await (await fetch(`${url}/metrics`)).text());
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('elbowroom_requests_total{method="validate",outcome="ok"}')).toBe(1);
    expect(grown('elbowroom_requests_total{method="validate",outcome="error"}')).toBe(1);
    expect(grown('elbowroom_judged_total{method="validate"}')).toBe(3);
    expect(grown('elbowroom_message_seconds_count')).toBe(2);
    expect(after.get('elbowroom_message_seconds_bucket{le="+Inf"}')).toBe(after.get('elbowroom_message_seconds_count'));
    expect(after.get('elbowroom_resident_bytes')).toBeGreaterThan(1e7);
  });

  test('the OpenAPI document names every method, and all that it refers to is there', async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string;
      components: { schemas: Record<string, object> & { request: { oneOf: { title: string }[] } } };
    };
    expect(document.openapi).toBe('3.1.0');
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(document.components.schemas).toHaveProperty([name]);
    const titles = document.components.schemas.request.oneOf.map(({ title }) => title);
    const session = createService().openSession()!;
    const described = JSON.parse(await session.answer(request({}, 1, 'describe')));
    expect(titles).toEqual(described.result.methods);
  });

  test('stopping finishes the request under way', async () => {
    const own = createService();
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const socket = await connectService(listening.address.replace('http', 'ws'));
    const motions = Array(60_000).fill([free, free.map((x) => x + 0.3)]);
    const call = request({ motions }, 1, 'validate_motion');
    const answer = bodyOf(fetch(`${listening.address}/rpc`, { method: 'POST', headers: json, body: call }));
    await settled(() => own.turns.length === 1);
    const framed = socket.areValidMotions(motions.slice(0, 2000));
    await settled(() => own.turns.length === 2);
    await listening.stop();
    expect((await answer).result.valid).toHaveLength(60_000);
    expect(await framed).toHaveLength(2000);
    await expect(socket.isValid(free)).rejects.toThrow(/closed/);
  });
});

describe('WebSockets', () => {
  test('a frame that is too large closes its own connection only', async () => {
    const [big, other] = await Promise.all([dialWs(), dialWs()]);
    big.send(' '.repeat(service.limits.body + 1));
    const [code] = await once(big, 'close');
    expect(code).toBe(1009);
    const answer = once(other, 'message');
    other.send(request({ q: free }));
    expect(String((await answer)[0])).toBe(valid(true));
    other.send(Buffer.from('binary'));
    expect((await once(other, 'close'))[0]).toBe(1003);
    await settled(() => service.memory.taken === 0 && sessionsOf(service) === 0);
  });

  test('one that dies in the middle of a frame leaves nothing behind', async () => {
    const socket = await dialWs();
    const raw = (socket as unknown as { _socket: net.Socket })._socket;
    raw.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4])); // the head of a text frame of 1 MiB
    raw.write(Buffer.alloc(300_000));
    await settled(() => service.memory.taken >= 300_000);
    raw.resetAndDestroy();
    await settled(() => service.memory.taken === 0 && sessionsOf(service) === 0);
  });

  async function dialWs(): Promise<WebSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`);
    await once(socket, 'open');
    return socket.on('error', () => {});
  }
});

/** Bytes over a socket of its own, and all that comes back. */
async function dialHttp(head: string, more: readonly string[] = []): Promise<string> {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1').on('error', () => {});
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.write(head);
  for (const part of more) {
    if (socket.destroyed || text !== '') break;
    socket.write(part);
    await sleep(1);
  }
  if (!socket.closed) await Promise.race([once(socket, 'close'), sleep(3000)]);
  socket.destroy();
  return text;
}

/** A reader of the Prometheus text format: help and type before the samples of a family, every sample a name, labels and a number. */
function metricsOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  let family = '';
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    const [, word, name, rest] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') family = name;
    if (word === 'TYPE') expect([name, /^(counter|gauge|histogram)$/.test(rest)]).toEqual([family, true]);
    if (word) continue;
    const sample = /^([a-z_]+)((?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) ([-+.\deE]+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    expect(sample![1].startsWith(family)).toBe(true);
    expect(samples.has(sample![1] + sample![2])).toBe(false);
    samples.set(sample![1] + sample![2], Number(sample![3]));
  }
  return samples;
}
