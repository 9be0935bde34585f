import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, statSync, truncateSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, parseJson } from '../../errors.ts';
import { isRunRecord, type RunRecord } from './record.ts';
import type { Shard } from './runs.ts';

/** Read size, bytes. */
const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/**
 * File of JSON lines to which records are appended. Each record is durable (synced) before its promise resolves, even
 * if the process or the machine fails afterwards. Records that arrive during a write are written and synced together
 * (group commit), so that runs do not wait.
 */
export class RecordFile {
  private waiting: string[] = [];
  private current: Promise<void> = Promise.resolve();
  /** The next write, which takes all waiting records once the current write has ended. */
  private next: Promise<void> | undefined;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  /** Opens the file for appending. Truncates an incomplete last line: its run will be executed again. */
  static async open(file: string): Promise<RecordFile> {
    try {
      truncateIncompleteLine(file);
      return new RecordFile(file, await open(file, 'a'));
    } catch (error) {
      throw cannotWrite(file, error);
    }
  }

  /** Appends a record. Resolves when it is on disk. */
  append(record: RunRecord): Promise<void> {
    this.waiting.push(`${JSON.stringify(record)}\n`);
    this.next ??= this.current.then(() => this.flush());
    return this.next;
  }

  async close(): Promise<void> {
    await (this.next ?? this.current);
    await this.handle.close();
  }

  private async flush(): Promise<void> {
    const lines = this.waiting;
    this.waiting = [];
    this.current = this.next!;
    this.next = undefined;
    try {
      await this.handle.appendFile(lines.join(''));
      await this.handle.datasync();
    } catch (error) {
      throw cannotWrite(this.file, error);
    }
  }
}

/** Returns `runs.jsonl`; for a shard `runs-2-of-8.jsonl`. */
export const recordFileName = ({ index, of }: Shard): string =>
  of === 1 ? 'runs.jsonl' : `runs-${index}-of-${of}.jsonl`;

/** Records of a folder. */
export interface Recorded {
  /** One record per run, in the order of file names and lines. */
  readonly records: readonly RunRecord[];
  /** Invalid lines, and runs with different results. */
  readonly warnings: readonly string[];
}

/** Reads all records of a folder, including those of shards and of several machines. */
export function readRecords(folder: string): Recorded {
  if (!existsSync(folder)) return { records: [], warnings: [] };
  const files = readdirSync(folder)
    .filter((name) => /^runs.*\.jsonl$/.test(name))
    .sort();
  const records = new Map<string, RunRecord>();
  const warnings: string[] = [];
  for (const file of files.map((name) => join(folder, name))) {
    let number = 0;
    for (const line of completeLines(file)) {
      number++;
      if (line === '') continue;
      const record = recordIn(line);
      if (!record) warnings.push(`${file}:${number}: this line is not a record; its run counts as missing`);
      else if (!records.has(record.id)) records.set(record.id, record);
      else if (differ(records.get(record.id)!, record)) {
        warnings.push(
          `${file}:${number}: run ${record.id} has a different result in another record; the first one is used`,
        );
      }
    }
  }
  return { records: [...records.values()], warnings };
}

/** Creates a folder for results. Throws `InputError` if that fails. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what =
      code === 'EEXIST' || code === 'ENOTDIR'
        ? 'this is not a folder'
        : `it cannot be created (${message.split(',')[0]})`;
    throw new InputError(`${folder}: ${what}`, 'Name a folder for the results: -o DIR.');
  }
}

/** True if two records of one run differ although neither was ended by the time limit. */
const differ = (a: RunRecord, b: RunRecord) =>
  a.hash !== b.hash && !a.cut_short && !b.cut_short && a.version === b.version;

function recordIn(line: string): RunRecord | undefined {
  try {
    const record = parseJson(line, '');
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function truncateIncompleteLine(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const descriptor = size === 0 ? undefined : openSync(file, 'r');
  if (descriptor === undefined) return;
  const chunk = Buffer.alloc(Math.min(size, CHUNK));
  let end = 0;
  for (let from = size; from > 0 && end === 0; ) {
    const length = Math.min(from, chunk.length);
    from -= length;
    readSync(descriptor, chunk, 0, length, from);
    const at = chunk.subarray(0, length).lastIndexOf(NEWLINE);
    if (at >= 0) end = from + at + 1;
  }
  closeSync(descriptor);
  if (end < size) truncateSync(file, end);
}

/**
 * Yields the complete lines of a file, which may be larger than a string. Ignores an incomplete last line: it is still
 * being written.
 */
function* completeLines(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    let rest = Buffer.alloc(0);
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        yield bytes.toString('utf8', from, to);
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    closeSync(descriptor);
  }
}

function cannotWrite(file: string, error: unknown): InputError {
  const reason = error instanceof Error ? error.message.split(',')[0] : String(error);
  return new InputError(`${file}: cannot be written (${reason})`, 'Runs that were completed before are kept.');
}
