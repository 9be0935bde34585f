import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { InputError, parseJson } from '../../errors.ts';
import { type Condition, type ExperimentFile, readExperimentFile } from '../../formats/schemas/experimentFile.ts';
import { readInputText, readText, writeAtomically } from '../node/files.ts';
import { packageVersion } from '../node/packageVersion.ts';
import { lockFile } from './folderLock.ts';
import { experimentDefaults, experimentTables } from './names.ts';
import { nameOf, problemsOf, type StoredProblem, writeProblems } from './problems.ts';
import type { RunRecord } from './record.ts';
import { makeFolder, RecordFile, readRecords, recordFileName } from './recordFile.ts';
import { type Run, runsOf, type Shard } from './runs.ts';

/** Experiment with its problems. */
export interface LoadedExperiment {
  readonly experiment: ExperimentFile;
  readonly problems: readonly StoredProblem[];
  readonly warnings: readonly string[];
}

/**
 * Reads an experiment and all files that it names: errors are reported before the first run.
 * @param seeds maximum number of its seeds to use
 */
export async function loadExperiment(file: string, seeds = Number.POSITIVE_INFINITY): Promise<LoadedExperiment> {
  const whole = await readExperimentFile(await readInputText(file), file, experimentTables, experimentDefaults);
  const experiment = { ...whole, seeds: whole.seeds.slice(0, seeds) };
  return { experiment, ...(await problemsOf(experiment)) };
}

/** Description of a results folder: `experiment.json`. */
export interface ExperimentSummary {
  readonly format: 'elbowroom-results/1';
  readonly name: string;
  readonly description?: string;
  readonly version: string;
  /** Conditions in the order of the file; the first is the baseline of comparisons. */
  readonly conditions: readonly Condition[];
  readonly metrics?: readonly string[];
  /** Names of the problems by hash. */
  readonly problems: Readonly<Record<string, string>>;
  /** Number of runs of all shards together. */
  readonly runs: number;
  readonly machine: string;
}

/** Open results folder: its missing runs, and the file to which records are appended. */
export class Results {
  private constructor(
    readonly folder: string,
    /** All runs of the experiment, or of the shard, in order. */
    readonly wanted: readonly Run[],
    /** Runs of this shard without a record. */
    readonly missing: readonly Run[],
    readonly warnings: readonly string[],
    private readonly file: RecordFile,
    private readonly unlock: () => void,
    readonly version: string,
  ) {}

  /**
   * Opens the folder, creates it if it does not exist, and locks its record file. Throws `InputError` if another
   * process holds the lock.
   */
  static async open({ experiment, problems }: LoadedExperiment, folder: string, shard: Shard): Promise<Results> {
    makeFolder(folder);
    const path = join(folder, recordFileName(shard));
    const unlock = lockFile(path);
    try {
      const file = await RecordFile.open(path);
      const version = packageVersion();
      const { records, warnings } = readRecords(folder);
      const made = new Set(records.map(({ id }) => id));
      const wanted = [...runsOf(experiment, problems, shard)];
      const missing = wanted.filter(({ id }) => !made.has(id));
      await writeProblems(problems, problemFolder(folder));
      await writeAtomically(summaryFile(folder), summaryText({ experiment, problems }, version));
      const others = [...new Set(records.map((record) => record.version))].filter((one) => one !== version);
      const mixed = others.map((one) => `${folder} holds runs of version ${one} too; this is ${version}`);
      return new Results(folder, wanted, missing, [...warnings, ...mixed], file, unlock, version);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Folder of the problems, which threads read. */
  get problems(): string {
    return problemFolder(this.folder);
  }

  /** Appends the record of a run. Resolves when it is on disk. */
  async keep(record: RunRecord): Promise<void> {
    await this.file.append(record);
  }

  async close(): Promise<void> {
    await this.file.close();
    this.unlock();
  }
}

/** Reads the description of a results folder. Throws `InputError` if the folder has none. */
export async function readSummary(folder: string): Promise<ExperimentSummary> {
  const file = summaryFile(folder);
  if (!existsSync(file)) {
    throw new InputError(
      `${folder}: there are no results in it`,
      'Name a folder that experiment FILE -o DIR has written.',
    );
  }
  const refused = new InputError(
    `${file}: this is not elbowroom-results/1`,
    'Run the experiment again: it writes the file anew.',
  );
  try {
    const summary = parseJson(await readText(file), file) as ExperimentSummary;
    if (!isSummary(summary)) throw refused;
    return summary;
  } catch {
    throw refused;
  }
}

function isSummary(value: unknown): value is ExperimentSummary {
  const isRecord = (one: unknown): one is Readonly<Record<string, unknown>> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isRecord(value) || value['format'] !== 'elbowroom-results/1') return false;
  const { conditions, problems, metrics = [], description = '', runs } = value;
  return (
    ['name', 'version', 'machine'].every((key) => typeof value[key] === 'string') &&
    typeof description === 'string' &&
    typeof runs === 'number' &&
    Array.isArray(conditions) &&
    conditions.every((one) => isRecord(one) && typeof one['label'] === 'string' && isRecord(one['settings'])) &&
    isRecord(problems) &&
    Object.values(problems).every((name) => typeof name === 'string') &&
    Array.isArray(metrics) &&
    metrics.every((name) => typeof name === 'string')
  );
}

const problemFolder = (folder: string) => join(folder, 'problems');
const summaryFile = (folder: string) => join(folder, 'experiment.json');

function summaryText({ experiment, problems }: Omit<LoadedExperiment, 'warnings'>, version: string): string {
  const { name, description, conditions, metrics, seeds, repetitions } = experiment;
  const [processor] = cpus();
  const summary: ExperimentSummary = {
    format: 'elbowroom-results/1',
    name,
    ...(description === undefined ? {} : { description }),
    version,
    conditions,
    ...(metrics === undefined ? {} : { metrics }),
    problems: Object.fromEntries(problems.map((problem) => [problem.hash, nameOf(problem)])),
    runs: problems.length * conditions.length * seeds.length * repetitions,
    machine: `${processor?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}
