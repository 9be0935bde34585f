import { dirname, resolve } from 'node:path';
import { InputError, suggestion } from '../../errors.ts';
import type { Condition, ExperimentFile } from '../../formats/schemas/experimentFile.ts';
import { isPlannerFile } from '../../formats/schemas/plannerFile.ts';
import { plannerHash } from '../node/planners/ownPlanner.ts';
import { runWatched } from '../node/planners/watchedTask.ts';
import { createWorkerPool } from '../node/workers.ts';

/** Time limit of loading a module, s. */
const LOAD_LIMIT = 10;

/**
 * Returns the conditions of an experiment with the hash of each planner of the user. Loads the modules on a thread;
 * throws an error on the key `planners` if a module is invalid or does not have the given options.
 */
export async function withPlannerHashes(experiment: ExperimentFile): Promise<readonly Condition[]> {
  const { conditions, errorAt } = experiment;
  const names = [...new Set(conditions.map(({ settings }) => settings.planner).filter(isPlannerFile))];
  if (names.length === 0) return conditions;
  const hashes = new Map<string, string>();
  const pool = await createWorkerPool('experimentWorker', { threads: 1, data: { folder: '' } });
  try {
    for (const name of names) {
      const plannerFile = resolve(dirname(experiment.file), name);
      hashes.set(name, plannerHash(plannerFile));
      const options = await runWatched<string[]>(pool, { plannerFile }, LOAD_LIMIT, name, 'plannerOptionNames');
      for (const { settings } of conditions.filter((one) => one.settings.planner === name))
        for (const option of Object.keys(settings.plannerOptions))
          if (!options.includes(option))
            throw new InputError(`${name}: it has no option "${option}"`, suggestion(option, options));
    }
  } catch (error) {
    const { message, note } = error as { readonly message: string; readonly note?: string };
    throw await errorAt(['planners'], message, note);
  } finally {
    await pool.destroy();
  }
  return conditions.map((condition) => {
    const hash = hashes.get(condition.settings.planner);
    return hash === undefined ? condition : { ...condition, settings: { ...condition.settings, plannerHash: hash } };
  });
}
