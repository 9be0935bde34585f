import { InputError } from '../../../errors.ts';
import type { OmplBenchmark, OmplPlanner } from './benchmark.ts';

/** The part of `node:sqlite` that is used: that of Node 22.13 and later, which has no types in earlier versions. */
interface Sqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(sql: string): { all(...values: readonly unknown[]): readonly Row[] };
    close(): void;
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Columns of a database that are not properties of a run. */
const KEYS = ['id', 'experimentid', 'plannerid'];

/**
 * Reads a database of OMPL benchmarks, as `ompl_benchmark_statistics.py` writes it for Planner Arena: one benchmark for
 * each experiment. Throws `InputError` if this version of Node has no SQLite, or the file is another database.
 */
export async function readOmplDatabase(file: string): Promise<OmplBenchmark[]> {
  const { DatabaseSync } = await sqlite(file);
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const opened = database;
    const rows = (sql: string, ...values: readonly unknown[]) => opened.prepare(sql).all(...values);
    const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
    const missing = ['experiments', 'plannerConfigs', 'runs'].find((table) => !tables.includes(table));
    if (missing !== undefined) throw new Error(`it has no table ${missing}`);
    const statuses = tables.includes('enums')
      ? new Map(
          rows("SELECT value, description FROM enums WHERE name = 'status'").map(({ value, description }) => [
            Number(value),
            String(description),
          ]),
        )
      : new Map<number, string>();
    const hasProgress = tables.includes('progress');
    return rows('SELECT id, name, timelimit FROM experiments ORDER BY id').map(({ id, name, timelimit }) => ({
      name: String(name),
      timeLimit: Number(timelimit),
      planners: rows(
        'SELECT DISTINCT plannerConfigs.id AS id, plannerConfigs.name AS name FROM runs JOIN plannerConfigs ' +
          'ON runs.plannerid = plannerConfigs.id WHERE runs.experimentid = ? ORDER BY plannerConfigs.id',
        id,
      ).map(
        (planner): OmplPlanner => ({
          name: String(planner['name']),
          runs: rows('SELECT * FROM runs WHERE experimentid = ? AND plannerid = ? ORDER BY id', id, planner['id']).map(
            (run) => ({
              properties: propertiesOf(run),
              status: statuses.get(Number(run['status'])),
              progress: hasProgress
                ? rows('SELECT * FROM progress WHERE runid = ? ORDER BY time', run['id']).map(sampleOf)
                : [],
            }),
          ),
        }),
      ),
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `${file}: this database cannot be read: ${reason}`,
      'Read one that ompl_benchmark_statistics.py has written, or the .log itself.',
    );
  } finally {
    database?.close();
  }
}

async function sqlite(file: string): Promise<Sqlite> {
  const name = 'node:sqlite'; // not a literal: the bundler and earlier versions of Node do not know it
  try {
    return (await import(name)) as Sqlite;
  } catch {
    throw new InputError(
      `${file}: databases need node:sqlite, which Node ${process.version} does not have`,
      'Use Node 22.13 or later, or read the .log instead.',
    );
  }
}

/** Returns the properties of a run with the names of the log: `solution_length` is `solution length`. */
function propertiesOf(run: Row): Record<string, number | undefined> {
  const entries = Object.entries(run).filter(([key]) => !KEYS.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key.replaceAll('_', ' '), numberOf(value)]));
}

const sampleOf = (row: Row): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      key === 'runid' ? [] : [[key.replaceAll('_', ' '), numberOf(value) ?? Number.NaN]],
    ),
  );

function numberOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) throw new Error(`${JSON.stringify(value)} is not a number`);
  return number;
}
