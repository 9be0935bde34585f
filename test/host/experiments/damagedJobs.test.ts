import { expect, test } from 'vitest';
import { failedByDamage } from '../../../src/host/experiments/queue/jobs.ts';
import { requireRun } from '../../../src/host/experiments/queue/queueWorker.ts';
import { jobIdOf, queueNames } from '../../../src/host/experiments/queue/redis.ts';

const id = '0123456789abcdef0123456789abcdef';
const run = { id, problem: { hash: id } };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'x'],
  ['null', null],
  ['no problem', { id }],
  ['null as the problem', { id, problem: null }],
  ['another id', { ...run, id: id.replace('0', '1') }],
  ['a path as the id', { ...run, id: '../../x' }],
])('a job that holds %s is damaged', (_, data) => {
  expect(() => requireRun(data, jobIdOf(id))).toThrow('its job in Redis is damaged');
});

test('a job with the data of its own run is accepted', () => {
  expect(() => requireRun(run, jobIdOf(id))).not.toThrow();
});

test('damaged data in Redis are no result of the runs, and the text of a damaged problem is removed', async () => {
  const removed: string[] = [];
  const redis = { del: async (key: string) => removed.push(key) } as never;
  const names = queueNames();
  expect(await failedByDamage(redis, names, 'its job in Redis is damaged')).toBe(true);
  expect(await failedByDamage(redis, names, `the problem ${id} in Redis is damaged`)).toBe(true);
  expect(await failedByDamage(redis, names, 'job stalled more than allowable limit')).toBe(false);
  expect(removed).toEqual([names.text(id)]);
});
