import { join } from 'node:path';
import { writeAtomically } from '../node/files.ts';
import { type ColumnKind, type RunRecord, recordFields } from './record.ts';

/** Writes all records, and all better paths of searches, as two CSV tables. Resolves to the path of the first one. */
export async function writeTables(records: readonly RunRecord[], folder: string): Promise<string> {
  const path = join(folder, 'runs.csv');
  await writeAtomically(path, csvOf(runColumns, records));
  const steps = records.flatMap(({ id, improvements }) =>
    (improvements ?? []).map(([iterations, ms, length], i) => ({ id, number: i + 1, iterations, ms, length })),
  );
  await writeAtomically(join(folder, 'improvements.csv'), csvOf(stepColumns, steps));
  return path;
}

const runColumns = Object.fromEntries(Object.entries(recordFields).map(([name, { kind }]) => [name, kind])) as Columns<
  keyof RunRecord
>;

/** Columns of the better paths of searches: number within the run, iterations, ms since the search started, rad. */
const stepColumns = { id: 'text', number: 'whole', iterations: 'whole', ms: 'number', length: 'number' } as const;

type Columns<K extends string> = Readonly<Record<K, ColumnKind>>;
type Row<K extends string> = { readonly [key in K]?: unknown };

/** Formats rows as CSV with a header line [RFC4180]; null is an empty field. */
function csvOf<K extends string>(columns: Columns<K>, rows: readonly Row<K>[]): string {
  const entries = Object.entries(columns) as [K, ColumnKind][];
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  const lineOf = (row: Row<K>) => line(entries.map(([name, kind]) => cellOf(row[name], kind)));
  return line(entries.map(([name]) => name)) + rows.map(lineOf).join('');
}

function cellOf(value: unknown, kind: ColumnKind): string {
  if (value === null || value === undefined) return '';
  return kind === 'options' ? JSON.stringify(value) : String(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
