import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readRecords } from '../../../src/host/experiments/recordFile.ts';
import { median, sortedCopy } from '../../../src/host/experiments/statistics.ts';
import { elbowroom, posts, root, temporaryFolder } from '../cli/run.ts';

let results: string;
beforeAll(async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'study.yaml');
  const planners = '[{planner: rrt, iterations: 4}, {planner: bit-star, options: {batchSize: 50}}]';
  writeFileSync(
    file,
    `format: elbowroom-experiment/1\nscenes: ${posts}\nplanners: ${planners}\nseeds: 7\nlimits: {iterations: 300}\n`,
  );
  results = join(folder, 'results');
  expect((await elbowroom(['experiment', file, '-o', results])).code).toBe(0);
});

const page = readFileSync(join(root, 'docs/results.md'), 'utf8');

test('the page describes every field of a record, and every column of the tables, with its type', async () => {
  const { records } = readRecords(results);
  const described = [...page.matchAll(/^\| `([a-z_]+)` \| (text|number|integer|boolean|JSON)/gm)].map(
    ([, name]) => name,
  );
  expect([...described].sort()).toEqual(
    [...Object.keys(records[0]), 'number', 'iterations', 'ms', 'length', 'id'].sort(),
  );
  const { code, stderr } = await elbowroom(['experiment', 'report', results, '--format', 'csv']);
  expect(code, stderr).toBe(0);
  const header = (name: string) => readFileSync(join(results, name), 'utf8').split('\r\n')[0].split(',');
  expect(header('improvements.csv')).toEqual(['id', 'number', 'iterations', 'ms', 'length']);
  expect(header('runs.csv').sort()).toEqual(Object.keys(records[0]).sort());
  const types = { string: 'text', number: ['number', 'integer'], boolean: 'boolean', object: 'JSON' } as const;
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const stated = page.match(new RegExp(`^\\| \`${name}\` \\| (\\w+)`, 'm'))![1];
      if (value !== null) expect([types[typeof value as keyof typeof types]].flat(), name).toContain(stated);
      if (stated === 'integer' && value !== null) expect(Number.isInteger(value), name).toBe(true);
    }
  }
});

const python = () =>
  execFileSync('python3', [join(root, 'examples/results.py'), results], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test('the Python example prints the medians of the report, runs without a path included', async () => {
  const { records } = readRecords(results);
  const printed = python();
  for (const [planner, line] of [
    ['rrt', /^rrt .*$/m],
    ['bit-star', /^bit-star batchSize=50 .*$/m],
  ] as const) {
    const runs = records.filter((record) => record.planner === planner);
    const solved = runs.filter(({ status }) => status === 'solved').length;
    const middle = (of: (run: (typeof runs)[0]) => number | null) =>
      median(sortedCopy(runs.map((run) => of(run) ?? Number.POSITIVE_INFINITY)));
    const expected = [
      middle(({ first_ms }) => first_ms),
      middle(({ first_length }) => first_length),
      middle(({ search_length }) => search_length),
      middle(({ path_length }) => path_length),
    ].map((value) => (value === Number.POSITIVE_INFINITY ? 'inf' : value.toFixed(3)));
    const cells = line
      .exec(printed)![0]
      .replace(/batchSize=50/, '')
      .trim()
      .split(/\s+/)
      .slice(1);
    expect(cells).toEqual([String(solved), 'of', '7', ...expected]);
  }
  expect(printed).toContain('with a path by');
});
