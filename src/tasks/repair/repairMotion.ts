import { startStateOf } from '../../core/scene/configurationOf.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import type { World } from '../world.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';
import { isOfProgram, PROGRAM_REASON } from './repairRefusal.ts';
import { repairResults } from './repairResults.ts';
import { repairStill } from './repairStill.ts';
import { repairedFrom, withoutSmallFaults } from './smallFaults.ts';
import { repairAmongMoving } from './timed/repairAmongMoving.ts';

/**
 * Repairs a trajectory in its world: removes small faults, then repairs the motion among what is at rest, then among
 * what moves. See `repairTrajectory`.
 * @param limit time limit of the whole repair
 */
export function repairMotion(
  given: Trajectory,
  world: World,
  options: RepairOptions,
  limit: TimeLimit,
  place?: string,
): RepairResult {
  const { robot, scene } = world;
  const names = robot.variables.map(({ name }) => name);
  const ordered = inJointOrder(given, names, place);
  const check = createTrajectoryChecker(robot, world.manager, limit.isOver, world.tree);
  const before = check(ordered, place);
  const { good, failed, cleaned } = repairResults(given, before, options, limit);
  if (before.valid) return good;
  if (isOfProgram(given)) return failed(PROGRAM_REASON);
  const start = startStateOf(robot, scene);
  const limits = motionLimitsOf(robot, scene);
  const clean = withoutSmallFaults(ordered, start, limits);
  const { valid, leadIn } = clean.notes.length > 0 ? check(clean.motion) : before;
  if (valid) return cleaned(clean, ordered);
  const base = repairedFrom(clean, { start, limits, leadIn });
  if ('reason' in base) return failed(base.reason);
  const setting = { world, given, ordered, ...base, options, limit, check, before, failed };
  if (world.isStill) return repairStill(setting);
  return repairAmongMoving(setting, repairMotion(base.motion, world.still, options, limit, place));
}
