import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectService } from '../../../src/host/service/connectService.ts';
import { listenOnHttp } from '../../../src/host/service/http.ts';
import { listening, openSessions, request, settled, valid } from './listening.ts';
import { free, hit, serviceWith } from './shelf.ts';

const { service, url } = await listening();

/** The body of a reply. */
interface Reply {
  readonly session: string;
  readonly result: { readonly valid: boolean | readonly boolean[] };
  readonly error: { readonly code: number; readonly message: string };
}
const bodyOf = async (reply: Response | Promise<Response>) => (await (await reply).json()) as Reply;

describe('HTTP', () => {
  const json = { 'content-type': 'application/json' };
  const post = (to: string, body?: string, headers: Record<string, string> = json) =>
    fetch(`${url}${to}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

  test('returns a response to a request, none to a notification, and refuses invalid messages', async () => {
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

  test('a body that is too large is refused by its stated length, and by its actual length', async () => {
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
    expect(service.takenMemory).toBe(0);
    expect((await post('/rpc', request({ q: free }))).status).toBe(200);
  });

  test('a session is not idle while it processes a request that takes longer than the limit', async () => {
    const own = serviceWith({ idle: 0.2 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const { session } = await bodyOf(fetch(`${listening.address}/sessions`, { method: 'POST' }));
    const endless = { planner: 'rrt-star', iterations: 1e9, time_limit: 1.2 };
    const send = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      return bodyOf(fetch(`${listening.address}/sessions/${session}/rpc`, { method: 'POST', headers, body }));
    };
    expect(await send(request(endless, 1, 'plan'))).toHaveProperty('result.status');
    await listening.stop();
    await own.close();
  });

  test('sessions are opened, used by their name alone, ended, and end by themselves when nobody uses them', async () => {
    const { session } = await bodyOf(post('/sessions'));
    const ask = async (text: string) => bodyOf(post(`/sessions/${session}/rpc`, text));
    await ask(request({ name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } }, 1, 'scene.move'));
    expect((await ask(request({ q: free }))).result).toEqual({ valid: false });
    expect(await (await post('/rpc', request({ q: free }))).text()).toBe(valid(true));
    expect((await fetch(`${url}/sessions/${session}`, { method: 'DELETE' })).status).toBe(204);
    expect((await post(`/sessions/${session}/rpc`, request({ q: free }))).status).toBe(404);
    const own = serviceWith({ idle: 0.2 });
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    await fetch(`${listening.address}/sessions`, { method: 'POST' });
    expect(openSessions(own)).toBe(1);
    await settled(() => openSessions(own) === 0);
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

  test('other hosts need a token, which is then required by everything except /healthz', async () => {
    await expect(listenOnHttp(service, { host: '0.0.0.0', port: 0 })).rejects.toThrow(/other machines could connect/);
    const listening = await listenOnHttp(service, { host: '127.0.0.1', port: 0, token: 'open sesame' });
    const status = async (to: string, token?: string) =>
      (await fetch(`${listening.address}${to}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })).status;
    expect(await status('/healthz')).toBe(200);
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', 'open sesame!')).toBe(401);
    expect(await status('/metrics', 'open sesame')).toBe(200);
    for (const [scheme, expected] of [
      ['bearer', 200],
      ['BEARER ', 200],
      ['Basic', 401],
    ] as const) {
      const headers = { authorization: `${scheme} open sesame` };
      expect((await fetch(`${listening.address}/metrics`, { headers })).status, scheme).toBe(expected);
    }
    await expect(connectService(listening.address)).rejects.toThrow(/401/);
    for (const address of [listening.address, listening.address.replace('http', 'ws')]) {
      const client = await connectService(address, { token: 'open sesame' });
      expect(await client.isValid(free)).toBe(true);
      await client.close();
    }
    await listening.stop();
  });

  test('metrics are valid Prometheus text and count requests', async () => {
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
    const session = serviceWith().openSession()!;
    const described = JSON.parse(await session.answer(request({}, 1, 'describe')));
    expect(titles).toEqual(described.result.methods);
  });

  test('stopping finishes the request under way', async () => {
    const own = serviceWith();
    const listening = await listenOnHttp(own, { host: '127.0.0.1', port: 0 });
    const socket = await connectService(listening.address.replace('http', 'ws'));
    const motions = Array(60_000).fill([free, free.map((x) => x + 0.3)]);
    const call = request({ motions }, 1, 'validate_motion');
    const answer = bodyOf(fetch(`${listening.address}/rpc`, { method: 'POST', headers: json, body: call }));
    await settled(() => own.sessions.length === 1);
    const framed = socket.areValidMotions(motions.slice(0, 2000));
    await settled(() => own.sessions.length === 2);
    await listening.stop();
    expect((await answer).result.valid).toHaveLength(60_000);
    expect(await framed).toHaveLength(2000);
    await expect(socket.isValid(free)).rejects.toThrow(/closed/);
  });
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

/**
 * Parses the Prometheus text format: help and type before the samples of a family; a sample is a name, labels and a
 * number.
 */
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
