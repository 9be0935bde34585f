import { expect, test } from 'vitest';
import { failedByDamage } from '../../../src/host/experiments/queue/jobs.ts';
import { requireBatch } from '../../../src/host/experiments/queue/queueWorker.ts';
import { jobIdOf, queueNames } from '../../../src/host/experiments/queue/redis.ts';

const id = '0123456789abcdef0123456789abcdef';
const batch = { id, size: 2, runs: [{ id: 'r', problem: { hash: id } }] };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'x'],
  ['no runs', { ...batch, runs: [] }],
  ['a run without a problem', { ...batch, runs: [{ id: 'r' }] }],
  ['null as a run', { ...batch, runs: [null] }],
  ['no size', { id, runs: batch.runs }],
  ['another id', { ...batch, id: id.replace('0', '1') }],
  ['a path as the id', { ...batch, id: '../../x' }],
])('a job that holds %s is damaged', (_, data) => {
  expect(() => requireBatch(data, jobIdOf(id))).toThrow('its job in Redis is damaged');
});

test('a job with its own batch is whole', () => {
  expect(() => requireBatch(batch, jobIdOf(id))).not.toThrow();
});

test('damaged data in Redis are no result of the runs, and the text of a damaged problem is removed', async () => {
  const removed: string[] = [];
  const redis = { del: async (key: string) => removed.push(key) } as never;
  const names = queueNames({ parts: true });
  expect(await failedByDamage(redis, names, 'its job in Redis is damaged')).toBe(true);
  expect(await failedByDamage(redis, names, `the problem ${id} in Redis is damaged`)).toBe(true);
  expect(await failedByDamage(redis, names, 'job stalled more than allowable limit')).toBe(false);
  expect(removed).toEqual([names.text(id)]);
});
