import type { ConstraintChanges } from '../../core/scene/constraintChanges.ts';
import type { RunSettings } from '../../formats/schemas/experimentFile.ts';
import type { ExperimentOutcome, SearchCourse, SearchStep } from '../node/experimentTask.ts';
import type { Run } from './runs.ts';

/** Result of a run on its thread. */
export type Answer = { readonly outcome: ExperimentOutcome } | { readonly failure: string };

/**
 * Record of a finished run: a line of JSON, a row of a table. Times in ms, lengths in rad (L2), null if there is no
 * path.
 */
export interface RunRecord {
  readonly id: string;
  /** Version of elbowroom. */
  readonly version: string;
  readonly scene: string;
  readonly problem: string | null;
  /** Hash of the problem: the scene with its robot and all its meshes. */
  readonly problem_hash: string;
  readonly planner: string;
  readonly planner_options: Readonly<Record<string, number>>;
  readonly checker: string;
  readonly edges: string;
  readonly step: number;
  readonly corners: string;
  readonly shortcut: boolean;
  readonly timing: boolean;
  /** Changes of the path constraints of the scene; null, or missing in records of earlier versions: none. */
  readonly constraints: ConstraintChanges | null;
  /** Hash of the module of a planner of the user; null, or missing in records of earlier versions: no such planner. */
  readonly planner_hash: string | null;
  readonly iteration_limit: number | null;
  readonly time_limit: number;
  readonly seed: number;
  readonly repetition: number;
  /** Status of `plan`; `error` if it threw. */
  readonly status: string;
  /** Why it is not solved, one line of text for the user; null if solved. */
  readonly reason: string | null;
  /** The time limit ended the search: the result is not reproducible. */
  readonly cut_short: boolean;
  /** Sum of planning, shortcutting, time parameterization and certification. */
  readonly total_ms: number | null;
  readonly planning_ms: number | null;
  readonly shortcut_ms: number | null;
  readonly timing_ms: number | null;
  readonly check_ms: number | null;
  /** Duration on its thread, including the construction of the collision model. */
  readonly run_ms: number | null;
  /** Estimated time of the Boolean checks of the narrow phase: one of 13 is timed; null for programs. */
  readonly narrowphase_ms: number | null;
  readonly states_checked: number | null;
  readonly edges_checked: number | null;
  readonly pair_checks: number | null;
  readonly nodes: number | null;
  readonly iterations: number | null;
  readonly path_length: number | null;
  readonly waypoints: number | null;
  readonly duration: number | null;
  readonly least_duration: number | null;
  /**
   * Time from the start of the search to its first path. This and the next fields are null if the run is not solved,
   * and of programs and motions among moving objects; missing in records of earlier versions.
   */
  readonly first_ms: number | null;
  readonly first_iterations: number | null;
  readonly first_length: number | null;
  /** Duration of the search, and the length of its path before simplification. */
  readonly search_ms: number | null;
  readonly search_length: number | null;
  /** Improved paths of the search in order: iterations, ms since its start, length. */
  readonly improvements: readonly SearchStep[] | null;
  /** Hash of the trajectory. */
  readonly hash: string | null;
}

/** Type of a column; `whole`: integers of up to 53 bits; `options`: JSON text of an object or list. */
export type ColumnKind = 'text' | 'number' | 'whole' | 'boolean' | 'options';

/** What a field of a record may be; measured fields are null if there are no measurements. */
interface RecordField {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  readonly isMeasured: boolean;
}

const required = (kind: ColumnKind) => ({ kind, isNullable: false, isMeasured: false }) as const;
const optional = (kind: ColumnKind) => ({ kind, isNullable: true, isMeasured: false }) as const;
const measured = (kind: ColumnKind) => ({ kind, isNullable: true, isMeasured: true }) as const;

/** The fields of a record, in the order of the columns of tables. */
export const recordFields = {
  id: required('text'),
  version: required('text'),
  scene: required('text'),
  problem: optional('text'),
  problem_hash: required('text'),
  planner: required('text'),
  planner_options: required('options'),
  checker: required('text'),
  edges: required('text'),
  step: required('number'),
  corners: required('text'),
  shortcut: required('boolean'),
  timing: required('boolean'),
  constraints: optional('options'),
  planner_hash: optional('text'),
  iteration_limit: optional('whole'),
  time_limit: required('number'),
  seed: required('whole'),
  repetition: required('whole'),
  status: required('text'),
  reason: optional('text'),
  cut_short: required('boolean'),
  total_ms: measured('number'),
  planning_ms: measured('number'),
  shortcut_ms: measured('number'),
  timing_ms: measured('number'),
  check_ms: measured('number'),
  run_ms: measured('number'),
  narrowphase_ms: measured('number'),
  states_checked: measured('whole'),
  edges_checked: measured('whole'),
  pair_checks: measured('whole'),
  nodes: measured('whole'),
  iterations: measured('whole'),
  path_length: measured('number'),
  waypoints: measured('whole'),
  duration: measured('number'),
  least_duration: measured('number'),
  first_ms: measured('number'),
  first_iterations: measured('whole'),
  first_length: measured('number'),
  search_ms: measured('number'),
  search_length: measured('number'),
  improvements: measured('options'),
  hash: measured('text'),
} as const satisfies Readonly<Record<keyof RunRecord, RecordField>>;

type Measured = {
  [K in keyof typeof recordFields]: (typeof recordFields)[K]['isMeasured'] extends true ? K : never;
}[keyof typeof recordFields];

const allFields: readonly [string, RecordField][] = Object.entries(recordFields);

/** Results of `typeof` for the values of a kind. */
const types = { text: 'string', number: 'number', whole: 'number', boolean: 'boolean', options: 'object' } as const;

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
    (constraints === 'none' || (typeof constraints === 'object' && !Array.isArray(constraints)))
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
    states_checked: stats.states_checked,
    edges_checked: stats.edges_checked,
    pair_checks: stats.pair_checks,
    nodes: stats.nodes,
    iterations: stats.iterations,
    path_length: stats.path_length,
    waypoints: stats.waypoints,
    duration: stats.duration,
    least_duration: stats.least_duration,
    ...searchFields(search),
    hash,
  };
}

/** Fields of a run without measurements: one that threw, or one of another program. */
export const UNMEASURED = {
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
export function settingsOf(record: RunRecord): RunSettings {
  return {
    planner: record.planner,
    plannerOptions: record.planner_options,
    checker: record.checker,
    edges: record.edges,
    step: record.step,
    corners: record.corners,
    shortcut: record.shortcut,
    timing: record.timing,
    iterations: record.iteration_limit,
    timeLimit: record.time_limit,
    ...(record.constraints ? { constraints: record.constraints } : {}),
    ...(record.planner_hash ? { plannerHash: record.planner_hash } : {}),
  };
}

function identityOf({ id, problem, settings, seed, repetition }: Run, version: string) {
  return {
    id,
    version,
    scene: problem.scene,
    problem: problem.problem,
    problem_hash: problem.hash,
    planner: settings.planner,
    planner_options: settings.plannerOptions,
    checker: settings.checker,
    edges: settings.edges,
    step: settings.step,
    corners: settings.corners,
    shortcut: settings.shortcut,
    timing: settings.timing,
    constraints: settings.constraints ?? null,
    planner_hash: settings.plannerHash ?? null,
    iteration_limit: settings.iterations,
    time_limit: settings.timeLimit,
    seed,
    repetition,
  };
}

/** Rounds to the resolution of the clock, 1 µs. */
const rounded = (ms: number) => Number(ms.toFixed(3));
