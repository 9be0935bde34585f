import { InputError } from '../../errors.ts';
import { isOfAnotherFormat, kindOfData } from '../text/schemaDiagnostics.ts';
import { type Diagnostic, parseSource, type SourceText } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';
import type { ExperimentTables, OneOrMore, RawExperiment, RawPlanner } from './experimentSchema.ts';

/** A parsed experiment file; its scenes are not read yet. */
export interface ExperimentFile {
  readonly file: string;
  readonly name: string;
  readonly description?: string;
  /** Files, SUITE#PROBLEM and patterns as written, relative to the experiment file. */
  readonly scenes: readonly string[];
  readonly script?: string;
  /** All combinations of settings, with distinct labels; the first is the baseline of comparisons. */
  readonly conditions: readonly Condition[];
  readonly seeds: readonly number[];
  readonly repetitions: number;
  /** Names of metrics; undefined if the file names none. */
  readonly metrics?: readonly string[];
  /** Returns an error on a key of this file: `FILE:LINE: PLACE: what`. */
  readonly errorAt: (path: Diagnostic['path'], what: string, note?: string) => Promise<InputError>;
}

/** One combination of settings. */
export interface Condition {
  /** Name that is unique in the experiment, composed of the settings that vary: `gjk, sampled`. */
  readonly label: string;
  readonly settings: RunSettings;
}

/** All settings that a result depends on besides the problem and the seed; plain data with a fixed order of keys. */
export interface RunSettings {
  readonly planner: string;
  readonly plannerOptions: Readonly<Record<string, number>>;
  readonly checker: string;
  readonly edges: string;
  readonly step: number;
  readonly corners: string;
  readonly shortcut: boolean;
  readonly timing: boolean;
  /** null: the default of the planner. */
  readonly iterations: number | null;
  readonly timeLimit: number;
}

/** Values of settings that the file does not state. */
export type ExperimentDefaults = Omit<RunSettings, 'plannerOptions' | 'iterations'>;

/** Limit of the combinations of settings: more do not fit into legible tables and plots. */
const MAX_CONDITIONS = 1000;

/**
 * Parses the text of an experiment file, YAML or JSON. Throws an error that reports each problem with its line.
 * @param file name for messages
 */
export async function readExperimentFile(
  text: string,
  file: string,
  tables: ExperimentTables,
  defaults: ExperimentDefaults,
): Promise<ExperimentFile> {
  const source = await parseSource(text, file);
  const raw = await checkStructure(source, tables);
  const count = countConditions(raw);
  const conditions = count > MAX_CONDITIONS ? [] : conditionsOf(raw, defaults);
  const diagnostics = diagnosticsOf(raw, conditions, count);
  if (diagnostics.length > 0) throw await source.errors(diagnostics);
  return {
    file,
    name: raw.name ?? file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, ''),
    ...(raw.description === undefined ? {} : { description: raw.description }),
    scenes: listOf(raw.scenes, []),
    ...(raw.script === undefined ? {} : { script: raw.script }),
    conditions,
    seeds: seedsOf(raw.seeds),
    repetitions: raw.repetitions ?? 1,
    ...(raw.metrics === undefined ? {} : { metrics: [...new Set(listOf(raw.metrics, []))] }),
    errorAt: async (path, what, note = '') => (await source.errors([{ path, what, note }])).problems[0],
  };
}

async function checkStructure(source: SourceText, tables: ExperimentTables): Promise<RawExperiment> {
  if (typeof source.data !== 'object' || source.data === null || Array.isArray(source.data)) {
    throw new InputError(
      `${source.file}:1: this is not an experiment: ${kindOfData(source.data)}`,
      'Begin with: format: elbowroom-experiment/1',
    );
  }
  const { experimentSchema } = await import('./experimentSchema.ts');
  const wrong = structureDiagnostics(experimentSchema(tables), source.data);
  if (wrong.length > 0) {
    if (isOfAnotherFormat(wrong, source.data))
      throw new InputError(`${source.file}:1: this is not an experiment`, 'Begin with: format: elbowroom-experiment/1');
    // If the format is wrong, diagnostics on other keys are misleading.
    const ofFormat = wrong.filter(({ path }) => path[0] === 'format');
    throw await source.errors(ofFormat.length > 0 ? ofFormat : wrong.map(withReplacement));
  }
  return source.data as RawExperiment;
}

/** Adds what replaces `constraints`, a key of earlier versions. */
const withReplacement = (one: Diagnostic): Diagnostic =>
  one.path.length === 1 && one.path[0] === 'constraints'
    ? { ...one, note: 'This key was removed: write a scene for each set of constraints.' }
    : one;

function diagnosticsOf(raw: RawExperiment, conditions: readonly Condition[], count: number): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (raw.scenes === undefined && raw.script === undefined) {
    diagnostics.push({
      path: [],
      what: 'it names no scenes',
      note: 'Give scenes: FILE or PATTERN, or script: a module that makes them.',
    });
  }
  if (count > MAX_CONDITIONS) {
    const what = `planners × options × checkers × edges … make ${count} combinations, more than ${MAX_CONDITIONS}`;
    diagnostics.push({ path: [], what, note: 'Split it into several experiments.' });
  }
  const labels = new Set<string>();
  const labelOf = new Map<string, string>();
  for (const { label, settings } of conditions) {
    const other = labelOf.get(JSON.stringify(settings));
    labelOf.set(JSON.stringify(settings), label);
    if (labels.has(label)) {
      const what = `two combinations of settings would be called ${JSON.stringify(label)}`;
      diagnostics.push({ path: ['planners'], what, note: 'Name each once, or give labels that differ.' });
      break;
    }
    if (other !== undefined) {
      const what = `${JSON.stringify(other)} and ${JSON.stringify(label)} have equal settings: their runs are the same`;
      diagnostics.push({ path: ['planners'], what, note: 'Name each combination of settings once.' });
      break;
    }
    labels.add(label);
  }
  return diagnostics;
}

/** Counts the combinations before they are created: a short file can define more than fit into memory. */
function countConditions(raw: RawExperiment): number {
  const { planners, checkers, edges, step, corners, shortcut, timing } = raw;
  const product = (lists: readonly unknown[]) =>
    lists.reduce((count: number, list) => count * (Array.isArray(list) ? list.length : 1), 1);
  const searches = listOf(planners, ['']).map((given) =>
    typeof given === 'string' ? 1 : product(Object.values(given.options ?? {})),
  );
  const others = product([checkers, edges, step, corners, shortcut, timing]);
  return searches.reduce((sum, count) => sum + count, 0) * others;
}

/** Returns all combinations in the order of the file, the first factor varying slowest. */
function conditionsOf(raw: RawExperiment, defaults: ExperimentDefaults): Condition[] {
  const { limits = {} } = raw;
  const searches = listOf(raw.planners, [defaults.planner]).flatMap((given) => searchesOf(given));
  const factors: readonly (readonly Choice[])[] = [
    searches.map(({ label, planner, plannerOptions, iterations }) => ({
      label,
      settings: { planner, plannerOptions, iterations: iterations ?? limits.iterations ?? null },
    })),
    choices('checker', raw.checkers, defaults.checker),
    choices('edges', raw.edges, defaults.edges),
    choices('step', raw.step, defaults.step, (step) => `step ${step}`),
    choices('corners', raw.corners, defaults.corners, (corners) => `corners: ${corners}`),
    choices('shortcut', raw.shortcut, defaults.shortcut, (on) => (on ? 'shortcut' : 'no shortcut')),
    choices('timing', raw.timing, defaults.timing, (on) => (on ? 'timed' : 'untimed')),
  ];
  const varying = factors.filter((factor) => factor.length > 1);
  let all: { labels: string[]; settings: Partial<RunSettings> }[] = [{ labels: [], settings: {} }];
  for (const factor of factors) {
    const named = varying.includes(factor) || (varying.length === 0 && factor === factors[0]);
    all = all.flatMap(({ labels, settings }) =>
      factor.map((choice) => ({
        labels: named ? [...labels, choice.label] : labels,
        settings: { ...settings, ...choice.settings },
      })),
    );
  }
  return all.map(({ labels, settings }) => ({
    label: labels.join(', '),
    settings: inOrder({ ...settings, timeLimit: limits.time ?? defaults.timeLimit } as RunSettings),
  }));
}

interface Choice {
  readonly label: string;
  readonly settings: Partial<RunSettings>;
}

function choices<K extends keyof ExperimentDefaults>(
  key: K,
  given: OneOrMore<ExperimentDefaults[K]> | undefined,
  byDefault: ExperimentDefaults[K],
  labelOf: (value: ExperimentDefaults[K]) => string = String,
): Choice[] {
  return listOf(given, [byDefault]).map((value) => ({ label: labelOf(value), settings: { [key]: value } }));
}

/** Returns a planner with all combinations of the values of its options. */
function searchesOf(given: string | RawPlanner) {
  const { planner, label, iterations, options = {} } = typeof given === 'string' ? { planner: given } : given;
  let all: { words: string[]; plannerOptions: Record<string, number> }[] = [{ words: [], plannerOptions: {} }];
  for (const [option, values] of Object.entries(options)) {
    const several = Array.isArray(values);
    all = all.flatMap(({ words, plannerOptions }) =>
      listOf(values, []).map((value) => ({
        words: several || label === undefined ? [...words, `${option} ${value}`] : words,
        plannerOptions: { ...plannerOptions, [option]: value },
      })),
    );
  }
  const more = label === undefined && iterations !== undefined ? [`${iterations} iterations`] : [];
  return all.map(({ words, plannerOptions }) => ({
    label: [label ?? planner, ...words, ...more].join(' '),
    planner,
    plannerOptions: Object.fromEntries(Object.entries(plannerOptions).sort(([a], [b]) => (a < b ? -1 : 1))),
    iterations,
  }));
}

/** Returns the settings with a fixed order of keys, because their JSON text is hashed. */
function inOrder(settings: RunSettings): RunSettings {
  const { planner, plannerOptions, checker, edges, step, corners, shortcut, timing, iterations, timeLimit } = settings;
  return { planner, plannerOptions, checker, edges, step, corners, shortcut, timing, iterations, timeLimit };
}

function seedsOf(given: RawExperiment['seeds'] = 1): readonly number[] {
  if (typeof given === 'number') return Array.from({ length: given }, (_, i) => i + 1);
  if ('from' in given) return Array.from({ length: given.count }, (_, i) => given.from + i);
  return [...new Set(given)];
}

function listOf<T>(given: OneOrMore<T> | undefined, byDefault: readonly T[]): readonly T[] {
  if (given === undefined) return byDefault;
  return Array.isArray(given) ? (given as readonly T[]) : [given as T];
}
