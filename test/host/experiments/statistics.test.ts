import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import {
  complementaryError,
  holmAdjusted,
  signedRankTest,
  signTest,
} from '../../../src/host/experiments/pairedTests.ts';
import {
  median,
  medianInterval,
  quantile,
  shareInterval,
  sortedCopy,
} from '../../../src/host/experiments/statistics.ts';

describe('quantiles', () => {
  test('of equally spaced numbers are on the line through them', () => {
    const numbers = sortedCopy([4, 0, 3, 1, 2]);
    for (const p of [0, 0.1, 0.25, 0.5, 0.95, 1]) expect(quantile(numbers, p)).toBeCloseTo(4 * p, 12);
    expect(median(sortedCopy([1, 2]))).toBe(1.5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('the interval of a share', () => {
  test('solves the equation that it comes from: the bounds are where the score test is at 1.96', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        const successes = Math.round(share * trials);
        const { lower, upper } = shareInterval(successes, trials);
        for (const bound of [lower, upper]) {
          // (p̂ − p)² = z² p (1 − p) / n
          const difference =
            (successes / trials - bound) ** 2 - (1.959963984540054 ** 2 * bound * (1 - bound)) / trials;
          expect(Math.abs(difference)).toBeLessThan(1e-12);
        }
        expect(lower).toBeLessThanOrEqual(successes / trials);
        expect(upper).toBeGreaterThanOrEqual(successes / trials);
      }),
    );
  });
});

describe('the bootstrap interval of a median', () => {
  test('is the same for the same seed, holds the median, and is omitted where there is no spread', () => {
    const random = new Random(5);
    const numbers = Array.from({ length: 60 }, () => random.next());
    const interval = medianInterval([numbers], new Random(1));
    expect(medianInterval([numbers], new Random(1))).toEqual(interval);
    const middle = median(sortedCopy(numbers));
    expect(interval.lower).toBeLessThan(middle);
    expect(interval.upper).toBeGreaterThan(middle);
    expect(medianInterval([[3, 3, 3]], new Random(1))).toEqual({ lower: Number.NaN, upper: Number.NaN });
  });

  test('covers the true median about 19 times in 20', () => {
    const random = new Random(11);
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const sample = Array.from({ length: 41 }, () => random.next() ** 3); // median 1/8
      const { lower, upper } = medianInterval([sample], random, 400);
      if (lower <= 0.125 && 0.125 <= upper) covered++;
    }
    expect(covered).toBeGreaterThan(0.91 * 400);
    expect(covered).toBeLessThan(0.985 * 400);
  });

  test('draws within strata: what differs between them alone leaves no spread, and single numbers are one stratum', () => {
    const strata = [
      [1, 1, 1, 1],
      [9, 9, 9, 9, 9],
    ];
    expect(medianInterval(strata, new Random(1))).toEqual({ lower: 9, upper: 9 });
    const { lower, upper } = medianInterval([[1], [2], [3], [4], [5]], new Random(1));
    expect([lower, upper]).toEqual([1, 5]);
  });
});

describe('the signed-rank test', () => {
  test('of n differences on one side has p = 2 / 2ⁿ and effect 1', () => {
    for (let n = 1; n <= 60; n++) {
      const differences = Array.from({ length: n }, (_, i) => i + 1);
      const { p, effect, pairs } = signedRankTest(differences);
      expect(p).toBeCloseTo(Math.min(1, 2 ** (1 - n)), 14);
      expect({ effect, pairs }).toEqual({ effect: 1, pairs: n });
      expect(signedRankTest(differences.map((one) => -one)).effect).toBe(-1);
    }
  });

  test('counts what brute force over all signs counts, ties included', () => {
    const small = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(small, (differences) => {
        expect(signedRankTest(differences).p).toBeCloseTo(byEnumeration(differences), 12);
      }),
    );
  });

  test('goes over into the normal distribution without a step', () => {
    const random = new Random(3);
    for (const shift of [0, 0.02, 0.05]) {
      const differences = Array.from({ length: 200 }, () => random.next() - 0.5 + shift);
      const exact = signedRankTest(differences).p;
      const near = signedRankTest([...differences, 1e-9]).p; // one more pair, of the least rank
      expect(Math.abs(Math.log(exact / near))).toBeLessThan(0.05);
    }
  });

  test('pairs that do not differ are ignored', () => {
    expect(signedRankTest([0, 0])).toEqual({ p: 1, pairs: 0, effect: 0 });
    expect(signedRankTest([0, 3, 0, -1])).toEqual(signedRankTest([3, -1]));
  });
});

describe('the sign test', () => {
  test('is twice the tail of the binomial distribution', () => {
    expect(signTest(0, 5)).toEqual({ p: 2 / 32, pairs: 5 });
    expect(signTest(1, 5).p).toBeCloseTo((2 * (1 + 6)) / 64, 14);
    expect(signTest(3, 3).p).toBe(1);
    expect(signTest(0, 0)).toEqual({ p: 1, pairs: 0 });
  });

  test('of thousands of pairs equals the normal approximation, to 1e-3 for a thousand', () => {
    const z = (540 - 460 - 1) / Math.sqrt(1000);
    expect(signTest(540, 460).p).toBeCloseTo(complementaryError(z / Math.SQRT2), 3);
    expect(signTest(2600, 2400).p).toBeCloseTo(complementaryError(199 / Math.sqrt(5000) / Math.SQRT2), 12);
  });
});

test('Holm’s correction multiplies by the number of tests that are left, and never turns the order around', () => {
  expect(holmAdjusted([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  expect(holmAdjusted([0.5, 0.9])).toEqual([1, 1]);
  expect(holmAdjusted([])).toEqual([]);
});

test('the complementary error function agrees with tabulated values and with itself where its two forms meet', () => {
  for (const [x, value] of [
    [0, 1],
    [0.5, 0.4795001221869535],
    [1, 0.15729920705028513],
    [2, 0.004677734981047266],
    [4, 1.541725790028002e-8],
  ]) {
    expect(complementaryError(x) / value).toBeCloseTo(1, 12);
  }
  expect(complementaryError(2.5 - 1e-12) / complementaryError(2.5 + 1e-12)).toBeCloseTo(1, 9);
});

/** P(|W − mean| >= what was seen) over all signs of the ranks as they are. */
function byEnumeration(differences: readonly number[]): number {
  const magnitudes = differences.filter((one) => one !== 0).map(Math.abs);
  const rank = (value: number) =>
    magnitudes.filter((one) => one < value).length + (magnitudes.filter((one) => one === value).length + 1) / 2;
  const ranks = magnitudes.map(rank);
  const total = ranks.reduce((sum, one) => sum + one, 0);
  const seen = differences.filter((one) => one > 0).reduce((sum, one) => sum + rank(one), 0);
  let extreme = 0;
  for (let signs = 0; signs < 2 ** ranks.length; signs++) {
    const sum = ranks.reduce((so, one, i) => so + ((signs >> i) & 1 ? one : 0), 0);
    if (Math.abs(sum - total / 2) >= Math.abs(seen - total / 2) - 1e-9) extreme++;
  }
  return extreme / 2 ** ranks.length;
}
