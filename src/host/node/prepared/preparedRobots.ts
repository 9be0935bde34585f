import type { RobotFileAccess } from '../../../formats/robots/index.ts';
import type { Urdf } from '../../../formats/robots/urdf.ts';
import type { Prepare } from './preparedData.ts';

/** Queries of a reader whose results depend on files, folders or variables. */
type QueryName =
  | 'exists'
  | 'readText'
  | 'packageFolder'
  | 'inSources'
  | 'fileNames'
  | 'absoluteFolder'
  | 'environment'
  | 'workingFolder';

/** A query: name, argument, result. */
type Query = readonly [QueryName, string, unknown];

/** What is kept of a robot file. */
interface KeptRobot {
  readonly urdf: Urdf;
  /** All queries of the reader, in order; undefined if one failed or their results are too long to be kept. */
  readonly queries: readonly Query[] | undefined;
}

/** A robot file that was read. */
interface PreparedRobot {
  readonly urdf: Urdf;
  /** All that determines the result; undefined if that is not known. */
  readonly inputs: readonly string[] | undefined;
}

/** Robots whose included files are longer in total are not kept. */
const MAX_LENGTH = 8 * 1024 * 1024;

/**
 * Reads a robot file in any format, or returns what was read before from equal inputs. The reader depends on its inputs
 * and on what `access` returns: included files, folders of packages, environment variables. All that is kept beside the
 * result, and is queried again before the result is returned.
 * @param inputs what determines the result besides `access`
 * @param read reads the file by the access that it receives
 */
export async function preparedRobot(
  prepare: Prepare,
  inputs: readonly string[],
  access: RobotFileAccess,
  read: (access: RobotFileAccess) => Promise<Urdf>,
): Promise<PreparedRobot> {
  const compute = async (): Promise<KeptRobot> => {
    const recorder = new QueryRecorder(access);
    const { document: _, ...urdf } = await read(recorder.access); // trees cannot be kept
    return { urdf, queries: recorder.queries };
  };
  const isCurrent = (kept: KeptRobot) => areCurrent(kept.queries, access);
  const { urdf, queries } = await prepare('urdf', inputs, compute, isCurrent);
  return { urdf, inputs: queries && [...inputs, JSON.stringify(queries)] };
}

/** Returns true if all queries have the same results as before. */
function areCurrent(queries: readonly Query[] | undefined, access: RobotFileAccess): boolean {
  try {
    return queries?.every(([name, argument, result]) => resultOf(access, name, argument) === result) ?? false;
  } catch {
    return false; // a file is missing now, or may no longer be read
  }
}

const resultOf = (access: RobotFileAccess, name: QueryName, argument: string): unknown =>
  name === 'workingFolder' ? access.workingFolder : access[name](argument);

/** Records the queries of a reader and their results. */
class QueryRecorder {
  private readonly recorded = new Map<string, Query>();
  private length = 0;
  private isComplete = true;
  readonly access: RobotFileAccess;

  constructor(files: RobotFileAccess) {
    const record =
      <T>(name: QueryName, query: (argument: string) => T) =>
      (argument: string): T => {
        try {
          const result = query(argument);
          this.add([name, argument, result]);
          return result;
        } catch (error) {
          this.isComplete = false;
          throw error;
        }
      };
    const workingFolder = record('workingFolder', () => files.workingFolder);
    this.access = {
      resolve: files.resolve, // depends on its arguments only
      exists: record('exists', files.exists),
      readText: record('readText', files.readText),
      inSources: record('inSources', files.inSources),
      fileNames: record('fileNames', files.fileNames),
      packageFolder: record('packageFolder', files.packageFolder),
      absoluteFolder: record('absoluteFolder', files.absoluteFolder),
      environment: record('environment', files.environment),
      get workingFolder() {
        return workingFolder('');
      },
    };
  }

  get queries(): readonly Query[] | undefined {
    return this.isComplete ? [...this.recorded.values()] : undefined;
  }

  /** Adds a query. The record is incomplete if a repeated query has another result: a file was changed meanwhile. */
  private add(query: Query): void {
    const [name, argument, result] = query;
    const key = `${name} ${argument}`;
    const before = this.recorded.get(key);
    if (before !== undefined) {
      this.isComplete &&= before[2] === result;
      return;
    }
    this.recorded.set(key, query);
    this.length += argument.length + (typeof result === 'string' ? result.length : 0);
    this.isComplete &&= this.length <= MAX_LENGTH;
  }
}
