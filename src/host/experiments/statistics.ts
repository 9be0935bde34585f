import type { Random } from '../../core/math/random.ts';

/** Confidence interval. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** Quantile of the normal distribution at 0.975, for two-sided 95 %. */
const Z_95 = 1.959963984540054;
const TAIL = 0.025;
/** Relative tolerance: smaller differences are rounding errors. */
const ROUNDING = 1e-12;

/**
 * Computes the quantile p of sorted numbers by linear interpolation [HyndmanFan96, definition 7]; NaN if there are
 * none.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  // Equal neighbours are returned exactly, even if infinite.
  return sorted[below] === sorted[above]
    ? sorted[below]
    : sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

export const median = (sorted: ArrayLike<number>): number => quantile(sorted, 0.5);

export const sortedCopy = (numbers: Iterable<number>): Float64Array => Float64Array.from(numbers).sort();

/** Computes the 95 % Wilson score interval of a proportion [Wilson27], which is valid at 0, at 1 and for few trials. */
export function shareInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { lower: 0, upper: 1 };
  const z2 = Z_95 * Z_95;
  const p = successes / trials;
  const centre = (p + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (Z_95 / (1 + z2 / trials)) * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials));
  // For 0 and for all successes one bound is exact; avoids its rounding error.
  return { lower: successes === 0 ? 0 : centre - half, upper: successes === trials ? 1 : centre + half };
}

/**
 * Computes the 95 % interval of the median by the percentile bootstrap [EfronTibshirani93 §13.3]. Resamples within each
 * stratum; if each stratum has a single number, so that resamples could not differ, over all strata. NaN if no interval
 * can be computed: for fewer than two numbers, and if all numbers are equal.
 */
export function medianInterval(strata: readonly (readonly number[])[], random: Random, resamples = 2000): Interval {
  const filled = strata.filter((stratum) => stratum.length > 0);
  const groups = filled.every((stratum) => stratum.length === 1) ? [filled.flat()] : filled;
  const all = sortedCopy(groups.flat());
  const [least, most] = [all[0], all[all.length - 1]];
  if (all.length < 2 || most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most)))
    return { lower: Number.NaN, upper: Number.NaN };
  const ranks = groups.map((group) => ranksIn(group, all));
  const counts = new Int32Array(all.length);
  const medians = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    counts.fill(0);
    for (const group of ranks) for (let k = 0; k < group.length; k++) counts[group[random.below(group.length)]]++;
    medians[i] = countedMedian(all, counts);
  }
  medians.sort();
  return { lower: quantile(medians, TAIL), upper: quantile(medians, 1 - TAIL) };
}

/** Returns the rank of each number of a group among all sorted numbers; equal numbers share a rank. */
function ranksIn(group: readonly number[], all: Float64Array): Int32Array {
  const first = new Map<number, number>();
  for (let i = all.length - 1; i >= 0; i--) first.set(all[i], i);
  return Int32Array.from(group, (value) => first.get(value)!);
}

/** Computes the median of the numbers with the given multiplicities. */
function countedMedian(all: Float64Array, counts: Int32Array): number {
  const lowerRank = Math.floor((all.length - 1) / 2);
  const upperRank = Math.floor(all.length / 2);
  let seen = 0;
  let i = 0;
  while (seen + counts[i] <= lowerRank) seen += counts[i++];
  const lower = all[i];
  while (seen + counts[i] <= upperRank) seen += counts[i++];
  return lower === all[i] ? lower : (lower + all[i]) / 2;
}
