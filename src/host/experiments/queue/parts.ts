import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../errors.ts';
import { AtomicFile, writeAtomically } from '../../node/atomicFile.ts';
import { readBytes } from '../../node/readFiles.ts';
import { isRunRecord, type RunRecord } from '../record.ts';
import type { Batch } from '../runs.ts';
import { parquetOfRecords, parquetWriting, recordOfRow, runColumnData } from '../tables.ts';

/** Largest part or table that is read, bytes. */
const LARGEST = 1 << 30;
/** Rows of a row group of merged parts. */
const GROUP_ROWS = 50_000;

/**
 * Returns the name of the part of a job. It contains the number of runs per job, since groups of another size have
 * other parts.
 */
export const partName = (size: number, batchId: string): string => `part-${size}-${batchId}.parquet`;

/** Returns the name of the merged table of one shard of the jobs. */
export const tableName = ({ index, of }: { readonly index: number; readonly of: number }): string =>
  of === 1 ? 'runs.parquet' : `runs-${index}-of-${of}.parquet`;

/** Returns true for the name of a merged table. */
export const isTableName = (name: string): boolean => /^runs(-\d+-of-\d+)?\.parquet$/.test(name);

/** Writes the records of a job as a part, completely or not at all. */
export async function writePart(folder: string, name: string, records: readonly RunRecord[]): Promise<void> {
  await writeAtomically(join(folder, name), await parquetOfRecords(records));
}

/**
 * Returns the names of the parts in a folder. Throws `InputError` if there are parts of jobs with another number of
 * runs: all runs would be made again.
 */
export function partsIn(folder: string, size: number): Set<string> {
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder).filter((name) => /^part-\d+-[0-9a-f]+\.parquet$/.test(name));
  const other = names.find((name) => !name.startsWith(`part-${size}-`));
  if (other === undefined) return new Set(names);
  const before = other.split('-')[1];
  throw new InputError(
    `--batch is ${size}, but the parts in ${folder} were written with --batch ${before}`,
    `Write --batch ${before}, or give another folder with --parts.`,
  );
}

/** Reads the records of a part or of a merged table. Returns undefined if it is damaged. */
export async function readPart(file: string): Promise<RunRecord[] | undefined> {
  const bytes = await readBytes(file, LARGEST);
  const { parquetReadObjects } = await import('hyparquet').catch(() => {
    throw new InputError('Parquet needs the package hyparquet', 'npm install hyparquet');
  });
  try {
    const { buffer, byteOffset, byteLength } = bytes;
    const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer });
    const records = rows.map(recordOfRow);
    return records.every(isRunRecord) ? records : undefined;
  } catch {
    return undefined;
  }
}

/** Result of merging parts. */
export interface Merged {
  /** Runs in the table. */
  readonly runs: number;
  readonly solved: number;
  /** The first run that ended with an error, `ID: REASON`. */
  readonly failed: string | undefined;
  /** Jobs whose part is missing, or does not contain each of its runs once: nothing was written. */
  readonly damaged: readonly Batch[];
}

/**
 * Writes the records of all jobs as one table with one row per run, completely or not at all. Memory is bounded by a
 * row group, whatever the number of parts.
 * @param batches all jobs, with all of their runs
 */
export async function mergeParts(folder: string, batches: readonly Batch[], target: string): Promise<Merged> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await parquetWriting();
  const file = new AtomicFile(target);
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: runColumnData([]) });
  const table = new ParquetWriter({ writer: bytes, schema });
  const damaged: Batch[] = [];
  let rows: RunRecord[] = [];
  let [runs, solved] = [0, 0];
  let failed: string | undefined;
  const drain = async () => {
    await file.write(new Uint8Array(bytes.buffer, 0, bytes.index).slice());
    bytes.index = 0;
  };
  const flush = async () => {
    const columnData = runColumnData(rows).map(({ name, data }) => ({ name, data }));
    await table.write({ columnData, rowGroupSize: GROUP_ROWS });
    await drain();
    runs += rows.length;
    rows = [];
  };
  try {
    for (const batch of batches) {
      const path = join(folder, partName(batch.size, batch.id));
      const records = existsSync(path) ? await readPart(path) : undefined;
      if (records === undefined || !hasEachRunOnce(records, batch)) {
        damaged.push(batch);
        continue;
      }
      solved += records.filter(({ status }) => status === 'solved').length;
      const error = records.find(({ status }) => status === 'error');
      if (error !== undefined) failed ??= `${error.id}: ${error.reason}`;
      rows.push(...records);
      if (rows.length >= GROUP_ROWS) await flush();
    }
    if (damaged.length > 0) return { runs: 0, solved, failed, damaged };
    if (rows.length > 0) await flush();
    await table.finish();
    await drain();
    file.commit();
    return { runs, solved, failed, damaged };
  } finally {
    file.discard();
  }
}

function hasEachRunOnce(records: readonly RunRecord[], { runs }: Batch): boolean {
  const ids = new Set(records.map(({ id }) => id));
  return records.length === runs.length && ids.size === runs.length && runs.every(({ id }) => ids.has(id));
}
