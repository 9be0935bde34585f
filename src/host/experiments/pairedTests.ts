/** Result of a test of paired differences. */
export interface PairedTest {
  /** Two-sided p-value: probability of a difference at least as large under the null hypothesis. */
  readonly p: number;
  /** Number of pairs that differ. */
  readonly pairs: number;
}

export interface SignedRankTest extends PairedTest {
  /**
   * Matched-pairs rank-biserial correlation [Kerby14]: the share of rank sums that favours positive differences less
   * the share that favours negative ones; from -1 (all are negative) over 0 (neither) to 1.
   */
  readonly effect: number;
}

/**
 * Maximum number of pairs for which the distribution of the rank sum is computed exactly; for more, the normal
 * approximation is accurate.
 */
const MAX_EXACT_PAIRS = 200;

/**
 * Computes Wilcoxon's signed-rank test [Wilcoxon45]; null hypothesis: paired differences are distributed symmetrically
 * about zero. Zero differences are excluded; ties get the mean of their ranks. The exact null distribution uses the
 * actual ranks, ties included: each sign is positive with probability 1/2, and the sums of all subsets of ranks are
 * counted [Hollander14 §3.1].
 */
export function signedRankTest(differences: readonly number[]): SignedRankTest {
  const { doubled, signs } = signedRanks(differences);
  const n = doubled.length;
  if (n === 0) return { p: 1, pairs: 0, effect: 0 };
  let positive = 0;
  let total = 0;
  for (let i = 0; i < n; i++) {
    total += doubled[i];
    if (signs[i] > 0) positive += doubled[i];
  }
  const lesser = Math.min(positive, total - positive);
  const p =
    n <= MAX_EXACT_PAIRS ? Math.min(1, 2 * exactTail(doubled, total, lesser)) : normalTail(doubled, total, lesser);
  return { p, pairs: n, effect: (2 * positive - total) / total };
}

/** Returns the doubled ranks of the nonzero magnitudes, which are integers even for ties, and the signs. */
function signedRanks(differences: readonly number[]): { doubled: number[]; signs: number[] } {
  const sorted = differences.filter((one) => one !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const doubled: number[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && Math.abs(sorted[to]) === Math.abs(sorted[from])) to++;
    for (let i = from; i < to; i++) doubled.push(from + 1 + to); // twice the mean of the ranks from + 1 … to
    from = to;
  }
  return { doubled, signs: sorted.map(Math.sign) };
}

/** Computes P(sum of the positive ranks <= limit) if every sign is positive with probability 1/2. */
function exactTail(ranks: readonly number[], total: number, limit: number): number {
  const probability = new Float64Array(total + 1);
  probability[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum--) {
      probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2;
    }
  }
  let tail = 0;
  for (let sum = 0; sum <= limit; sum++) tail += probability[sum];
  return tail;
}

/**
 * Computes the two-sided p-value by the normal approximation with continuity correction. The variance is that of the
 * actual ranks, so ties need no correction.
 */
function normalTail(ranks: readonly number[], total: number, lesser: number): number {
  const variance = ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4;
  const z = Math.max(0, total / 2 - lesser - 1) / Math.sqrt(variance); // doubled ranks: half a step is 1
  return Math.min(1, complementaryError(z / Math.SQRT2));
}

/**
 * Computes the exact sign test; null hypothesis: positive and negative differences are equally probable. For pairs of
 * binary outcomes it is the exact McNemar test [McNemar47].
 */
export function signTest(positive: number, negative: number): PairedTest {
  const n = positive + negative;
  let term = Math.exp(-n * Math.LN2);
  let tail = 0;
  if (term > 0) {
    for (let k = 0; k <= Math.min(positive, negative); k++) {
      tail += term;
      term *= (n - k) / (k + 1);
    }
    return { p: n === 0 ? 1 : Math.min(1, 2 * tail), pairs: n };
  }
  const z = Math.max(0, Math.abs(positive - negative) - 1) / Math.sqrt(n); // more than a thousand pairs
  return { p: complementaryError(z / Math.SQRT2), pairs: n };
}

/**
 * Adjusts the p-values of a family of tests by Holm's correction, which controls the family-wise error rate [Holm79].
 */
export function holmAdjusted(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => ps[a] - ps[b]);
  const adjusted = new Array<number>(ps.length);
  let greatest = 0;
  for (const [rank, i] of order.entries()) {
    greatest = Math.max(greatest, Math.min(1, (ps.length - rank) * ps[i]));
    adjusted[i] = greatest;
  }
  return adjusted;
}

/**
 * Computes erfc(x) for x >= 0 by a series near zero and a continued fraction beyond [AbramowitzStegun64, 7.1.5 and
 * 7.1.14]; 13 digits.
 */
export function complementaryError(x: number): number {
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = x;
  for (let k = 80; k >= 1; k--) fraction = x + k / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}
