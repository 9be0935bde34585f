import { startWarnings, withoutStart } from '../../../core/scene/configurationOf.ts';
import { InputError } from '../../../errors.ts';
import { readParams } from '../../../formats/schemas/serviceMessages.ts';
import { writers } from '../../../formats/trajectories/index.ts';
import { uncheckedPairs } from '../../../tasks/checking/uncheckedCount.ts';
import { unstatedForces } from '../../../tasks/forces/sceneArm.ts';
import { repairDefaults, repairTrajectory } from '../../../tasks/repair/repairTrajectory.ts';
import { objectText, oneLine, type ThreadContext, within, withoutOptions } from './context.ts';
import { readMotion } from './givenMotion.ts';

const PLACE = 'params.trajectory';

/**
 * Repairs a trajectory; the motion is that of the command `repair` with the same options. A good trajectory is returned
 * as it was given.
 */
export async function repair(
  given: unknown,
  { robot, scene, clock, timeLimit, progress }: ThreadContext,
): Promise<string> {
  const params = readParams('repair', given);
  const { keep_times: keepTimes = false, limits_only: limitsOnly = false, seed = repairDefaults.seed } = params;
  if (keepTimes && limitsOnly)
    throw new InputError('params.limits_only: with keep_times, nothing may change', 'Give at most one of them.');
  const { trajectory, warnings: known } = await readMotion(params.trajectory, robot, scene);
  const judged = params.any_start ? withoutStart(scene) : scene;
  const unknown = params.any_start ? [] : startWarnings(scene);
  const warnings = [...known, ...unknown, ...unstatedForces(robot, scene)];
  progress({ phase: 'repairing' });
  const limit = Math.min(params.time_limit ?? repairDefaults.timeLimit, timeLimit);
  const options = { keepTimes, limitsOnly, seed, timeLimit: limit };
  const found = within(PLACE, () => repairTrajectory(trajectory, robot, judged, options, { clock }, PLACE));
  const isGiven = found.status === 'good' && !Object.hasOwn(params.trajectory, 'text');
  return objectText({
    status: JSON.stringify(found.status),
    reason: JSON.stringify(withoutOptions(found.reason)),
    changed: JSON.stringify(found.changed),
    trajectory: isGiven
      ? JSON.stringify(params.trajectory)
      : found.trajectory && oneLine(writers.json.write(found.trajectory)),
    unchecked: JSON.stringify(uncheckedPairs(robot, judged)),
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : undefined,
  });
}
