import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../../src/formats/schemas/experimentFile.ts';
import { analyse } from '../../../src/host/experiments/analysis.ts';
import type { ExperimentSummary } from '../../../src/host/experiments/loadExperiment.ts';
import type { RunRecord } from '../../../src/host/experiments/record.ts';
import { differenceTable } from '../../../src/host/experiments/report/reportTables.ts';
import { elbowroom, temporaryFolder } from '../cli/run.ts';

const settings = (checker: string): RunSettings => ({
  planner: 'rrt-connect',
  plannerOptions: {},
  checker,
  edges: 'certified',
  step: 0.02,
  corners: 'blend',
  shortcut: true,
  timing: true,
  iterations: null,
  timeLimit: 10,
});

const summary: ExperimentSummary = {
  format: 'elbowroom-results/1',
  name: 'Checkers & <friends>',
  version: '1',
  conditions: ['gjk', 'epa', 'none'].map((label) => ({ label, settings: settings(label) })),
  metrics: ['total_ms', 'path_length'],
  problems: { h1: 'shelf', h2: 'suite#door' },
  runs: 60,
  machine: 'a machine',
};

/** A run of a checker; its time grows with the seed and is multiplied by `factor`. */
function record(checker: string, hash: string, seed: number, factor: number | null): RunRecord {
  const { planner, plannerOptions, edges, step, corners, shortcut, timing, iterations, timeLimit } = settings(checker);
  return {
    ...{ planner, checker, edges, step, corners, shortcut, timing },
    ...{ planner_options: plannerOptions, iteration_limit: iterations, time_limit: timeLimit },
    id: `${checker}-${hash}-${seed}`,
    version: '1',
    scene: hash === 'h1' ? 'shelf' : 'suite',
    problem: hash === 'h1' ? null : 'door',
    problem_hash: hash,
    seed,
    repetition: 1,
    status: factor === null ? 'no-path' : 'solved',
    cut_short: false,
    total_ms: (10 + seed) * (factor ?? 1),
    path_length: factor === null ? null : 3,
  } as RunRecord;
}

const records = ['h1', 'h2'].flatMap((hash) =>
  Array.from({ length: 10 }, (_, seed) => [
    record('gjk', hash, seed, 1),
    record('epa', hash, seed, 2),
    record('none', hash, seed, seed < 2 ? 0.5 : null),
  ]).flat(),
);

describe('the analysis', () => {
  const { conditions, comparisons, problems } = analyse(summary, records);
  const find = (b: string, metric: string) =>
    comparisons.find((one) => one.a === 'gjk' && one.b === b && one.metric === metric)!;

  test('counts what was solved, and takes medians of that alone', () => {
    expect(problems).toEqual(['shelf', 'suite#door']);
    expect(conditions.map(({ runs, solved }) => [runs, solved])).toEqual([
      [20, 20],
      [20, 20],
      [20, 4],
    ]);
    expect(conditions.map(({ metrics }) => metrics['total_ms'].median)).toEqual([14.5, 29, 5.25]);
    expect(conditions[2].metrics['total_ms'].count).toBe(4);
  });

  test('twice as much in every pair is a ratio of 2 that no sample spreads, effect 1, and p of all signs alike', () => {
    const twice = find('epa', 'total_ms');
    expect(twice.ratio).toBeCloseTo(2, 12);
    // no variance: no interval, and none is shown
    expect(twice.interval).toEqual({ lower: Number.NaN, upper: Number.NaN });
    expect(twice.test).toMatchObject({ pairs: 20, effect: 1 });
    expect(twice.test.p).toBeCloseTo(2 / 2 ** 20, 14);
    expect(twice.adjusted).toBeCloseTo((3 * 2) / 2 ** 20, 12); // the least of three tests
  });

  test('does not depend on the order in which runs ended', () => {
    expect(analyse(summary, [...records].reverse())).toEqual(analyse(summary, records));
  });

  test('equal results are not reported as different, and unsolved runs are counted separately', () => {
    expect(find('epa', 'path_length')).toMatchObject({ ratio: 1, adjusted: 1, test: { pairs: 0, effect: 0, p: 1 } });
    const unsolved = find('none', 'total_ms');
    expect(unsolved).toMatchObject({ pairs: 4, onlyA: 16, onlyB: 0 });
    expect(unsolved.successP).toBeCloseTo((3 * 2) / 2 ** 16, 12);
  });

  test('records of scenes and settings that the experiment names no longer are left out, and counted', () => {
    const stale = [record('gjk', 'h3', 1, 1), record('frank-wolfe', 'h1', 1, 1)];
    const analysis = analyse(summary, [...records, ...stale]);
    expect(analysis.others).toBe(2);
    expect(analysis.conditions[0].runs).toBe(20);
  });
});

test('the time of an anytime planner, which is its budget, is compared without a verdict', () => {
  const star = { ...settings('epa'), planner: 'rrt-star' };
  const conditions = summary.conditions.map((one) => (one.label === 'epa' ? { label: 'star', settings: star } : one));
  const runs = records.map((one) => (one.checker === 'epa' ? { ...one, planner: 'rrt-star' } : one));
  const analysis = analyse({ ...summary, conditions }, runs);
  const rows = differenceTable(analysis)
    .split('<tr')
    .filter((row) => row.includes('star <span'));
  expect(rows).toHaveLength(2); // total time, path length
  expect(rows[0]).toContain('class="even"');
  expect(rows[0]).toContain('none: an anytime planner uses its whole budget');
  expect(rows[1]).toContain('equal in every pair');
});

describe('experiment report', () => {
  const fill = (folder: string, some: readonly RunRecord[]) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'experiment.json'), JSON.stringify(summary));
    writeFileSync(join(folder, 'runs.jsonl'), some.map((one) => `${JSON.stringify(one)}\n`).join(''));
  };

  test('writes a page that loads nothing, and its pictures; the same records make the same bytes', async () => {
    const folder = temporaryFolder();
    fill(folder, records);
    const { code, stdout, stderr } = await elbowroom(['experiment', 'report', folder]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${join(folder, 'report/index.html')}\n`,
      stderr: 'Checkers & <friends>: 60 of 60 runs, 6 pictures\n',
    });
    const page = readFileSync(join(folder, 'report/index.html'), 'utf8');
    expect(page).toContain('<h1>Checkers &amp; &lt;friends&gt;</h1>');
    for (const word of ['gjk', 'epa', 'none', 'suite#door', '2 times as much, a large effect'])
      expect(page).toContain(word);
    expect(page.match(/<svg /g)).toHaveLength(6);
    // Nothing comes from elsewhere: the only addresses are the names of XML vocabularies.
    expect(page.replaceAll(/xmlns(:\w+)?="[^"]*"/g, '')).not.toMatch(/https?:|<script|<link|@import|url\((?!#)/);
    const pictures = readdirSync(join(folder, 'report')).filter((name) => name.endsWith('.svg'));
    expect(pictures).toHaveLength(6);
    for (const picture of pictures) {
      const svg = readFileSync(join(folder, 'report', picture), 'utf8');
      expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|undefined|var\(/);
    }
    await elbowroom(['experiment', 'report', folder]);
    expect(readFileSync(join(folder, 'report/index.html'), 'utf8')).toBe(page);
  });

  test('states if nothing was solved, and if runs are missing', async () => {
    const folder = temporaryFolder();
    fill(folder, [record('gjk', 'h1', 1, null)]);
    expect((await elbowroom(['experiment', 'report', folder])).code).toBe(0);
    const page = readFileSync(join(folder, 'report/index.html'), 'utf8');
    expect(page).toContain('59 runs are missing');
    expect(page).toContain('No run was solved: there is nothing to draw.');
  });

  test.each<[string, readonly string[], string]>([
    ['no folder', [], 'elbowroom: error: experiment report: DIR is missing\n'],
    ['a folder without results', [temporaryFolder()], ': there are no results in it\n'],
    [
      'an option of another command',
      ['x', '--jobs', '2'],
      'elbowroom: error: experiment report does not accept --jobs\n',
    ],
  ])('%s is refused', async (_, args, message) => {
    const { code, stdout, stderr } = await elbowroom(['experiment', 'report', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
