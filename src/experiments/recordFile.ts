import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, statSync, truncateSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { isRunRecord, type RunRecord } from './record.ts';
import type { Shard } from './runs.ts';

/** Bytes read at a time. */
const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Records appended to a file of JSON lines, each durable before its promise resolves: what has been said to be done is done, whatever
 * ends the process or the machine. Lines that come while the disk is busy are written and synced together, so that no run waits for it.
 */
export class RecordFile {
  private waiting: string[] = [];
  private current: Promise<void> = Promise.resolve();
  /** The write that takes what is waiting, once the current one is through. */
  private next: Promise<void> | undefined;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  /** Opens the file to go on with it: a last line that was torn is cut off, for its run will be made again. */
  static async open(file: string): Promise<RecordFile> {
    try {
      cutTornLine(file);
      return new RecordFile(file, await open(file, 'a'));
    } catch (error) {
      throw cannotWrite(file, error);
    }
  }

  /** Resolves when the record is on disk. */
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

/** `runs.jsonl`; of a shard `runs-2-of-8.jsonl`. */
export const recordFileName = ({ index, of }: Shard): string =>
  of === 1 ? 'runs.jsonl' : `runs-${index}-of-${of}.jsonl`;

/** What a folder holds. */
export interface Recorded {
  /** Each run once, in the order of the files' names and of their lines. */
  readonly records: readonly RunRecord[];
  /** Lines that say nothing, and runs that two files tell differently. */
  readonly warnings: readonly string[];
}

/** All records of a folder: of one process, of its shards, of several machines. */
export function readRecords(folder: string): Recorded {
  if (!existsSync(folder)) return { records: [], warnings: [] };
  const files = readdirSync(folder)
    .filter((name) => /^runs.*\.jsonl$/.test(name))
    .sort();
  const records = new Map<string, RunRecord>();
  const warnings: string[] = [];
  for (const file of files.map((name) => join(folder, name))) {
    let number = 0;
    for (const line of wholeLines(file)) {
      number++;
      if (line === '') continue;
      const record = recordIn(line);
      if (!record) warnings.push(`${file}:${number}: this line is no record; its run counts as not made`);
      else if (!records.has(record.id)) records.set(record.id, record);
      else if (differ(records.get(record.id)!, record)) {
        warnings.push(`${file}:${number}: run ${record.id} came to another answer elsewhere; the first one counts`);
      }
    }
  }
  return { records: [...records.values()], warnings };
}

/** Makes a folder for results, or says why there can be none. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what =
      code === 'EEXIST' || code === 'ENOTDIR' ? 'this is not a folder' : `it cannot be made (${message.split(',')[0]})`;
    throw new InputError(`${folder}: ${what}`, 'Name a folder for the results: -o DIR.');
  }
}

/** Same run, other answer, and no clock to blame. */
const differ = (a: RunRecord, b: RunRecord) =>
  a.hash !== b.hash && !a.cut_short && !b.cut_short && a.version === b.version;

function recordIn(line: string): RunRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isRunRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function cutTornLine(file: string): void {
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

/** The lines of a file, one by one: a million runs are more than one text can hold. What follows the last newline is still being written. */
function* wholeLines(file: string): Generator<string> {
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
  return new InputError(`${file}: cannot be written (${reason})`, 'What has been finished before is kept.');
}
