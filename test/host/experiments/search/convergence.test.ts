import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import type { RunRecord } from '../../../../src/host/experiments/record.ts';
import { analyseSearches } from '../../../../src/host/experiments/search/convergence.ts';
import { searchGroupsOf } from '../../../../src/host/experiments/search/searchRuns.ts';
import type { SearchStep } from '../../../../src/host/node/experimentTask.ts';

const record = (problem: string, seed: number, steps: readonly SearchStep[] | null, more: Partial<RunRecord> = {}) =>
  ({
    scene: problem,
    problem: null,
    problem_hash: problem,
    seed,
    repetition: 1,
    status: steps === null ? 'no-path' : 'solved',
    constraints: null,
    improvements: steps,
    search_length: steps?.at(-1)?.[2] ?? null,
    path_length: steps === null ? null : 0.9 * steps.at(-1)![2],
    ...more,
  }) as RunRecord;

/** Random searches: one in four has no path. */
function randomRecords(seed: number): RunRecord[] {
  const random = new Random(seed);
  return ['easy', 'hard'].flatMap((problem) =>
    Array.from({ length: 20 }, (_, run) => {
      if (random.next() < 0.25) return record(problem, run, null);
      let [ms, length] = [0, 10];
      const steps = Array.from({ length: 1 + random.below(8) }, (_, i): SearchStep => {
        ms += random.between(0.1, 50);
        length *= random.between(0.6, 0.99);
        return [10 * (i + 1), ms, length];
      });
      return record(problem, run, steps);
    }),
  );
}

describe('curves of searches', () => {
  test('are those of a direct computation, runs without a path in the denominator', () => {
    const records = randomRecords(3);
    const found = analyseSearches(searchGroupsOf([{ label: 'a', records }]))!;
    for (const { problem, settings } of found.byProblem) {
      const runs = records.filter(({ scene }) => scene === problem);
      const points = [settings[0].iterationCurve, settings[0].curve].flatMap((curve, axis) =>
        curve.map((point) => ({ ...point, axis: axis as 0 | 1 })),
      );
      expect(points).toHaveLength(180);
      for (const { at, axis, solved, success, length } of points) {
        const best = runs
          .map(({ improvements }) => (improvements ?? []).filter((step) => step[axis] <= at).at(-1)?.[2] ?? Infinity)
          .sort((a, b) => (a === b ? 0 : a - b));
        expect(solved).toBe(best.filter((one) => one < Infinity).length);
        expect(success.upper).toBeLessThanOrEqual(1);
        expect(length.median).toBe(best[9] === best[10] ? best[9] : (best[9] + best[10]) / 2);
        expect(length.interval).toEqual({ lower: best[5], upper: best[14] }); // 6th and 15th of 20
      }
      expect(settings[0].runs).toBe(20);
      expect(settings[0].solved).toBe(runs.filter(({ status }) => status === 'solved').length);
      expect(settings[0].curve.at(-1)!.solved).toBe(settings[0].solved);
    }
  });

  test('over all problems are of lengths divided by the shortest path of any setting', () => {
    const records = [record('p', 1, [[1, 1, 4]]), record('q', 1, [[1, 2, 30]])];
    const others = [record('p', 1, [[1, 3, 2]], { path_length: 2 }), record('q', 1, null)];
    const groups = searchGroupsOf([
      { label: 'a', records },
      { label: 'b', records: others },
    ]);
    const [a, b] = analyseSearches(groups)!.all.settings;
    expect(a.searchLength.median).toBeCloseTo((4 / 2 + 30 / 27) / 2, 12); // 27: the simplified path of q
    expect(b.searchLength.median).toBe(Number.POSITIVE_INFINITY);
    expect({ runs: b.runs, solved: b.solved }).toEqual({ runs: 2, solved: 1 });
  });

  test('of settings with other path constraints are not divided by one another', () => {
    const free = [record('p', 1, [[1, 1, 2]], { path_length: 2 })];
    const tight = [record('p', 1, [[1, 1, 8]], { path_length: 8, constraints: { upright: { within: 0.1 } } as never })];
    const groups = searchGroupsOf([
      { label: 'free', records: free },
      { label: 'tight', records: tight },
    ]);
    expect(analyseSearches(groups)!.all.settings.map(({ searchLength }) => searchLength.median)).toEqual([1, 1]);
  });

  test('leave out problems of which a search was not recorded, and repetitions', () => {
    const records = [
      record('p', 1, [[1, 1, 2]]),
      record('p', 1, [[1, 9, 2]], { repetition: 2 }),
      record('program', 1, null, { status: 'solved' }),
      record('program', 2, null),
    ];
    const { all } = analyseSearches(searchGroupsOf([{ label: 'a', records }]))!;
    expect(all.settings[0]).toMatchObject({ runs: 1, solved: 1, firstMs: { median: 1 } });
  });

  test('do not exist if no search was recorded', () => {
    const records = [record('p', 1, null), record('program', 1, null, { status: 'solved' })];
    expect(analyseSearches(searchGroupsOf([{ label: 'a', records }]))).toBeUndefined();
  });
});
