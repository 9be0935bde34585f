import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { writeAtomically } from '../node/files.ts';
import type { RunRecord } from './record.ts';

/** Table formats of results besides JSON lines: `--format`. */
export const tableFormats = {
  csv: { file: 'runs.csv', write: async (records: readonly RunRecord[]) => csvOf(records) },
  parquet: { file: 'runs.parquet', write: parquetOf },
} as const;

/** Writes all records as a table into a folder. Resolves to the name of the file. */
export async function writeTable(
  records: readonly RunRecord[],
  folder: string,
  format: keyof typeof tableFormats,
): Promise<string> {
  const { file, write } = tableFormats[format];
  const path = join(folder, file);
  await writeAtomically(path, await write(records));
  return path;
}

/** Type of a column; `whole`: integers of up to 53 bits. */
type Kind = 'text' | 'number' | 'whole' | 'boolean' | 'options';

const columns: Readonly<Record<keyof RunRecord, Kind>> = {
  id: 'text',
  version: 'text',
  scene: 'text',
  problem: 'text',
  problem_hash: 'text',
  planner: 'text',
  planner_options: 'options',
  checker: 'text',
  edges: 'text',
  step: 'number',
  corners: 'text',
  shortcut: 'boolean',
  timing: 'boolean',
  constraints: 'options',
  iteration_limit: 'whole',
  time_limit: 'number',
  seed: 'whole',
  repetition: 'whole',
  status: 'text',
  reason: 'text',
  cut_short: 'boolean',
  total_ms: 'number',
  planning_ms: 'number',
  shortcut_ms: 'number',
  timing_ms: 'number',
  check_ms: 'number',
  run_ms: 'number',
  narrowphase_ms: 'number',
  states_checked: 'whole',
  edges_checked: 'whole',
  pair_checks: 'whole',
  nodes: 'whole',
  iterations: 'whole',
  path_length: 'number',
  waypoints: 'whole',
  duration: 'number',
  least_duration: 'number',
  hash: 'text',
};

const entries = Object.entries(columns) as [keyof RunRecord, Kind][];

/** Formats records as CSV with a header line [RFC4180]; null is an empty field. */
function csvOf(records: readonly RunRecord[]): string {
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  const row = (record: RunRecord) => line(entries.map(([name, kind]) => cellOf(record[name], kind)));
  return line(entries.map(([name]) => name)) + records.map(row).join('');
}

function cellOf(value: RunRecord[keyof RunRecord] | undefined, kind: Kind): string {
  if (value === null || value === undefined) return '';
  return kind === 'options' ? JSON.stringify(value) : String(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Encodes records as compressed Parquet; options as JSON text. */
async function parquetOf(records: readonly RunRecord[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer').catch(() => {
    throw new InputError('--format parquet needs the package hyparquet-writer', 'npm install hyparquet-writer');
  });
  const types = { text: 'STRING', number: 'DOUBLE', whole: 'INT64', boolean: 'BOOLEAN', options: 'STRING' } as const;
  const columnData = entries.map(([name, kind]) => ({
    name,
    type: types[kind],
    data: records.map((record) => storedOf(record[name], kind)),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function storedOf(value: RunRecord[keyof RunRecord] | undefined, kind: Kind) {
  if (value === null || value === undefined) return null;
  if (kind === 'options') return JSON.stringify(value);
  return kind === 'whole' ? BigInt(value as number) : value;
}
