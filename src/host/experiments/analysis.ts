import { Random } from '../../core/math/random.ts';
import { planners } from '../../core/planning/index.ts';
import type { PlannerDefinition } from '../../core/planning/planner.ts';
import { ownValue } from '../../errors.ts';
import type { Condition } from '../../formats/schemas/experimentFile.ts';
import type { ExperimentSummary } from './loadExperiment.ts';
import { defaultMetrics, type MetricName, metrics } from './metricTable.ts';
import { holmAdjusted, type SignedRankTest, signedRankTest, signTest } from './pairedTests.ts';
import { nameOf } from './problems.ts';
import { type RunRecord, settingsOf } from './record.ts';
import { type Interval, median, medianInterval, quantile, shareInterval, sortedCopy } from './statistics.ts';

/** Statistics of the records of an experiment, as shown in the report. */
export interface Analysis {
  readonly metrics: readonly MetricName[];
  readonly problems: readonly string[];
  readonly conditions: readonly ConditionResult[];
  readonly comparisons: readonly Comparison[];
  /** Number of records whose settings or problems are no longer in the experiment. */
  readonly others: number;
}

/** All runs with the same settings (condition). */
export interface ConditionResult {
  readonly label: string;
  /** The planner is anytime: it searches until its budget is spent, however soon it finds a path. */
  readonly isAnytime: boolean;
  readonly runs: number;
  readonly solved: number;
  readonly success: Interval;
  readonly cutShort: number;
  readonly failed: number;
  readonly metrics: Readonly<Record<string, MetricResult>>;
  /** One sample for each problem and seed: medians over its repetitions. */
  readonly samples: readonly Sample[];
}

/** One problem with one seed. */
export interface Sample {
  readonly problem: string;
  readonly seed: number;
  readonly solved: boolean;
  /** Values by metric; NaN if there is no value. */
  readonly values: Readonly<Record<string, number>>;
}

/** Statistics of one metric over the solved runs. */
export interface MetricResult {
  readonly count: number;
  readonly median: number;
  readonly interval: Interval;
  readonly quartiles: readonly [number, number];
  /** Quantiles at 0.05 and 0.95. */
  readonly p5: number;
  readonly p95: number;
}

/** Comparison of two conditions on the same problems and seeds. */
export interface Comparison {
  readonly a: string;
  readonly b: string;
  readonly metric: MetricName;
  /** The metric measures the budget of an anytime planner, in one or both of the conditions. */
  readonly isBudget: boolean;
  /** Number of pairs that both conditions solved. */
  readonly pairs: number;
  /** Median of b / a. */
  readonly ratio: number;
  readonly interval: Interval;
  /**
   * Signed-rank test of the logarithms of the ratios; `adjusted`: its p with Holm's correction over all comparisons of
   * the metric.
   */
  readonly test: SignedRankTest;
  readonly adjusted: number;
  /** Numbers of pairs that only one of the two conditions solved, and the p-value of this difference. */
  readonly onlyA: number;
  readonly onlyB: number;
  readonly successP: number;
}

/** Maximum number of conditions of which all pairs are compared; with more, each is compared with the first. */
const MOST_FOR_ALL_PAIRS = 4;

/** Seed of the bootstrap: equal records give equal reports. */
const BOOTSTRAP_SEED = 20;

/** Computes counts, medians, intervals and tests of the records of an experiment. */
export function analyse(summary: ExperimentSummary, records: readonly RunRecord[]): Analysis {
  const names = (summary.metrics ?? defaultMetrics).filter((name): name is MetricName => Object.hasOwn(metrics, name));
  const byCondition = new Map(summary.conditions.map(({ settings }) => [keyOf(settings), [] as RunRecord[]]));
  let others = 0;
  for (const record of records) {
    const group = byCondition.get(keyOf(settingsOf(record)));
    if (group && Object.hasOwn(summary.problems, record.problem_hash)) group.push(record);
    else others++;
  }
  const conditions = summary.conditions.map((condition) =>
    resultOf(condition, byCondition.get(keyOf(condition.settings))!, names),
  );
  return {
    metrics: names,
    problems: [...new Set(conditions.flatMap(({ samples }) => samples.map(({ problem }) => problem)))].sort(),
    conditions,
    comparisons: names.flatMap((name) => comparisonsOf(conditions, name)),
    others,
  };
}

const keyOf = (settings: Condition['settings']) => JSON.stringify(settings);

function resultOf(
  { label, settings }: Condition,
  records: readonly RunRecord[],
  names: readonly MetricName[],
): ConditionResult {
  const solved = records.filter(({ status }) => status === 'solved');
  const samples = samplesOf(records, names);
  return {
    label,
    isAnytime: ownValue<PlannerDefinition>(planners, settings.planner)?.improves === true,
    runs: records.length,
    solved: solved.length,
    success: shareInterval(solved.length, records.length),
    cutShort: records.filter((record) => record.cut_short).length,
    failed: records.filter(({ status }) => status === 'error').length,
    metrics: Object.fromEntries(names.map((name) => [name, metricOf(samples, name)])),
    samples,
  };
}

function metricOf(samples: readonly Sample[], name: MetricName): MetricResult {
  const strata = new Map<string, number[]>();
  for (const { problem, values } of samples) {
    if (Number.isNaN(values[name])) continue;
    const stratum = strata.get(problem);
    if (stratum) stratum.push(values[name]);
    else strata.set(problem, [values[name]]);
  }
  const all = sortedCopy([...strata.values()].flat());
  return {
    count: all.length,
    median: median(all),
    interval: medianInterval([...strata.values()], new Random(BOOTSTRAP_SEED)),
    quartiles: [quantile(all, 0.25), quantile(all, 0.75)],
    p5: quantile(all, 0.05),
    p95: quantile(all, 0.95),
  };
}

/**
 * Combines the repetitions of each run into one sample: solved if more than half of them were, with the medians of the
 * solved ones. Sorts the samples, because the order of records is the order in which runs ended.
 */
function samplesOf(records: readonly RunRecord[], names: readonly MetricName[]): Sample[] {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    const key = `${record.problem_hash} ${record.seed}`;
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  const samples = [...groups.values()].map((group): Sample => {
    const solved = group.filter(({ status }) => status === 'solved');
    const isSolved = 2 * solved.length > group.length;
    const middleOf = (name: MetricName) =>
      median(sortedCopy(solved.map((record) => record[name]).filter((value) => typeof value === 'number')));
    return {
      problem: nameOf(group[0]),
      seed: group[0].seed,
      solved: isSolved,
      values: Object.fromEntries(names.map((name) => [name, isSolved ? middleOf(name) : Number.NaN])),
    };
  });
  return samples.sort((a, b) => (a.problem === b.problem ? a.seed - b.seed : a.problem < b.problem ? -1 : 1));
}

function comparisonsOf(conditions: readonly ConditionResult[], metric: MetricName): Comparison[] {
  const pairs = conditions.flatMap((a, i) =>
    i === 0 || conditions.length <= MOST_FOR_ALL_PAIRS
      ? conditions.slice(i + 1).map((b) => comparisonOf(a, b, metric))
      : [],
  );
  const adjusted = holmAdjusted(pairs.map(({ test }) => test.p));
  const successes = holmAdjusted(pairs.map(({ successP }) => successP));
  return pairs.map((pair, i) => ({ ...pair, adjusted: adjusted[i], successP: successes[i] }));
}

function comparisonOf(a: ConditionResult, b: ConditionResult, metric: MetricName): Comparison {
  const strata = new Map<string, number[]>();
  let onlyA = 0;
  let onlyB = 0;
  for (const [one, other] of pairsOf(a, b)) {
    if (one.solved && !other.solved) onlyA++;
    if (!one.solved && other.solved) onlyB++;
    // Differences of logarithms: factors of 2 and 1/2 have equal weight. Two zeros count as equal.
    const from = one.values[metric];
    const to = other.values[metric];
    const difference = from === to ? 0 : Math.log(to / from);
    if (!Number.isFinite(difference)) continue;
    const stratum = strata.get(one.problem);
    if (stratum) stratum.push(difference);
    else strata.set(one.problem, [difference]);
  }
  const differences = [...strata.values()].flat();
  const { lower, upper } = medianInterval([...strata.values()], new Random(BOOTSTRAP_SEED));
  const test = signedRankTest(differences);
  return {
    a: a.label,
    b: b.label,
    metric,
    isBudget: metrics[metric].search && (a.isAnytime || b.isAnytime),
    pairs: differences.length,
    ratio: Math.exp(median(sortedCopy(differences))),
    interval: { lower: Math.exp(lower), upper: Math.exp(upper) },
    test,
    adjusted: test.p,
    onlyA,
    onlyB,
    successP: signTest(onlyA, onlyB).p,
  };
}

/** Pairs the samples of the same problem and seed. */
export function pairsOf(a: ConditionResult, b: ConditionResult): [Sample, Sample][] {
  const others = new Map(b.samples.map((sample) => [`${sample.problem}\n${sample.seed}`, sample]));
  return a.samples.flatMap((sample): [Sample, Sample][] => {
    const other = others.get(`${sample.problem}\n${sample.seed}`);
    return other ? [[sample, other]] : [];
  });
}
