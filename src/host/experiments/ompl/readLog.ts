import { InputError } from '../../../errors.ts';
import type { OmplBenchmark, OmplPlanner, OmplRun } from './benchmark.ts';

/** A named column of a log. */
interface Column {
  readonly name: string;
  readonly type: string;
}

const TYPES = ['REAL', 'INTEGER', 'BOOLEAN', 'ENUM', 'BIGINT', 'SMALLINT', 'DOUBLE'];

/** Reads the lines of a log in order. Errors name the file and the line. */
class LogLines {
  private next = 0;
  private readonly lines: readonly string[];

  constructor(
    text: string,
    private readonly file: string,
  ) {
    this.lines = text.split(/\r?\n/);
    if (this.lines.at(-1) === '') this.lines = this.lines.slice(0, -1);
  }

  get isAtEnd(): boolean {
    return this.next >= this.lines.length;
  }

  /** Returns the next line without reading it; undefined at the end. */
  peek(): string | undefined {
    return this.lines[this.next];
  }

  /** Reads the next line. */
  line(expected: string): string {
    const line = this.peek();
    if (line === undefined) throw this.wrong(`the file ends, expected ${expected}`);
    this.next++;
    return line;
  }

  /** Reads a line that matches a pattern and returns its first group. */
  match(pattern: RegExp, expected: string): string {
    const found = pattern.exec(this.peek() ?? '');
    if (!found) throw this.unknown(expected);
    this.next++;
    return found[1];
  }

  /** Reads a line `COUNT WORDS`; the first word may be in the singular or plural form. */
  count(pattern: string): number {
    return Number(this.match(new RegExp(`^(\\d+) ${pattern}$`), `a number and "${pattern.replaceAll('?', '')}"`));
  }

  /** Returns an error on the next line. */
  unknown(expected: string): InputError {
    const line = this.peek();
    if (line === undefined) return this.wrong(`the file ends, expected ${expected}`);
    const shown = line.length > 60 ? `${line.slice(0, 57)}…` : line;
    return this.wrong(`${JSON.stringify(shown)} is unknown here, expected ${expected}`);
  }

  /** Returns an error on the next line, or on one before it. */
  wrong(what: string, back = 0): InputError {
    return new InputError(
      `${this.file}:${this.next + 1 - back}: ${what}`,
      'Read the log that Benchmark::saveResultsToFile of OMPL has written.',
    );
  }
}

/**
 * Reads the log of `ompl::tools::Benchmark`. Throws `InputError` with its line number for every line that the format
 * does not have at that place.
 * @param file name for messages
 */
export function readOmplLog(text: string, file: string): OmplBenchmark {
  const lines = new LogLines(text, file);
  if (lines.peek()?.startsWith('OMPL version ')) lines.line('a version');
  const name = lines.match(/^Experiment (.+)$/, '"Experiment NAME"');
  if (/^\d+ experiment properties$/.test(lines.peek() ?? '')) {
    const count = lines.count('experiment properties');
    for (let i = 0; i < count; i++) lines.match(/^(.+?) = /, '"NAME = VALUE"');
  }
  lines.match(/^Running on (.*)$/, '"Running on HOST"');
  lines.match(/^Starting at (.*)$/, '"Starting at DATE"');
  while (lines.peek() === '<<<|') readText(lines); // setup, processor
  lines.match(/^(\d+) is the random seed$/, '"N is the random seed"');
  const timeLimit = Number(lines.match(/^(\S+) seconds per run$/, '"S seconds per run"'));
  if (!(timeLimit >= 0)) throw lines.wrong('this is not a number of seconds', 1);
  lines.match(/^(\S+) MB per run$/, '"M MB per run"');
  if (/ runs per planner$/.test(lines.peek() ?? '')) lines.match(/^(\d+) runs per planner$/, '"N runs per planner"');
  lines.match(/^(\S+) seconds spent to collect the data$/, '"S seconds spent to collect the data"');
  const enums = new Map<string, readonly string[]>();
  const enumCount = lines.count('enum types?');
  for (let i = 0; i < enumCount; i++) {
    const [key, ...values] = lines.line('an enum').split('|');
    if (key === '' || values.length === 0) throw lines.wrong('this is not "NAME|VALUE|VALUE|…"', 1);
    enums.set(key, values);
  }
  const plannerCount = lines.count('planners?');
  const planners = Array.from({ length: plannerCount }, () => readPlanner(lines, enums));
  if (!lines.isAtEnd) throw lines.unknown('the end of the file');
  return { name, timeLimit, planners };
}

/** Skips a text between `<<<|` and `|>>>`. */
function readText(lines: LogLines): void {
  lines.line('"<<<|"');
  while (!lines.line('"|>>>"').endsWith('|>>>'));
}

function readPlanner(lines: LogLines, enums: ReadonlyMap<string, readonly string[]>): OmplPlanner {
  const name = lines.match(/^([^\s;]+)$/, 'the name of a planner');
  const commonCount = lines.count('common properties');
  for (let i = 0; i < commonCount; i++) lines.match(/^(.+?) = /, '"NAME = VALUE"');
  const columns = readColumns(lines, 'properties for each run');
  const runCount = lines.count('runs?');
  const rows = Array.from({ length: runCount }, () => readRow(lines, columns, enums.get('status')));
  const progress = lines.peek() === '.' ? undefined : readProgress(lines, runCount);
  if (lines.line('"."') !== '.') throw lines.wrong('this is not "."', 1);
  return { name, runs: rows.map((row, i) => ({ ...row, progress: progress?.[i] ?? [] })) };
}

function readColumns(lines: LogLines, pattern: string): Column[] {
  const count = lines.count(pattern);
  return Array.from({ length: count }, () => {
    const line = lines.line('"NAME TYPE"');
    const [, name, type] = /^(.+) ([A-Z]+)$/.exec(line) ?? [];
    if (name === undefined || !TYPES.includes(type)) throw lines.wrong(`this is not "NAME TYPE"`, 1);
    return { name, type };
  });
}

/** Reads `VALUE; VALUE; …; `, in which values may be missing. */
function readRow(lines: LogLines, columns: readonly Column[], statuses: readonly string[] | undefined) {
  const cells = lines.line('a run').trimEnd().split(';');
  if (cells.pop() !== '' || cells.length !== columns.length)
    throw lines.wrong(`this run has ${cells.length} values, of ${columns.length} properties`, 1);
  const properties: Record<string, number | undefined> = {};
  for (const [i, { name }] of columns.entries()) properties[name] = readCell(lines, cells[i].trim(), name);
  const index = properties['status'];
  const status = index === undefined ? undefined : statuses?.[index];
  if (index !== undefined && statuses && status === undefined)
    throw lines.wrong(`status ${index} is not one of ${statuses.length}`, 1);
  return { properties, status };
}

function readCell(lines: LogLines, cell: string, name: string): number | undefined {
  if (cell === '') return undefined;
  const value = numberOf(cell);
  if (value === undefined) throw lines.wrong(`${name} is ${JSON.stringify(cell)}, not a number`, 1);
  return value;
}

/** Parses a number as C++ streams write it. */
function numberOf(cell: string): number | undefined {
  const lower = cell.toLowerCase();
  if (/^-?nan(\(.*\))?$/.test(lower)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/.test(lower)) return lower.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(lower) ? Number(lower) : undefined;
}

/** Reads the samples of all runs: `V,V,;V,V,;…`. */
function readProgress(lines: LogLines, runCount: number): OmplRun['progress'][] {
  const columns = readColumns(lines, 'progress properties for each run');
  const count = lines.count('runs?');
  if (count !== runCount) throw lines.wrong(`progress of ${count} runs, of ${runCount}`, 1);
  return Array.from({ length: count }, () => {
    const samples = lines.line('the progress of a run').trimEnd().split(';');
    if (samples.pop() !== '') throw lines.wrong('this progress does not end with ";"', 1);
    return samples.map((sample) => {
      const cells = sample.split(',');
      if (cells.pop() !== '' || cells.length !== columns.length)
        throw lines.wrong(`a sample has ${cells.length} values, of ${columns.length} properties`, 1);
      const entries = columns.map(({ name }, i) => [name, readCell(lines, cells[i].trim(), name) ?? Number.NaN]);
      return Object.fromEntries(entries) as Record<string, number>;
    });
  });
}
