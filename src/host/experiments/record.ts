import type { RunSettings } from '../../formats/schemas/experimentFile.ts';
import type { ExperimentOutcome, SearchCourse, SearchStep } from '../node/experimentTask.ts';
import type { Run } from './runs.ts';

/** Result of a run on its thread. */
export type Answer = { readonly outcome: ExperimentOutcome } | { readonly failure: string };

/** Type of a field; `options`: an object or list. */
type FieldKind = 'text' | 'number' | 'boolean' | 'options';

/** What a field of a record may be; measured fields are null if there are no measurements. */
interface RecordField<T> {
  readonly kind: FieldKind;
  readonly isNullable: boolean;
  readonly isMeasured: boolean;
  /** Never set: for the type of the values. */
  readonly value?: T;
}

const fieldOf = <T>(kind: FieldKind): RecordField<T> => ({ kind, isNullable: false, isMeasured: false });
const json = <T>() => fieldOf<T>('options');
const text = fieldOf<string>('text');
const number = fieldOf<number>('number');
const boolean = fieldOf<boolean>('boolean');
const optional = <T>(field: RecordField<T>): RecordField<T | null> => ({ ...field, isNullable: true });
const measured = <T>(field: RecordField<T>) => ({ ...optional(field), isMeasured: true }) as const;

/** The fields of a record, in the order of the columns of tables. */
export const recordFields = {
  id: text,
  /** Version of elbowroom. */
  version: text,
  scene: text,
  problem: optional(text),
  /** Hash of the problem: the scene with its robot and all its meshes. */
  problem_hash: text,
  planner: text,
  planner_options: json<Readonly<Record<string, number>>>(),
  checker: text,
  edges: text,
  step: number,
  corners: text,
  shortcut: boolean,
  timing: boolean,
  iteration_limit: optional(number),
  time_limit: number,
  seed: number,
  repetition: number,
  /** Status of `plan`; `error` if it threw. */
  status: text,
  /** Why it is not solved, one line of text for the user; null if solved. */
  reason: optional(text),
  /** The time limit ended the search: the result is not reproducible. */
  cut_short: boolean,
  /** Sum of planning, shortcutting, time parameterization and certification. */
  total_ms: measured(number),
  planning_ms: measured(number),
  shortcut_ms: measured(number),
  timing_ms: measured(number),
  check_ms: measured(number),
  /** Duration on its thread, including the construction of the collision model. */
  run_ms: measured(number),
  /** Estimated time of the Boolean checks of the narrow phase: one of 13 is timed; null for programs. */
  narrowphase_ms: measured(number),
  states_checked: measured(number),
  edges_checked: measured(number),
  pair_checks: measured(number),
  nodes: measured(number),
  iterations: measured(number),
  path_length: measured(number),
  waypoints: measured(number),
  duration: measured(number),
  least_duration: measured(number),
  /**
   * Time from the start of the search to its first path. This and the next fields are null if the run is not solved,
   * and of programs and motions among moving objects; missing in records of earlier versions.
   */
  first_ms: measured(number),
  first_iterations: measured(number),
  first_length: measured(number),
  /** Duration of the search, and the length of its path before simplification. */
  search_ms: measured(number),
  search_length: measured(number),
  /** Improved paths of the search in order: iterations, ms since its start, length. */
  improvements: measured(json<readonly SearchStep[]>()),
  /** Hash of the trajectory. */
  hash: measured(text),
};

type RecordFields = typeof recordFields;

/**
 * Record of a finished run: a line of JSON, a row of a table. Times in ms, lengths in rad (L2), null if there is no
 * path.
 */
export type RunRecord = {
  readonly [K in keyof RecordFields]: RecordFields[K] extends RecordField<infer T> ? T : never;
};

type Measured = {
  [K in keyof RecordFields]: RecordFields[K]['isMeasured'] extends true ? K : never;
}[keyof RecordFields];

const allFields: readonly [string, RecordField<unknown>][] = Object.entries(recordFields);

/** Results of `typeof` for the values of a kind. */
const types = { text: 'string', number: 'number', boolean: 'boolean', options: 'object' } as const;

/**
 * True if every field of a parsed value has the type of the field in a record; fields that later versions added may be
 * missing.
 */
export function isRunRecord(value: unknown): value is RunRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  const hasTypes = allFields.every(
    ([name, { kind, isNullable }]) =>
      kind === 'options' ||
      given[name] === undefined ||
      (given[name] === null ? isNullable : typeof given[name] === types[kind]),
  );
  const { planner_options: options = {}, constraints = null, improvements = null } = given;
  return (
    typeof given['id'] === 'string' &&
    typeof given['status'] === 'string' &&
    hasTypes &&
    typeof options === 'object' &&
    options !== null &&
    !Array.isArray(options) &&
    Object.values(options).every((option) => typeof option === 'number') &&
    (improvements === null || areSearchSteps(improvements)) &&
    constraints === null // of earlier versions: the run had other path constraints than its scene
  );
}

const areSearchSteps = (value: unknown): value is readonly SearchStep[] =>
  Array.isArray(value) &&
  value.every((step) => Array.isArray(step) && step.length === 3 && step.every((number) => typeof number === 'number'));

/** Returns the record of a run that ended or failed on its thread. */
export const recordOfAnswer = (run: Run, answer: Answer, version: string): RunRecord =>
  'outcome' in answer ? recordOf(run, answer.outcome, version) : recordOfFailure(run, answer.failure, version);

function recordOf(
  run: Run,
  { stats, reason, cutShort, hash, runMs, narrowphaseMs, search }: ExperimentOutcome,
  version: string,
): RunRecord {
  const { planning_ms, shortcut_ms, timing_ms, check_ms } = stats;
  const { states_checked, edges_checked, pair_checks, nodes, iterations } = stats;
  const { path_length, waypoints, duration, least_duration } = stats;
  return {
    ...identityOf(run, version),
    status: stats.status,
    reason: stats.status === 'solved' ? null : reason,
    cut_short: cutShort,
    total_ms: rounded(planning_ms + shortcut_ms + timing_ms + check_ms),
    planning_ms: rounded(planning_ms),
    shortcut_ms: rounded(shortcut_ms),
    timing_ms: rounded(timing_ms),
    check_ms: rounded(check_ms),
    run_ms: rounded(runMs),
    narrowphase_ms: narrowphaseMs === null ? null : rounded(narrowphaseMs),
    ...{ states_checked, edges_checked, pair_checks, nodes, iterations },
    ...{ path_length, waypoints, duration, least_duration },
    ...searchFields(search),
    hash,
  };
}

/** Fields of a run without measurements: one that threw. */
const UNMEASURED = {
  cut_short: false,
  ...(Object.fromEntries(allFields.flatMap(([name, { isMeasured }]) => (isMeasured ? [[name, null]] : []))) as {
    readonly [K in Measured]: null;
  }),
} as const;

/** Returns the record of a run that threw. It counts as finished and is not repeated. */
export function recordOfFailure(run: Run, why: string, version: string): RunRecord {
  return {
    ...identityOf(run, version),
    status: 'error',
    reason: why,
    ...UNMEASURED,
  };
}

function searchFields(search: SearchCourse | null) {
  const [iterations, ms, length] = search?.steps[0] ?? [null, null, null];
  return {
    first_ms: ms,
    first_iterations: iterations,
    first_length: length,
    search_ms: search?.ms ?? null,
    search_length: search?.length ?? null,
    improvements: search?.steps ?? null,
  };
}

/** Returns the settings of the run of a record. */
export function settingsOf({
  planner,
  checker,
  edges,
  step,
  corners,
  shortcut,
  timing,
  ...record
}: RunRecord): RunSettings {
  return {
    ...{ planner, plannerOptions: record.planner_options, checker, edges, step, corners, shortcut, timing },
    iterations: record.iteration_limit,
    timeLimit: record.time_limit,
  };
}

function identityOf({ id, problem, settings, seed, repetition }: Run, version: string) {
  const { planner, plannerOptions, checker, edges, step, corners, shortcut, timing } = settings;
  return {
    ...{ id, version, scene: problem.scene, problem: problem.problem, problem_hash: problem.hash },
    ...{ planner, planner_options: plannerOptions, checker, edges, step, corners, shortcut, timing },
    iteration_limit: settings.iterations,
    time_limit: settings.timeLimit,
    ...{ seed, repetition },
  };
}

/** Rounds to the resolution of the clock, 1 µs. */
const rounded = (ms: number) => Number(ms.toFixed(3));
