import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { type Condition, type ExperimentFile, readExperimentFile } from '../formats/schemas/experimentFile.ts';
import { readInputText, readText, writeWhole } from '../node/files.ts';
import { packageVersion } from '../node/packageVersion.ts';
import { lockFile } from './folderLock.ts';
import { experimentDefaults, experimentTables } from './names.ts';
import { nameOf, problemsOf, type StoredProblem, writeProblems } from './problems.ts';
import type { RunRecord } from './record.ts';
import { makeFolder, RecordFile, readRecords, recordFileName } from './recordFile.ts';
import { type Run, runsOf, type Shard } from './runs.ts';

/** An experiment with its problems. */
export interface LoadedExperiment {
  readonly experiment: ExperimentFile;
  readonly problems: readonly StoredProblem[];
  readonly warnings: readonly string[];
}

/**
 * Reads an experiment and everything that it names, so that a mistake is told before the first run.
 * @param seeds so many of its seeds are wanted
 */
export async function loadExperiment(file: string, seeds = Number.POSITIVE_INFINITY): Promise<LoadedExperiment> {
  const whole = await readExperimentFile(await readInputText(file), file, experimentTables, experimentDefaults);
  const experiment = { ...whole, seeds: whole.seeds.slice(0, seeds) };
  return { experiment, ...(await problemsOf(experiment)) };
}

/** What a folder of results says of itself, beside the records: `experiment.json`. */
export interface ExperimentSummary {
  readonly format: 'elbowroom-results/1';
  readonly name: string;
  readonly description?: string;
  readonly version: string;
  /** In the order of the file; the first is what the others are compared with. */
  readonly conditions: readonly Condition[];
  readonly metrics?: readonly string[];
  /** Names by hash. */
  readonly problems: Readonly<Record<string, string>>;
  /** Runs of all shards together. */
  readonly runs: number;
  readonly machine: string;
}

/** A folder of results at work: what it has, what it lacks, and where the next records go. */
export class Results {
  private constructor(
    readonly folder: string,
    /** Runs of this shard. */
    readonly wanted: number,
    /** Those of them that are still to be made. */
    readonly missing: readonly Run[],
    readonly warnings: readonly string[],
    private readonly file: RecordFile,
    private readonly unlock: () => void,
    readonly version: string,
  ) {}

  /** Opens the folder, makes it where there is none, and keeps its file for this process. */
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
      await writeWhole(summaryFile(folder), summaryText({ experiment, problems }, version));
      const others = [...new Set(records.map((record) => record.version))].filter((one) => one !== version);
      const mixed = others.map((one) => `${folder} holds runs of version ${one} too; this is ${version}`);
      return new Results(folder, wanted.length, missing, [...warnings, ...mixed], file, unlock, version);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Where the problems lie for threads to read. */
  get problems(): string {
    return problemFolder(this.folder);
  }

  /** Keeps what became of a run; resolves when it is on disk. */
  async keep(record: RunRecord): Promise<void> {
    await this.file.append(record);
  }

  async close(): Promise<void> {
    await this.file.close();
    this.unlock();
  }
}

/** What a folder of results says of itself. Throws InputError where it is none. */
export async function readSummary(folder: string): Promise<ExperimentSummary> {
  const file = summaryFile(folder);
  if (!existsSync(file)) {
    throw new InputError(
      `${folder}: there are no results in it`,
      'Name a folder that experiment FILE -o DIR has filled.',
    );
  }
  const refused = new InputError(
    `${file}: this is no elbowroom-results/1`,
    'Run the experiment again: it writes the file anew.',
  );
  try {
    const summary = JSON.parse(await readText(file)) as ExperimentSummary;
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
