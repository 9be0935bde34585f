import { RecentMap } from '../../../core/math/recentMap.ts';
import type { Interval } from '../statistics.ts';

/** Probability outside the interval on each side, at most. */
const TAIL = 0.025;

/** By n: the curves of a report have few. */
const ranks = new RecentMap<number, number>(64);

/**
 * Returns the largest k such that the k-th smallest and the k-th largest of n numbers enclose the median with 95 %
 * confidence [DavidNagaraja03 §7.1]: P(Bin(n, ½) < k) ≤ 0.025. 0 if there is none, for n < 6.
 */
export function medianRank(n: number): number {
  return ranks.use(n, () => computedRank(n));
}

function computedRank(n: number): number {
  let k = 0;
  let logTerm = -n * Math.LN2; // log of C(n, k) 2⁻ⁿ
  for (let below = Math.exp(logTerm); below <= TAIL && k < n / 2; below += Math.exp(logTerm)) {
    k++;
    logTerm += Math.log((n - k + 1) / k);
  }
  return k;
}

/** A median with its interval; the upper bound may be infinite, as may the median. */
export interface MedianEstimate {
  readonly median: number;
  /** NaN if there is no interval: for fewer than 6 numbers. */
  readonly interval: Interval;
}

/**
 * Returns the median of sorted numbers with the distribution-free 95 % interval of order statistics, which is valid for
 * numbers that are infinite (runs that are not solved). For numbers from several problems, with equally many runs each,
 * it is conservative: the count of runs below the median of the mixture then varies less than a binomial one
 * [Hoeffding56]. Of an even count, the median is infinite if the upper of the two middle numbers is. NaN, which is
 * sorted last, is a value that is not known: there is no median then.
 */
export function medianEstimate(sorted: ArrayLike<number>): MedianEstimate {
  const n = sorted.length;
  if (n === 0 || Number.isNaN(sorted[n - 1]))
    return { median: Number.NaN, interval: { lower: Number.NaN, upper: Number.NaN } };
  const k = medianRank(n);
  const [low, high] = [sorted[Math.floor((n - 1) / 2)], sorted[Math.floor(n / 2)]];
  return {
    median: low === high ? low : (low + high) / 2,
    interval: k === 0 ? { lower: Number.NaN, upper: Number.NaN } : { lower: sorted[k - 1], upper: sorted[n - k] },
  };
}
