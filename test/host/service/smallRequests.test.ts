import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { type Answering, call, checker, drawn, free, open, serviceWith } from './shelf.ts';

const service = serviceWith();
afterAll(() => service.close());
const random = new Random(48);
const request = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const near = () => ({ xyz: [0.3, 0, 0.4].map((x) => x + random.between(-0.5, 0.5)) });

/** A random change of a scene in which these balls may be. */
function change(): string {
  const name = `ball ${random.below(4)}`;
  const add = { body: { name, type: 'sphere', radius: random.between(0.02, 0.2), pose: near() }, replace: true };
  const changes = [
    () => request('scene.add', add),
    () => request('scene.add', add),
    () => request('scene.move', { name, pose: near() }),
    () => request('scene.attach', { name, link: 'tool0', q: free }),
    () => request('scene.detach', { name, q: free }),
    () => request('scene.remove', { name }),
    () => request('scene.reset', {}),
  ];
  return changes[random.below(changes.length)]();
}

/** A random request that is small. */
function query(): string {
  const [from, to] = [drawn(random), drawn(random)];
  const queries = [
    () => request('validate', { q: from }),
    () => request('validate', { states: [from, to, free] }),
    () => request('validate_motion', { from, to: from.map((x, i) => x + 0.1 * (to[i] - x)) }),
    () => request('clearance', { q: from }),
    () => request('fk', { q: from }),
    () => request('validate', { q: from.slice(random.below(2)) }), // of five joints: an error
  ];
  return queries[random.below(queries.length)]();
}

test('small requests get the responses of the session, in each of its scenes, on the main thread', async () => {
  const [session, mirror] = [service.openSession()!, open()];
  const seen = { valid: 0, invalid: 0, atOnce: 0, errors: 0 };
  for (let step = 0; step < 150; step++) {
    const changed = change();
    expect(await session.answer(changed)).toBe(await mirror.answer(changed));
    for (let k = 0; k < 4; k++) {
      const text = query();
      const answer = session.answer(text);
      if (typeof answer === 'string') seen.atOnce++;
      expect(await answer, text).toBe(await mirror.answer(text));
      if (/"valid":true/.test(String(await answer))) seen.valid++;
      if (/"valid":false/.test(String(await answer))) seen.invalid++;
      if (/"error"/.test(String(await answer))) seen.errors++;
    }
  }
  expect(Math.min(seen.valid, seen.invalid, seen.errors)).toBeGreaterThan(20);
  expect(seen.atOnce).toBeGreaterThan(400);
  session.close();
});

test('requests after one that waits, or in a scene with large objects, wait for the thread of the sessions', async () => {
  const session = service.openSession()!;
  const text = request('validate', { q: free });
  const waiting = session.answer(request('scene.add', { body: { name: 'ball', type: 'sphere', radius: 9 } }));
  const after = session.answer(text);
  expect([typeof waiting, typeof after]).toEqual(['object', 'object']);
  expect(await after).toMatch(/"valid":false/);
  expect(session.answer(text)).toMatch(/"valid":false/); // at once
  const points = Array.from({ length: 600 }, (_, i) => [3 + Math.cos(i), Math.sin(i), i / 600]);
  await session.answer(request('scene.add', { body: { name: 'hull', type: 'convex', points } }));
  expect(typeof session.answer(text)).toBe('object');
  await session.answer(request('scene.reset', {}));
  expect(session.answer(text)).toMatch(/"valid":true/);
  session.close();
});

test('start_tolerance accepts values that are out of limits by at most that, on both threads', async () => {
  const out = free.map((value, i) => (i === 5 ? checker.upper[5] + 0.005 : value));
  const answers = async (session: Answering, params: object) =>
    [
      (await call(session, 'validate', { q: out, ...params })).result,
      (await call(session, 'validate', { states: [free, out], ...params })).result,
      (await call(session, 'validate_motion', { from: out, to: free, ...params })).result,
    ].map((result) => result?.valid);
  for (const session of [service.openSession()!, open()]) {
    expect(await answers(session, {})).toEqual([false, [true, false], false]);
    expect(await answers(session, { start_tolerance: 0.004 })).toEqual([false, [true, false], false]);
    expect(await answers(session, { start_tolerance: 0.01 })).toEqual([true, [true, true], true]);
  }
});
