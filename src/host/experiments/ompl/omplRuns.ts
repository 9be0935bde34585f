import { InputError } from '../../../errors.ts';
import type { SearchStep } from '../../node/experimentTask.ts';
import { readContent } from '../../node/files.ts';
import type { ForeignRuns } from '../analysis.ts';
import type { ExperimentSummary } from '../loadExperiment.ts';
import { type RunRecord, UNMEASURED } from '../record.ts';
import type { OmplBenchmark, OmplRun } from './benchmark.ts';
import { readOmplDatabase } from './readDatabase.ts';
import { readOmplLog } from './readLog.ts';

/** The first bytes of every SQLite database. */
const SQLITE_HEADER = 'SQLite format 3\0';

/**
 * Reads benchmarks of OMPL for a report, logs and databases. Runs of an experiment that has the name of a problem of
 * the report count for that problem, others for one of their own. Throws `InputError` if two files have runs of the
 * same planner in the same experiment.
 */
export async function readOmplRuns(files: readonly string[], summary: ExperimentSummary): Promise<ForeignRuns[]> {
  const byLabel = new Map<string, RunRecord[]>();
  const seen = new Set<string>();
  for (const file of files) {
    for (const benchmark of await benchmarksIn(file)) {
      for (const { name, runs } of benchmark.planners) {
        const label = `OMPL ${name.replace(/^(geometric|control)_/, '')}`;
        const key = `${label} in ${benchmark.name}`;
        if (seen.has(key)) throw new InputError(`${file}: there are runs of ${key} already`, 'Name each log once.');
        seen.add(key);
        const records = runs.map((run, i) => recordOf(run, i + 1, benchmark, summary, name));
        byLabel.set(label, [...(byLabel.get(label) ?? []), ...records]);
      }
    }
  }
  return [...byLabel].map(([label, records]) => ({ label, records }));
}

async function benchmarksIn(file: string): Promise<readonly OmplBenchmark[]> {
  const bytes = Buffer.from(await readContent(file));
  const isDatabase = bytes.subarray(0, SQLITE_HEADER.length).toString('latin1') === SQLITE_HEADER;
  return isDatabase ? readOmplDatabase(file) : [readOmplLog(bytes.toString('utf8'), file)];
}

/** Status of a run with a valid path to the goal itself; OMPL also calls approximate solutions solved. */
const EXACT = 'Exact solution';

const isTrue = (value: number | undefined) => value !== undefined && value !== 0;

/** True if the run has a path to the goal that OMPL checked and found valid. */
function isSolved({ properties, status }: OmplRun): boolean {
  const exact =
    status === undefined
      ? isTrue(properties['solved']) && !isTrue(properties['approximate solution'])
      : status === EXACT;
  return exact && properties['correct solution'] !== 0;
}

/** Converts a run; properties that OMPL does not have are null. Times in ms, lengths in the metric of its space. */
function recordOf(
  run: OmplRun,
  number: number,
  benchmark: OmplBenchmark,
  summary: ExperimentSummary,
  planner: string,
): RunRecord {
  const { properties } = run;
  const known = Object.entries(summary.problems).find(([, name]) => name === benchmark.name);
  const value = (name: string) => (Number.isFinite(properties[name]) ? properties[name]! : null);
  const milliseconds = (name: string) => (value(name) === null ? null : 1000 * value(name)!);
  const solved = isSolved(run);
  const [searchMs, simplifyMs, length] = [
    milliseconds('time'),
    milliseconds('simplification time'),
    value('solution length'),
  ];
  const steps = solved ? stepsOf(run, searchMs, length) : null;
  return {
    ...NO_RECORD,
    id: `ompl ${benchmark.name} ${planner} ${number}`,
    scene: known ? known[1] : benchmark.name,
    problem_hash: known ? known[0] : `ompl ${benchmark.name}`,
    planner,
    time_limit: benchmark.timeLimit,
    seed: number,
    status: solved ? 'solved' : 'no-path',
    reason: solved ? null : (run.status ?? 'not solved'),
    total_ms: searchMs === null ? null : searchMs + (simplifyMs ?? 0),
    planning_ms: searchMs,
    shortcut_ms: simplifyMs,
    nodes: value('graph states'),
    iterations: value('iterations'),
    path_length: solved ? (value('simplified solution length') ?? length) : null,
    waypoints: value('simplified solution segments'),
    first_iterations: steps?.[0]?.[0] ?? null,
    first_ms: steps?.[0]?.[1] ?? null,
    first_length: steps?.[0]?.[2] ?? null,
    search_ms: solved ? searchMs : null,
    search_length: solved ? length : null,
    improvements: steps,
  };
}

/**
 * Returns the better paths of a solved run: samples of the best cost that decrease, and the path at the end of the
 * search if it is shorter. Iterations that OMPL did not report are NaN.
 */
function stepsOf({ progress, properties }: OmplRun, ms: number | null, length: number | null): SearchStep[] {
  const steps: SearchStep[] = [];
  const add = (iterations: number, at: number, cost: number) => {
    if (Number.isFinite(cost) && Number.isFinite(at) && cost < (steps.at(-1)?.[2] ?? Number.POSITIVE_INFINITY))
      steps.push([iterations, at, cost]);
  };
  for (const sample of progress) add(sample['iterations'] ?? Number.NaN, 1000 * sample['time'], sample['best cost']);
  if (ms !== null && length !== null) add(properties['iterations'] ?? Number.NaN, ms, length);
  return steps;
}

/** Fields that runs of OMPL do not have. */
const NO_RECORD: Omit<
  RunRecord,
  'id' | 'scene' | 'problem_hash' | 'planner' | 'time_limit' | 'seed' | 'status' | 'reason'
> = {
  version: 'OMPL',
  problem: null,
  planner_options: {},
  checker: '',
  edges: '',
  step: 0,
  corners: '',
  shortcut: true,
  timing: false,
  constraints: null,
  planner_hash: null,
  iteration_limit: null,
  repetition: 1,
  ...UNMEASURED,
};
