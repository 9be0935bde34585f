import { InputError } from '../../errors.ts';
import { readParams } from '../../formats/schemas/serviceMessages.ts';
import { writers } from '../../formats/trajectories/index.ts';
import { repairDefaults, repairTrajectory } from '../../tasks/repair/repairTrajectory.ts';
import { objectText, oneLine, type ThreadContext, within, withoutOptions } from './context.ts';
import { readMotion } from './readMotion.ts';

const PLACE = 'params.trajectory';

/** Repairs a trajectory; the result is that of the command `repair`. */
export async function repair(given: unknown, context: ThreadContext): Promise<string> {
  const { robot, scene, clock, progress } = context;
  const params = readParams('repair', given);
  const { keep_times: keepTimes = false, limits_only: limitsOnly = false, seed = repairDefaults.seed } = params;
  if (keepTimes && limitsOnly)
    throw new InputError('params.limits_only: with keep_times, nothing may change', 'Give at most one of them.');
  const { trajectory: motion, warnings } = await readMotion(params.trajectory, robot, scene);
  progress({ phase: 'repairing' });
  const timeLimit = Math.min(params.time_limit ?? repairDefaults.timeLimit, context.timeLimit);
  const options = { keepTimes, limitsOnly, seed, timeLimit };
  const { status, reason, changed, trajectory } = within(PLACE, () =>
    repairTrajectory(motion, robot, scene, options, { clock }),
  );
  return objectText({
    status: JSON.stringify(status),
    reason: JSON.stringify(withoutOptions(reason)),
    changed: JSON.stringify(changed),
    trajectory: trajectory && oneLine(writers.json.write(trajectory)),
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : undefined,
  });
}
