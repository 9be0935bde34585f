import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOmplRuns } from '../../../../src/host/experiments/ompl/omplRuns.ts';
import { elbowroom, posts, temporaryFolder } from '../../cli/run.ts';

const log = 'test/fixtures/ompl/posts.log';
const summary = { problems: { h1: 'posts' } } as never;

test('runs of a log are records: only exact, correct solutions are solved', async () => {
  const [connect, star] = await readOmplRuns([log], summary);
  expect([connect.label, star.label]).toEqual(['OMPL RRTConnect', 'OMPL RRTstar']);
  expect(connect.records.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'solved'),
    'no-path', // approximate
    'no-path', // found incorrect by OMPL itself
    'no-path',
  ]);
  expect(connect.records[0]).toMatchObject({
    ...{ scene: 'posts', problem_hash: 'h1', seed: 1, time_limit: 1, nodes: 12, iterations: 6 },
    ...{ total_ms: 11, planning_ms: 10, shortcut_ms: 1, path_length: 2.5 },
    ...{ first_ms: 10, first_iterations: 6, first_length: 4, search_length: 4, improvements: [[6, 10, 4]] },
  });
  expect(connect.records[5]).toMatchObject({ reason: 'Approximate solution', improvements: null, path_length: null });
  expect(star.records[0].improvements).toEqual([
    [100, 100, 3.5],
    [400, 400, 2.75],
    [900, 1000, 2.5],
  ]);
  expect(star.records[0]).toMatchObject({ path_length: 2.25, search_length: 2.5 });
});

test('the same runs twice are refused, and an experiment of another name is a problem of its own', async () => {
  await expect(readOmplRuns([log, log], summary)).rejects.toThrow('runs of OMPL RRTConnect in posts already');
  const [connect] = await readOmplRuns([log], { problems: { h1: 'shelf' } } as never);
  expect(connect.records[0]).toMatchObject({ scene: 'posts', problem_hash: 'ompl posts' });
});

test('a report shows them beside the runs of an experiment', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'study.yaml');
  writeFileSync(file, `format: elbowroom-experiment/1\nscenes: ${posts}\nplanners: [rrt-connect]\nseeds: 8\n`);
  const results = join(folder, 'results');
  expect((await elbowroom(['experiment', file, '-o', results])).code).toBe(0);
  const { code, stderr } = await elbowroom(['experiment', 'report', results, '--ompl', log]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('8 of 8 runs');
  const page = readFileSync(join(results, 'report/index.html'), 'utf8');
  expect(page).toContain('OMPL RRTConnect');
  expect(page).toContain('10 runs are from logs of OMPL');
  const searches = page.slice(page.indexOf('<h2>Searches'));
  expect(searches).toContain('5 of 8');
  expect(searches).toContain('1 of 2');

  writeFileSync(join(folder, 'wrong.log'), readFileSync(log, 'utf8').replace('2 planners', '2 plans'));
  const refused = await elbowroom(['experiment', 'report', results, '--ompl', join(folder, 'wrong.log')]);
  expect(refused.stderr).toContain('wrong.log:21: "2 plans" is unknown here');
  expect(refused.code).toBe(2);
});

/** Writes a database with the tables of Planner Arena and the runs of the log, by the SQLite of Python. */
function writeDatabase(file: string): void {
  const script = `
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.executescript("""
CREATE TABLE experiments (id INTEGER PRIMARY KEY, name TEXT, timelimit REAL);
CREATE TABLE plannerConfigs (id INTEGER PRIMARY KEY, name TEXT, settings TEXT);
CREATE TABLE enums (name TEXT, value INTEGER, description TEXT);
CREATE TABLE runs (id INTEGER PRIMARY KEY, experimentid INTEGER, plannerid INTEGER, status ENUM, time REAL,
  solution_length REAL, simplified_solution_length REAL, iterations INTEGER);
CREATE TABLE progress (runid INTEGER, time REAL, best_cost REAL, iterations INTEGER);
INSERT INTO experiments VALUES (1, 'posts', 1);
INSERT INTO plannerConfigs VALUES (4, 'geometric_RRTstar', '');
INSERT INTO enums VALUES ('status', 4, 'Timeout'), ('status', 6, 'Exact solution');
INSERT INTO runs VALUES (10, 1, 4, 6, 1.0, 2.5, 2.25, 900), (11, 1, 4, 4, 1.0, NULL, NULL, 800);
INSERT INTO progress VALUES (10, 0.4, 2.75, 400), (10, 0.1, 3.5, 100);
""")
c.commit()
`;
  execFileSync('python3', ['-c', script, file]);
}

test('a database is read where Node has SQLite, and refused with the reason elsewhere', async () => {
  const file = join(temporaryFolder(), 'arena.db');
  writeDatabase(file);
  const hasSqlite = await import(/* @vite-ignore */ ['node', 'sqlite'].join(':')).then(
    () => true,
    () => false,
  );
  if (!hasSqlite) {
    await expect(readOmplRuns([file], summary)).rejects.toThrow('databases need node:sqlite, which Node v');
    return;
  }
  const [star] = await readOmplRuns([file], summary);
  const [, expected] = await readOmplRuns([log], summary);
  for (const [i, record] of star.records.entries()) {
    const { improvements, status, path_length, search_length } = expected.records[i];
    expect(record).toMatchObject({ improvements, status, path_length, search_length });
  }
});
