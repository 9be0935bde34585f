import { describe, expect, test } from 'vitest';
import { connectService, ServiceError } from '../../src/service/client.ts';
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
});
