import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { listening, openSessions, request, settled, valid } from './listening.ts';
import { free, hit, serviceWith } from './shelf.ts';

const { service, folder, path, url } = await listening();
const { port } = new URL(url);
const endless = request({ planner: 'rrt-star', iterations: 1e9, time_limit: 29 }, 1, 'plan');
const plan = (id: number) => request({ iterations: 300, seed: 1 }, id, 'plan');

/** Connects, and sends bytes. */
async function connected(to: string | number, sent: string): Promise<net.Socket> {
  const socket = typeof to === 'string' ? net.connect(to) : net.connect(to, '127.0.0.1');
  await once(
    socket.on('error', () => {}),
    'connect',
  );
  socket.write(sent);
  return socket;
}

/** Sends bytes, closes the sending side, and returns what is received until the service closes its side. */
async function answered(to: string | number, sent: string): Promise<string> {
  const socket = await connected(to, sent);
  socket.end();
  let text = '';
  for await (const part of socket) text += part;
  return text;
}

const post = (body: string, version = '1.1') =>
  `POST /rpc HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

describe('a client that closes its sending side', () => {
  test('of a Unix socket gets the responses to all that it has requested, then the end', async () => {
    const many = Array.from({ length: 2800 }, (_, i) => request({ q: i % 2 ? hit : free }, i + 2));
    const text = await answered(path, [plan(1), ...many, plan(9999)].join('\n')); // more than is read ahead
    const lines = text.trimEnd().split('\n');
    const answers = lines.filter((line) => !line.includes('$/progress'));
    expect(answers.length).toBe(2802);
    expect(answers.slice(1, -1)).toEqual(many.map((_, i) => valid(i % 2 === 0, i + 2)));
    for (const [i, id] of [
      [0, 1],
      [-1, 9999],
    ])
      expect(JSON.parse(answers.at(i)!)).toMatchObject({ id, result: { status: expect.any(String) } });
    await settled(() => openSessions(service) === 0);
  });

  test('of HTTP does, too, after interim responses', async () => {
    const long = request({ planner: 'rrt-star', iterations: 1e9, time_limit: 0.6 }, 1, 'plan');
    const text = await answered(Number(port), post(long) + post(request({ q: free }, 2)) + post(plan(3)));
    expect(text).toMatch(/^HTTP\/1.1 102 Processing\r\n\r\n/);
    const finals = text.split(/HTTP\/1.1 200 OK\r\n/).slice(1);
    expect(finals.map((one) => JSON.parse(/\{.*\}/.exec(one)![0]))).toMatchObject([
      { id: 1, result: { status: expect.any(String) } },
      { id: 2, result: { valid: true } },
      { id: 3, result: { status: expect.any(String) } },
    ]);
  });

  test('of HTTP/1.0, which has no interim responses, cancels its request', async () => {
    expect(await answered(Number(port), post(endless, '1.0'))).toMatch(/200 OK(.|\s)*"code":-32800/);
  });
});

test('a client that disconnects at once, or after it has closed its sending side, frees the thread', async () => {
  await settled(() => service.onThreads === 0);
  const silent = endless.replace('"id":1,', ''); // a notification: no progress is sent
  for (const [to, sent] of [
    [path, `${endless}\n`],
    [path, `${silent}\n`],
    [Number(port), post(endless)],
  ] as const)
    for (const isHalfClosed of [false, true]) {
      const socket = await connected(to, sent);
      await settled(() => service.onThreads === 1);
      if (isHalfClosed) socket.end();
      await sleep(10);
      expect(service.onThreads).toBe(1);
      socket.destroy();
      await settled(() => service.onThreads === 0);
    }
  await settled(() => openSessions(service) === 0 && service.takenMemory === 0);
});

test('clients that close their sending side and never read are disconnected after --idle', async () => {
  // also those whose requests took longer than that
  const own = serviceWith({ idle: 0.3 });
  const to = join(folder, 'half.sock');
  const [onSocket, onHttp] = [await listenOnSocket(own, to), await listenOnHttp(own, { host: '127.0.0.1', port: 0 })];
  const long = request({ states: Array(1000).fill(free) }, 1, 'fk'); // a response of a few MB
  const short = request({ q: free }, 2);
  const sockets: net.Socket[] = [];
  for (const body of [long, short])
    for (let i = 0; i < 4; i++) {
      const isHttp = i % 2 === 1;
      const sent = isHttp ? post(body) + post(body) : `${body}\n${body}\n`;
      const socket = await connected(isHttp ? Number(new URL(onHttp.address).port) : to, sent);
      socket.pause().end();
      sockets.push(socket);
    }
  await settled(() => own.sessions.length === 0 && openSessions(own) === 0 && own.takenMemory === 0);
  for (const socket of sockets) socket.destroy();
  await onSocket.stop();
  await onHttp.stop();
  await own.close();
});
