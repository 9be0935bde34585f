import { describe, expect, test } from 'vitest';
import { connectService } from '../../src/service/client.ts';
import type { ServiceProgress, ServiceWatchReport } from '../../src/service/clients/results.ts';
import { ServiceError } from '../../src/service/clients/transports.ts';
import { listening, sessionsOf, settled } from './listening.ts';
import { free, hit } from './shelf.ts';

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
    await settled(() => sessionsOf(service) === 0);
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
    await new Promise((resolve) => setTimeout(resolve, 400));
    cancel.abort();
    await expect(long).rejects.toMatchObject({ code: -32800 });
    expect(await next).toBe(true);
    if (!address.startsWith('http:')) expect(reports.at(-1)).toMatchObject({ phase: 'planning' });
    await client.close();
    await settled(() => service.threads.length === 0);
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
