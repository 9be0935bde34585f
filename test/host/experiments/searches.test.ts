import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import { readRecords } from '../../../src/host/experiments/recordFile.ts';
import { elbowroom, posts, root, temporaryFolder } from '../cli/run.ts';

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

/** A loop that never ends, and waits most of the time so that other tests have the processor. */
const FOREVER = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);';
const mine = (body: string) =>
  writeFileSync(join(folder, 'mine.mjs'), `import { plan as inner } from './inner.mjs';\n${body}`);

test('planners of the user are settings like any other, and their ids follow their text', async () => {
  const example = join(root, 'examples/planners/restarts.mjs');
  write(
    `scenes: ${posts}\nplanners: [rrt-connect, {planner: ${example}, label: restarts, options: {stepSize: [0.3, 0.6]}}]\nseeds: 2\nlimits: {iterations: 200}`,
  );
  const { code, stderr } = await run('a');
  expect(code, stderr).toBe(0);
  const records = recordsIn('a');
  expect(records).toHaveLength(6);
  expect(records.filter(({ planner_hash }) => planner_hash !== null)).toHaveLength(4);
  expect(records.every(({ status }) => status === 'solved')).toBe(true);
  const { conditions } = JSON.parse(readFileSync(join(folder, 'a/experiment.json'), 'utf8'));
  expect(conditions.map(({ label }: { label: string }) => label)).toEqual([
    'rrt-connect',
    'restarts stepSize 0.3',
    'restarts stepSize 0.6',
  ]);
  expect((await run('a')).stderr).toContain('6 of them completed before');

  const inner = (bias: string) =>
    writeFileSync(
      join(folder, 'inner.mjs'),
      `export const plan = () => ({ status: 'budget-spent', path: [], iterations: ${bias}, nodes: 0 });\n`,
    );
  inner('1');
  mine('export default { iterations: 5, plan: () => inner() };');
  write(`scenes: ${posts}\nplanners: ./mine.mjs\nseeds: 2`);
  await run('b');
  inner('2'); // an imported module counts
  await run('b');
  expect(recordsIn('b').map(({ iterations }) => iterations)).toEqual([1, 1, 2, 2]);
});

test.each([
  ['throws', 'export default { iterations: 5, plan() { throw new Error("no idea"); } };', 'mine.mjs:2: Error: no idea'],
  [
    'returns a path that starts elsewhere',
    'export default { iterations: 5, plan: ({ goals: [q] }) => ({ status: "solved", path: [q, q], iterations: 1, nodes: 1 }) };',
    'a path that does not begin at the start',
  ],
  ['never returns', `export default { iterations: 5, plan() { ${FOREVER} } };`, 'it did not return within 5 s'],
])('a run whose planner %s is recorded as an error, and the others are made', async (_, body, reason) => {
  writeFileSync(join(folder, 'inner.mjs'), 'export const plan = 0;\n');
  mine(body);
  write(`scenes: ${posts}\nplanners: [./mine.mjs, rrt-connect]\nseeds: 2\nlimits: {time: 1}`);
  const { code } = await run('a', '--jobs', '1');
  expect(code).toBe(70);
  const records = recordsIn('a');
  expect(records.filter(({ planner }) => planner === 'rrt-connect').map(({ status }) => status)).toEqual([
    'solved',
    'solved',
  ]);
  const own = records.filter(({ planner }) => planner === './mine.mjs');
  expect(own).toHaveLength(2);
  for (const record of own) {
    expect(record).toMatchObject({ status: 'error', hash: null, improvements: null });
    expect(record.reason).toContain(reason);
  }
});

test('modules that are not usable are errors on their line, before the first run', async () => {
  writeFileSync(join(folder, 'wrong.mjs'), 'export default {};\n');
  writeFileSync(join(folder, 'hangs.mjs'), `${FOREVER}\n`);
  writeFileSync(
    join(folder, 'fine.mjs'),
    'export default { iterations: 1, options: { reach: { value: 1 } }, plan() {} };\n',
  );
  for (const [planners, message] of [
    ['./none.mjs', 'none.mjs: there is no such file'],
    ['./wrong.mjs', 'its planner has no function plan'],
    ['./hangs.mjs', 'hangs.mjs: it did not return within 5 s'],
    ['{planner: ./fine.mjs, options: {reech: 2}}', 'it has no option "reech"'],
    ['rrt-conect', 'rrt-connect'],
  ]) {
    write(`scenes: ${posts}\nplanners: ${planners}`);
    const { code, stderr } = await run('a');
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/study\.yaml:3/);
    expect(code).toBe(2);
  }
  write(`scenes: ${posts}\nplanners: ./fine.mjs`);
  expect((await run('a', '--queue', 'redis://127.0.0.1:1')).stderr).toContain('is a planner of your own');
});
