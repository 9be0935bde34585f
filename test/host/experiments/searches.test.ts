import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import { readRecords } from '../../../src/host/experiments/recordFile.ts';
import { elbowroom, posts, temporaryFolder } from '../cli/run.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'study.yaml');
});

const write = (text: string) => writeFileSync(file, `format: elbowroom-experiment/1\n${text}`);
const run = (name: string, ...more: string[]) => elbowroom(['experiment', file, '-o', join(folder, name), ...more]);
const recordsIn = (name: string) => readRecords(join(folder, name)).records;

/** What equal seeds determine: everything but times. */
const courses = (records: readonly RunRecord[]) =>
  records
    .map(({ id, hash, first_iterations, first_length, search_length, improvements }) => ({
      ...{ id, hash, first_iterations, first_length, search_length },
      improvements: improvements?.map(([iterations, , length]) => [iterations, length]),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

test('records hold the course of each search, the same for equal seeds on any number of threads', async () => {
  write(`scenes: ${posts}\nplanners: [rrt-connect, rrt-star, bit-star]\nseeds: 8\nlimits: {iterations: 400}`);
  expect((await run('one', '--jobs', '1')).code).toBe(0);
  expect((await run('two', '--jobs', '2', '--format', 'csv')).code).toBe(0);
  const records = recordsIn('one');
  expect(courses(records)).toEqual(courses(recordsIn('two')));
  for (const { planner, status, improvements, ...record } of records) {
    expect(status).toBe('solved');
    const steps = improvements!;
    expect(steps[0]).toEqual([record.first_iterations, record.first_ms, record.first_length]);
    expect(steps.at(-1)![2]).toBeCloseTo(record.search_length!, 9);
    expect(record.search_ms!).toBeGreaterThanOrEqual(steps.at(-1)![1]);
    expect(record.path_length!).toBeLessThanOrEqual(record.search_length! + 1e-9);
    if (planner === 'rrt-connect') expect(steps).toHaveLength(1);
    for (let i = 1; i < steps.length; i++) {
      expect(steps[i][0]).toBeGreaterThanOrEqual(steps[i - 1][0]);
      expect(steps[i][1]).toBeGreaterThanOrEqual(steps[i - 1][1]);
      expect(steps[i][2]).toBeLessThan(steps[i - 1][2]);
    }
  }
  expect(records.some(({ improvements }) => improvements!.length > 2)).toBe(true);

  const steps = records.reduce((sum, { improvements }) => sum + improvements!.length, 0);
  const csv = readFileSync(join(folder, 'two/improvements.csv'), 'utf8').trimEnd().split('\r\n');
  expect(csv[0]).toBe('id,number,iterations,ms,length');
  expect(csv).toHaveLength(1 + steps);
});

test('a run without a path has no improvements', async () => {
  write(`scenes: ${posts}\nplanners: [{planner: rrt, iterations: 3}]\nseeds: 6`);
  expect((await run('a')).code).toBe(0);
  const unsolved = recordsIn('a').filter(({ status }) => status !== 'solved');
  expect(unsolved.length).toBeGreaterThan(0);
  for (const record of unsolved)
    expect(record).toMatchObject({ first_ms: null, search_length: null, improvements: null, first_iterations: null });
});
