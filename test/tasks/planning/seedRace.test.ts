import { expect, test } from 'vitest';
import type { PlanMotionResult } from '../../../src/tasks/planning/planMotion.ts';
import { endOfRound, type RaceResult, selectWinner } from '../../../src/tasks/planning/seedRace.ts';

const result = (
  seed: number,
  iterations: number,
  length: number | null,
  more: Partial<PlanMotionResult> = {},
): RaceResult => {
  const status: PlanMotionResult['status'] = length === null ? 'no-path' : 'solved';
  const trajectory = length === null ? undefined : { jointNames: [], points: [], seed };
  const answer = {
    status,
    reason: 'why',
    cutShort: false,
    isCertificateCut: false,
    trajectory,
    certificate: undefined,
    ...more,
  };
  const stats = { seed, path_length: length } as PlanMotionResult['stats'];
  return { seed, iterations, result: { ...answer, stats } };
};

test('rounds end at 256 iterations and twice that, and so on', () => {
  expect([0, 1, 256, 257, 512, 513, 100_000].map(endOfRound)).toEqual([256, 256, 256, 512, 512, 1024, 131_072]);
});

test('an earlier round beats a shorter path, a shorter path a lower seed, and a lower seed an equal', () => {
  const seedOf = (...results: RaceResult[]) => selectWinner(results).stats.seed;
  expect(seedOf(result(1, 257, 1), result(2, 256, 9))).toBe(2);
  expect(seedOf(result(1, 10, 5), result(2, 250, 4), result(3, 2, 4.5))).toBe(2);
  expect(seedOf(result(1, 10, 5), result(2, 250, 4), result(3, 2, 4))).toBe(2);
  expect(seedOf(result(1, Number.POSITIVE_INFINITY, null), result(2, 5000, 4))).toBe(2);
});

test('a winner that a seed stopped by the clock might have beaten is marked as cut short', () => {
  const cut = (...results: RaceResult[]) => selectWinner(results).trajectory?.cutShort;
  expect(cut(result(1, 10, 5), result(2, Number.POSITIVE_INFINITY, null, { cutShort: true }))).toBe(true);
  expect(cut(result(1, 10, 5), result(2, Number.POSITIVE_INFINITY, null))).toBeUndefined();
});

test('an invalid start or goal is reported unchanged, since it is the same for every seed', () => {
  const fault = (seed: number) => result(seed, 0, null, { status: 'start-in-collision', reason: 'the start …' });
  expect(selectWinner([fault(1), fault(2)]).reason).toBe('the start …');
});
