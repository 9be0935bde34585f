import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { medianEstimate, medianRank } from '../../../../src/host/experiments/search/orderStatistics.ts';

/** P(Bin(n, ½) < k) in integers of any size. */
function tail(n: number, k: number): number {
  let sum = 0n;
  let term = 1n;
  for (let i = 0; i < k; i++) {
    sum += term;
    term = (term * BigInt(n - i)) / BigInt(i + 1);
  }
  return Number((sum * 10n ** 15n) / 2n ** BigInt(n)) / 1e15;
}

describe('the rank of the interval of a median', () => {
  test('is the largest whose binomial tail is at most 0.025, for up to 300 numbers', () => {
    for (let n = 1; n <= 300; n++) {
      const k = medianRank(n);
      expect(tail(n, k), `n = ${n}`).toBeLessThanOrEqual(0.025);
      expect(tail(n, k + 1), `n = ${n}`).toBeGreaterThan(0.025);
    }
  });

  test('exists from 6 numbers on, and approaches n/2 - 0.98 √n for many', () => {
    expect([5, 6, 30].map(medianRank)).toEqual([0, 1, 10]);
    const n = 100_000;
    expect(Math.abs(medianRank(n) - (n / 2 - 0.98 * Math.sqrt(n)))).toBeLessThan(2);
  });
});

test('the interval covers the median in at least 95 % of samples, with a third of the runs unsolved', () => {
  const random = new Random(7);
  let covered = 0;
  const rounds = 4000;
  for (let round = 0; round < rounds; round++) {
    // A solved run has a uniform length below 2/3, so that the median of all is 1/2.
    const lengths = Array.from({ length: 30 }, () => random.next()).map((u) =>
      u < 2 / 3 ? u : Number.POSITIVE_INFINITY,
    );
    const { interval } = medianEstimate(Float64Array.from(lengths).sort());
    if (interval.lower <= 0.5 && 0.5 <= interval.upper) covered++;
  }
  expect(covered / rounds).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / rounds));
});

test('over problems of unequal difficulty the interval of the mixture covers its median, too', () => {
  const random = new Random(8);
  let covered = 0;
  const rounds = 4000;
  for (let round = 0; round < rounds; round++) {
    // Ten runs each of lengths in [0, 1], [0.25, 0.75] and [0.4, 0.6]: the median of the mixture is 1/2.
    const lengths = [1, 0.5, 0.2].flatMap((width) =>
      Array.from({ length: 10 }, () => 0.5 + width * (random.next() - 0.5)),
    );
    const { interval } = medianEstimate(Float64Array.from(lengths).sort());
    if (interval.lower <= 0.5 && 0.5 <= interval.upper) covered++;
  }
  expect(covered / rounds).toBeGreaterThan(0.95);
});

test('runs without a path count: the median is infinite once half of the runs have none', () => {
  const infinite = Number.POSITIVE_INFINITY;
  expect(medianEstimate([1, 2, infinite]).median).toBe(2);
  expect(medianEstimate([1, 2, infinite, infinite]).median).toBe(infinite);
  expect(medianEstimate([1, 2, 3, 4, 5, infinite]).interval).toEqual({ lower: 1, upper: infinite });
  expect(medianEstimate([]).median).toBeNaN();
});
