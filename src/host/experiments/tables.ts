import { join } from 'node:path';
import { InputError, parseJson } from '../../errors.ts';
import { writeAtomically } from '../node/files.ts';
import { type ColumnKind, type RunRecord, recordFields } from './record.ts';

/** Table formats of results besides JSON lines: `--format`. */
export const tableFormats = {
  csv: { extension: 'csv', write: csvOf },
  parquet: { extension: 'parquet', write: parquetOf },
} as const;

/** Writes all records, and all better paths of searches, as two tables into a folder. Resolves to the first file. */
export async function writeTable(
  records: readonly RunRecord[],
  folder: string,
  format: keyof typeof tableFormats,
): Promise<string> {
  const { extension, write } = tableFormats[format];
  const path = join(folder, `runs.${extension}`);
  await writeAtomically(path, await write(runColumns, records));
  const steps = records.flatMap(({ id, improvements }) =>
    (improvements ?? []).map(([iterations, ms, length], i) => ({ id, number: i + 1, iterations, ms, length })),
  );
  await writeAtomically(join(folder, `improvements.${extension}`), await write(stepColumns, steps));
  return path;
}

const runColumns = Object.fromEntries(Object.entries(recordFields).map(([name, { kind }]) => [name, kind])) as Columns<
  keyof RunRecord
>;

/** Columns of the better paths of searches: number within the run, iterations, ms since the search started, rad. */
const stepColumns = { id: 'text', number: 'whole', iterations: 'whole', ms: 'number', length: 'number' } as const;

type Columns<K extends string> = Readonly<Record<K, ColumnKind>>;
type Row<K extends string> = { readonly [key in K]?: unknown };

const entriesOf = <K extends string>(columns: Columns<K>) => Object.entries(columns) as [K, ColumnKind][];

/** Formats rows as CSV with a header line [RFC4180]; null is an empty field. */
async function csvOf<K extends string>(columns: Columns<K>, rows: readonly Row<K>[]): Promise<string> {
  const entries = entriesOf(columns);
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  const lineOf = (row: Row<K>) => line(entries.map(([name, kind]) => cellOf(row[name], kind)));
  return line(entries.map(([name]) => name)) + rows.map(lineOf).join('');
}

function cellOf(value: unknown, kind: ColumnKind): string {
  if (value === null || value === undefined) return '';
  return kind === 'options' ? JSON.stringify(value) : String(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Encodes rows as compressed Parquet; options as JSON text. */
async function parquetOf<K extends string>(columns: Columns<K>, rows: readonly Row<K>[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await parquetWriting();
  return new Uint8Array(parquetWriteBuffer({ columnData: columnDataOf(columns, rows) }));
}

/** Encodes records as the table of runs. */
export const parquetOfRecords = (records: readonly RunRecord[]): Promise<Uint8Array> => parquetOf(runColumns, records);

/** Loads the package that writes Parquet. */
export function parquetWriting(): Promise<typeof import('hyparquet-writer')> {
  return import('hyparquet-writer').catch(() => {
    throw new InputError('Parquet needs the package hyparquet-writer', 'npm install hyparquet-writer');
  });
}

/** Parquet types of the kinds of columns. */
const types = { text: 'STRING', number: 'DOUBLE', whole: 'INT64', boolean: 'BOOLEAN', options: 'STRING' } as const;

/** Returns the columns of rows as they are encoded. */
function columnDataOf<K extends string>(columns: Columns<K>, rows: readonly Row<K>[]) {
  return entriesOf(columns).map(([name, kind]) => ({
    name,
    type: types[kind],
    nullable: true,
    data: rows.map((row) => storedOf(row[name], kind, name)),
  }));
}

/** Returns the columns of the table of runs. */
export const runColumnData = (records: readonly RunRecord[]) => columnDataOf(runColumns, records);

/** Returns the record of a row of the table of runs; a `RunRecord` if the row is not damaged. */
export function recordOfRow(row: Readonly<Record<string, unknown>>): unknown {
  const cellValue = (value: unknown, kind: ColumnKind) => {
    if (value === null || value === undefined) return null;
    if (kind === 'options') return parseJson(String(value), '');
    return typeof value === 'bigint' ? Number(value) : value;
  };
  return Object.fromEntries(entriesOf(runColumns).map(([name, kind]) => [name, cellValue(row[name], kind)]));
}

function storedOf(value: unknown, kind: ColumnKind, name: string) {
  if (value === null || value === undefined) return null;
  if (kind === 'options') return JSON.stringify(value);
  if (kind !== 'whole') return value as string | number | boolean;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw new InputError(
    `a record has ${name} ${value}, which is no whole number`,
    'It is damaged: delete it and run again.',
  );
}
