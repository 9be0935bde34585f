import { InputError } from '../../../errors.ts';
import { PreparedLibrary } from '../../../tasks/planning/motionLibrary/keptEdges.ts';
import { readLibrary } from '../../../tasks/planning/motionLibrary/libraryFile.ts';
import { planDefaults } from '../../../tasks/planning/planOptions.ts';
import { readText } from '../../node/files.ts';

/** Largest library that is read, bytes. */
export const MAX_LIBRARY_SIZE = 256 * 1024 * 1024;

/**
 * Reads the library of `--library`. Throws `InputError` for suites, and beside options that it contradicts.
 * @param problems number of problems that are planned
 */
export async function readPrepared(
  file: string,
  { planner, edges, jobs }: { readonly planner: string; readonly edges: string; readonly jobs?: number | undefined },
  problems: number,
): Promise<PreparedLibrary> {
  const wrong =
    problems > 1
      ? ['a library is searched for one scene, not for a suite', 'Plan the scenes of the suite one by one.']
      : planner !== 'library' && planner !== planDefaults.planner
        ? [`the planner "${planner}" does not search libraries`, 'Leave --planner or --library out.']
        : edges !== 'certified'
          ? [`the edges of a library are certified, --edges is ${edges}`, 'Leave --edges or --library out.']
          : jobs !== undefined
            ? ['the search of a library uses one thread, --jobs starts several', 'Leave --jobs or --library out.']
            : undefined;
  if (wrong !== undefined) throw new InputError(`--library: ${wrong[0]}`, wrong[1]);
  return new PreparedLibrary(readLibrary(await readText(file, MAX_LIBRARY_SIZE), file), file);
}
