import { InputError } from '../../../errors.ts';
import type { SearchStep } from '../../node/experimentTask.ts';
import { readContent } from '../../node/files.ts';
import type { ForeignRuns } from '../analysis.ts';
import type { ExperimentSummary } from '../loadExperiment.ts';
import { type RunRecord, UNMEASURED } from '../record.ts';
import type { OmplBenchmark, OmplPlanner, OmplRun } from './benchmark.ts';
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

/** The part of `node:sqlite` that is used: that of Node 22.13 and later, which has no types in earlier versions. */
interface Sqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...values: readonly unknown[]): readonly Row[] };
    close(): void;
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Columns of a database that are not properties of a run. */
const KEYS = ['id', 'experimentid', 'plannerid'];

/**
 * Reads a database of OMPL benchmarks, as `ompl_benchmark_statistics.py` writes it for Planner Arena: one benchmark for
 * each experiment. Throws `InputError` if this version of Node has no SQLite, or the file is another database.
 */
async function readOmplDatabase(file: string): Promise<OmplBenchmark[]> {
  const { DatabaseSync } = await sqlite(file);
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const opened = database;
    const rows = (sql: string, ...values: readonly unknown[]) => opened.prepare(sql).all(...values);
    const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
    const missing = ['experiments', 'plannerConfigs', 'runs'].find((table) => !tables.includes(table));
    if (missing !== undefined) throw new Error(`it has no table ${missing}`);
    const statuses = tables.includes('enums')
      ? new Map(
          rows("SELECT value, description FROM enums WHERE name = 'status'").map(({ value, description }) => [
            Number(value),
            String(description),
          ]),
        )
      : new Map<number, string>();
    const hasProgress = tables.includes('progress');
    return rows('SELECT id, name, timelimit FROM experiments ORDER BY id').map(({ id, name, timelimit }) => ({
      name: String(name),
      timeLimit: Number(timelimit),
      planners: rows(
        'SELECT DISTINCT plannerConfigs.id AS id, plannerConfigs.name AS name FROM runs JOIN plannerConfigs ' +
          'ON runs.plannerid = plannerConfigs.id WHERE runs.experimentid = ? ORDER BY plannerConfigs.id',
        id,
      ).map(
        (planner): OmplPlanner => ({
          name: String(planner['name']),
          runs: rows('SELECT * FROM runs WHERE experimentid = ? AND plannerid = ? ORDER BY id', id, planner['id']).map(
            (run) => ({
              properties: propertiesOf(run),
              status: statuses.get(Number(run['status'])),
              progress: hasProgress
                ? rows('SELECT * FROM progress WHERE runid = ? ORDER BY time', run['id']).map(sampleOf)
                : [],
            }),
          ),
        }),
      ),
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `${file}: this database cannot be read: ${reason}`,
      'Read one that ompl_benchmark_statistics.py has written, or the .log itself.',
    );
  } finally {
    database?.close();
  }
}

async function sqlite(file: string): Promise<Sqlite> {
  const name = 'node:sqlite'; // not a literal: the bundler and earlier versions of Node do not know it
  try {
    return (await import(name)) as Sqlite;
  } catch {
    throw new InputError(
      `${file}: databases need node:sqlite, which Node ${process.version} does not have`,
      'Use Node 22.13 or later, or read the .log instead.',
    );
  }
}

/** Returns the properties of a run with the names of the log: `solution_length` is `solution length`. */
function propertiesOf(run: Row): Record<string, number | undefined> {
  const entries = Object.entries(run).filter(([key]) => !KEYS.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key.replaceAll('_', ' '), numberOf(value)]));
}

const sampleOf = (row: Row): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      key === 'runid' ? [] : [[key.replaceAll('_', ' '), numberOf(value) ?? Number.NaN]],
    ),
  );

function numberOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) throw new Error(`${JSON.stringify(value)} is not a number`);
  return number;
}
