import { join } from 'node:path';
import { writeAtomically } from '../node/files.ts';
import { type RunRecord, recordFields } from './record.ts';

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

const runColumns = Object.keys(recordFields) as (keyof RunRecord)[];
/** Columns of the better paths of searches: number within the run, iterations, ms since the search started, rad. */
const stepColumns = ['id', 'number', 'iterations', 'ms', 'length'] as const;

/** Formats rows as CSV with a header line [RFC4180]; null is an empty field, an object or list its JSON text. */
function csvOf<K extends string>(columns: readonly K[], rows: readonly { readonly [key in K]?: unknown }[]): string {
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  return line(columns) + rows.map((row) => line(columns.map((name) => cellOf(row[name])))).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
