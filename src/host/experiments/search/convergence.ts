import { type Interval, shareInterval, sortedCopy } from '../statistics.ts';
import { type MedianEstimate, medianEstimate } from './orderStatistics.ts';
import type { SearchGroup, SearchRun } from './searchRuns.ts';

/** Number of points of a curve. */
const GRID = 90;
/** Places of iterations and time in a step of a search. */
const ITERATIONS = 0;
const MS = 1;
type Axis = typeof ITERATIONS | typeof MS;

/** Searches of an experiment over time. All runs count, the unsolved ones with infinite times and lengths. */
export interface SearchAnalysis {
  /** Over all problems; lengths are divided by the shortest path known of the problem. */
  readonly all: SearchSection;
  /** Each problem alone, with lengths as they are. */
  readonly byProblem: readonly (SearchSection & { readonly problem: string })[];
}

/** Curves and figures of each setting on the same runs. */
export interface SearchSection {
  readonly settings: readonly SearchResult[];
}

/** Searches of one setting. */
export interface SearchResult {
  readonly label: string;
  readonly runs: number;
  readonly solved: number;
  readonly success: Interval;
  /** Time (ms) and iterations of the first path. */
  readonly firstMs: MedianEstimate;
  readonly firstIterations: MedianEstimate;
  /** Length of the first path, of the last one before simplification, and after it. */
  readonly firstLength: MedianEstimate;
  readonly searchLength: MedianEstimate;
  readonly finalLength: MedianEstimate;
  readonly curve: readonly CurvePoint[];
  /** The same over iterations; equal on every machine. */
  readonly iterationCurve: readonly CurvePoint[];
}

/** State of the searches of one setting at a time, or after a number of iterations. */
export interface CurvePoint {
  /** Time in ms, or iterations. */
  readonly at: number;
  /** Number of runs with a path by then, and the interval of their share. */
  readonly solved: number;
  readonly success: Interval;
  /** Length of the best path so far; infinite while half of the runs have none. */
  readonly length: MedianEstimate;
}

/** Computes the searches over time; undefined if no search was recorded. */
export function analyseSearches(groups: readonly SearchGroup[]): SearchAnalysis | undefined {
  if (!groups.some(({ runs }) => runs.some(({ steps }) => steps.length > 0))) return undefined;
  const best = shortestLengths(groups);
  const relative = groups.map(({ label, runs }) => ({
    label,
    runs: runs.flatMap((run) => {
      const unit = best.get(run.comparable) ?? Number.POSITIVE_INFINITY;
      return unit > 0 ? [dividedBy(run, unit)] : []; // start and goal coincide
    }),
  }));
  const problems = [...new Set(groups.flatMap(({ runs }) => runs.map(({ problem }) => problem)))].sort();
  const byProblem = problems.map((problem) => ({
    problem,
    ...sectionOf(groups.map(({ label, runs }) => ({ label, runs: runs.filter((run) => run.problem === problem) }))),
  }));
  return { all: sectionOf(relative), byProblem: problems.length > 1 ? byProblem : [] };
}

/** Returns the length of the shortest path that any run found, for each set of comparable runs. */
function shortestLengths(groups: readonly SearchGroup[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { comparable, finalLength, searchLength, steps } of groups.flatMap(({ runs }) => runs)) {
    const least = Math.min(finalLength, searchLength, steps.at(-1)?.[2] ?? Number.POSITIVE_INFINITY);
    best.set(comparable, Math.min(least, best.get(comparable) ?? Number.POSITIVE_INFINITY));
  }
  return best;
}

/** Returns the run with lengths in a unit; if the unit is infinite, no run has a path. */
const dividedBy = (run: SearchRun, unit: number): SearchRun =>
  run.steps.length === 0
    ? run
    : {
        ...run,
        steps: run.steps.map(([iterations, ms, length]) => [iterations, ms, length / unit] as const),
        searchLength: run.searchLength / unit,
        finalLength: run.finalLength / unit,
      };

function sectionOf(groups: readonly SearchGroup[]): SearchSection {
  const grids = [gridOf(groups, ITERATIONS), gridOf(groups, MS)];
  return { settings: groups.filter(({ runs }) => runs.length > 0).map((group) => resultOf(group, grids)) };
}

/** @param grids numbers of iterations, and times, of the points of the curves */
function resultOf({ label, runs }: SearchGroup, grids: readonly (readonly number[])[]): SearchResult {
  const estimate = (of: (run: SearchRun) => number) => medianEstimate(sortedCopy(runs.map(of)));
  const solved = runs.filter(({ steps }) => steps.length > 0).length;
  const first = (index: 0 | 1 | 2) => (run: SearchRun) => run.steps[0]?.[index] ?? Number.POSITIVE_INFINITY;
  return {
    label,
    runs: runs.length,
    solved,
    success: shareInterval(solved, runs.length),
    firstMs: estimate(first(1)),
    firstIterations: estimate(first(0)),
    firstLength: estimate(first(2)),
    searchLength: estimate(({ searchLength }) => searchLength),
    finalLength: estimate(({ finalLength }) => finalLength),
    curve: curveOf(runs, grids[MS], MS),
    iterationCurve: curveOf(runs, grids[ITERATIONS], ITERATIONS),
  };
}

/** Computes the best path of each run at each time, or number of iterations; these increase. */
function curveOf(runs: readonly SearchRun[], grid: readonly number[], axis: Axis): CurvePoint[] {
  const reached = new Int32Array(runs.length); // number of steps of each run until then
  return grid.map((at) => {
    const lengths = new Float64Array(runs.length);
    let solved = 0;
    for (const [i, { steps }] of runs.entries()) {
      while (reached[i] < steps.length && steps[reached[i]][axis] <= at) reached[i]++;
      lengths[i] = reached[i] === 0 ? Number.POSITIVE_INFINITY : steps[reached[i] - 1][2];
      if (reached[i] > 0) solved++;
    }
    return { at, solved, success: shareInterval(solved, runs.length), length: medianEstimate(lengths.sort()) };
  });
}

/** Returns values from the first to the last path of any run, at equal ratios. Steps of OMPL may have no iterations. */
function gridOf(groups: readonly SearchGroup[], axis: Axis): number[] {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const { steps } of groups.flatMap(({ runs }) => runs)) {
    for (const { [axis]: at } of steps) {
      if (!(at > 0)) continue;
      least = Math.min(least, at);
      most = Math.max(most, at);
    }
  }
  if (most === 0) return [];
  const values = Array.from({ length: GRID }, (_, i) => least * (most / least) ** (i / (GRID - 1)));
  return [...values.slice(0, -1), most]; // exactly, so that the curves end with all paths
}
