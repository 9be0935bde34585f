import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Random } from '../../../src/core/math/random.ts';
import { encodeFrame } from '../../../src/host/client/clientFrame.ts';
import { connectWebSocket } from '../../../src/host/client/connectWebSocket.ts';
import type { ServiceProgress, ServiceWatchReport } from '../../../src/host/client/results.ts';
import { type Message, ServiceError } from '../../../src/host/client/transport.ts';
import { connectService, startService } from '../../../src/host/service/connectService.ts';
import { listenOnSocket } from '../../../src/host/service/socket.ts';
import { MessageReader } from '../../../src/host/service/transports/streamTransport.ts';
import { temporaryFolder } from '../cli/run.ts';
import { listening, openSessions, settled } from './listening.ts';
import { checker, drawn, free, hit, serviceWith } from './shelf.ts';

const { service, socketAddress, url } = await listening();

describe.each([
  ['the Unix socket', socketAddress],
  ['HTTP', url],
  ['WebSockets', url.replace('http', 'ws')],
])('the client over %s', (_, address) => {
  test('calls all methods, changes the scene of its session, and receives errors', async () => {
    const client = await connectService(address);
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
    await settled(() => openSessions(service) === 0);
  });

  test('adds point clouds, which replace each other', async () => {
    const client = await connectService(address);
    const { xyz } = (await client.fk(free, ['wrist_1_link']))['wrist_1_link'];
    const near = Array.from({ length: 40 }, (_, i) => [xyz[0], xyz[1], xyz[2] + 1e-3 * i]);
    const cloud = { name: 'scan', radius: 0.01 };
    const { obstacles } = await client.addCloud(cloud, near);
    expect(obstacles.at(-1)).toBe('scan');
    expect(await client.isValid(free)).toBe(false);
    const far = Float64Array.from(near.flat(), (x) => x + 3);
    await expect(client.addCloud(cloud, far)).rejects.toThrow(/scan/);
    await client.addCloud({ ...cloud, replace: true }, far);
    expect(await client.isValid(free)).toBe(true);
    await expect(client.addCloud(cloud, [[1, 2]])).rejects.toThrow(/^points\[0\]: it has 2 values/);
    await expect(client.addCloud(cloud, new Float64Array(3 * 70_000))).rejects.toThrow(/the limit is 65536/);
    await client.close();
    await settled(() => openSessions(service) === 0);
  });

  test('computes the same for many states as for single ones, from lists and from flat arrays', async () => {
    const client = await connectService(address);
    const states = [free, hit, free.map((x) => -x)];
    const flat = Float64Array.from(states.flat());
    const single = await Promise.all(states.map((q) => client.isValid(q)));
    expect(await client.areValid(states)).toEqual(single);
    expect(await client.areValid(flat)).toEqual(single);
    expect(await client.areValid([])).toEqual([]);
    const motions = states.map((q) => [free, q] as const);
    const valid = await Promise.all(motions.map(([from, to]) => client.isValidMotion(from, to)));
    expect(await client.areValidMotions(motions)).toEqual(valid);
    expect(await client.areValidMotions(Float64Array.from(motions.flat(2)))).toEqual(valid);
    const { distance, pairs, gradient, differentiable } = await client.clearances(flat, { gradient: true });
    for (const [i, q] of states.entries()) {
      const one = await client.clearance(q, { gradient: true });
      expect([distance[i], pairs[i], differentiable![i]]).toEqual([one.distance, one.pair, one.differentiable]);
      expect([...gradient!.subarray(6 * i, 6 * i + 6)]).toEqual(one.gradient);
    }
    const { links, poses } = await client.poses(states, ['tool0', 'forearm_link']);
    expect(links).toEqual(['forearm_link', 'tool0']);
    const { tool0 } = await client.fk(hit, ['tool0']);
    expect([...poses.subarray(21, 28)]).toEqual([...tool0.xyz, ...tool0.quat_wxyz]);
    await expect(client.areValid([free, [1]])).rejects.toThrow(/^states\[1\]: it has 1 values/);
    await expect(client.areValid(flat.subarray(1))).rejects.toThrow(/17 numbers are no multiple of 6/);
    const infinite = client.areValid([free, free.map(() => Number.POSITIVE_INFINITY)]);
    await expect(infinite).rejects.toMatchObject({ code: -32003, message: expect.stringContaining('states[1][0]') });
    await client.close();
  });

  test('sends requests in order, whatever the transport', async () => {
    const client = await connectService(address);
    const answers: Promise<boolean>[] = [];
    for (let i = 0; i < 8; i++) {
      answers.push(client.isValid(free));
      client.call('scene.move', { name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } }).catch(() => {});
      answers.push(client.isValid(free));
      client.call('scene.reset', {}).catch(() => {});
    }
    expect(await Promise.all(answers)).toEqual(answers.map((_, i) => i % 2 === 0));
    const stop = new AbortController();
    const first = client.plan({ planner: 'rrt-star', iterations: 1e9, time_limit: 25 }, { signal: stop.signal });
    const second = client.plan({ seed: 3 }, { signal: stop.signal }); // cancelled before its turn
    stop.abort();
    await expect(first).rejects.toMatchObject({ code: -32800 });
    await expect(second).rejects.toMatchObject({ code: -32800 });
    await client.close();
  });

  test('plans, checks, verifies, certifies again, and cancels', async () => {
    const client = await connectService(address);
    const { status, trajectory, certificate } = await client.plan({ seed: 2, certificate: true });
    expect(status).toBe('solved');
    expect(await client.check(trajectory!)).toMatchObject({ valid: true, faults: [] });
    expect(await client.verify(trajectory!, certificate!)).toMatchObject({ proved: true });
    expect(await client.recertify(trajectory!, certificate!)).toMatchObject({ status: 'proved' });
    const cancel = new AbortController();
    const reports: ServiceProgress[] = [];
    const options = { signal: cancel.signal, onProgress: (one: ServiceProgress) => reports.push(one) };
    const long = client.plan({ planner: 'rrt-star', iterations: 1e9, time_limit: 25 }, options);
    const next = client.isValid(free);
    if (address.startsWith('http:')) await new Promise((resolve) => setTimeout(resolve, 400));
    else await settled(() => reports.length > 0);
    cancel.abort();
    await expect(long).rejects.toMatchObject({ code: -32800 });
    expect(await next).toBe(true);
    if (!address.startsWith('http:')) expect(reports.at(-1)).toMatchObject({ phase: 'planning' });
    await client.close();
    await settled(() => service.onThreads === 0);
  });

  test('watches a motion while the scene changes', async () => {
    const client = await connectService(address);
    const { trajectory } = await client.plan();
    const reports: ServiceWatchReport[] = [];
    const watching = client.watch({ trajectory: { ...trajectory! } }, (report) => reports.push(report));
    if (address.startsWith('http:')) {
      await expect(watching).rejects.toThrow(/carries notifications/);
    } else {
      const { watch, certified_until } = await watching;
      expect(certified_until).toBeNull();
      await client.call('scene.move', { name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } });
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({ watch, pair: [expect.any(String), 'board_1'] });
      expect(await client.advanceWatch(watch, 0)).toMatchObject({ certified_until: reports[0].certified_until });
      await client.endWatch(watch);
      await client.call('scene.reset', {});
      expect(reports).toHaveLength(1);
    }
    await client.close();
  });
});

test('the client divides many states into messages within the limits of the service', async () => {
  const small = serviceWith({ states: 7 });
  const { address, stop } = await listenOnSocket(small, join(temporaryFolder(), 'small.sock'));
  const client = await connectService(address);
  const random = new Random(11);
  const states = Array.from({ length: 50 }, () => drawn(random));
  const expected = states.map((q) => checker.isValid(q));
  expect(new Set(expected).size).toBe(2);
  expect(await client.areValid(states)).toEqual(expected);
  const { pairs, distance } = await client.clearances(states);
  const one = await Promise.all(states.map((q) => client.clearance(q)));
  expect(pairs).toEqual(one.map(({ pair }) => pair));
  expect([...distance]).toEqual(one.map((found) => found.distance));
  await client.close();
  await stop();
});

test('messages arrive whole however their bytes are divided', () => {
  const frame = Buffer.from(encodeFrame({ jsonrpc: '2.0', id: 1, result: {} }, Float64Array.of(1, 10, Number.NaN)));
  const texts = ['{"a":"é\u0093\n"}'.replace('\n', ''), '', '{}'];
  const messages = [texts[0], frame, frame, texts[1], texts[2], frame];
  const parts = messages.map((one) => (typeof one === 'string' ? Buffer.from(`${one}\n`) : one));
  const bytes = Buffer.concat(parts);
  const random = new Random(4);
  for (let round = 0; round < 200; round++) {
    const found: Message[] = [];
    const reader = new MessageReader((message) => found.push(message));
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + random.below([1, 20, 90, bytes.length][round % 4]);
      reader.push(bytes.subarray(at, at + length));
      at += length;
    }
    expect(found).toEqual(messages);
  }
  const reader = new MessageReader(() => {});
  expect(() => reader.push(Buffer.alloc(16, 0x93))).toThrow(/neither a line nor a frame/);
});

test('a service of its own ends with the session, and reports why it cannot start', async () => {
  const client = await startService('scenes/shelf.yaml', { options: ['--jobs', '1'] });
  expect(await client.areValid([free, hit])).toEqual([true, false]);
  expect(await client.plan({ seed: 1 })).toMatchObject({ status: 'solved' });
  await client.close();
  await expect(client.isValid(free)).rejects.toThrow(/has ended \(exit code 0\)/);
  await expect(startService('scenes/shelves.yaml')).rejects.toThrow(/exit code 2\).*shelves\.yaml/s);
  await expect(startService('x.yaml', { command: ['/no/such/program'] })).rejects.toThrow(/cannot be started.*ENOENT/);
});

test('the client for browsers uses their WebSockets', async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  const client = await connectWebSocket(url.replace('http', 'ws'));
  expect(await client.areValid([free, hit])).toEqual([true, false]);
  await client.close();
  await expect(connectWebSocket('ws://127.0.0.1:9')).rejects.toThrow(/no service accepts the connection/);
  vi.stubGlobal('WebSocket', undefined); // as in Node 20
  await expect(connectWebSocket(url)).rejects.toThrow(/this runtime has no WebSocket/);
  vi.unstubAllGlobals();
});
