import type { RoadmapData } from '../../../core/planning/planner.ts';
import { InputError } from '../../../errors.ts';
import { type SceneLibrary, sceneLibrary } from '../../../tasks/planning/motionLibrary/keptEdges.ts';
import { readLibrary } from '../../../tasks/planning/motionLibrary/libraryFile.ts';
import type { LibraryStats } from '../../../tasks/planning/planStats.ts';
import { stillWorld } from '../../../tasks/world.ts';
import { readText } from '../../node/files.ts';
import type { PreparedProblem } from './planProblems.ts';

/** Largest library that is read, bytes. */
export const MAX_LIBRARY_SIZE = 256 * 1024 * 1024;

/**
 * Reads the library of `--library` for a problem. Throws `InputError` for another robot, for suites, and beside options
 * that it contradicts.
 */
export async function readSceneLibrary(
  file: string,
  { planner, edges }: { readonly planner: string; readonly edges: string },
  problems: readonly PreparedProblem[],
): Promise<SceneLibrary> {
  const [problem] = problems;
  const wrong =
    problems.length > 1
      ? 'for one scene, not for a suite'
      : !['rrt-connect', 'lazy-prm', 'prm'].includes(planner)
        ? `planner "${planner}" searches no roadmap`
        : edges !== 'certified'
          ? 'its edges are certified: not with --edges sampled'
          : undefined;
  if (wrong !== undefined) throw new InputError(`--library: ${wrong}`, 'Leave one of them out.');
  const library = readLibrary(await readText(file, MAX_LIBRARY_SIZE), file);
  return sceneLibrary(library, file, problem, stillWorld(problem.model, problem.scene).model);
}

/** Returns what became of the edges of a library in a query that returned a roadmap. */
export function libraryStats({ kept, dropped }: SceneLibrary, after: RoadmapData | undefined): LibraryStats {
  return { kept, dropped, repaired: Math.max(0, (after?.free.length ?? kept) - kept) };
}
