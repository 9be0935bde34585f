import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { startStateOf } from '../../../core/scene/statedStart.ts';
import { inJointOrder } from '../../../core/trajectory/jointOrder.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../../checking/checkResult.ts';
import { createTrajectoryChecker } from '../../checking/checkTrajectory.ts';
import { describeFaults } from '../../checking/describeFaults.ts';
import type { TimeLimit } from '../../planning/stopwatch.ts';
import { motionLimitsOf } from '../../sceneRobot.ts';
import { World } from '../../world.ts';
import { rangeOfTimes } from '../changedSpans.ts';
import type { RepairOptions, RepairResult } from '../repairOptions.ts';
import { isOfProgram, PROGRAM_REASON } from '../repairRefusal.ts';
import { repairResults, whyStillInvalid } from '../repairResults.ts';
import { repairStill } from '../repairStill.ts';
import { repairedFrom, withoutSmallFaults } from '../smallFaults.ts';
import { detours } from './detours.ts';
import { type WaitingMotion, waitingMotions } from './waitingMotions.ts';

/**
 * Repairs a trajectory in a scene with moving obstacles or other robots: first in the scene without them, then, if the
 * motion meets one of them, with a wait at its start or at a point of its curve, or else by a plan in joints and time
 * from a point of its curve. The result is proved until everything is at rest; see `repairTrajectory`.
 */
export function repairAmongMoving(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: RepairOptions,
  limit: TimeLimit,
  place?: string,
): RepairResult {
  const world = new World(robot, scene);
  const check = createTrajectoryChecker(robot, world.manager, limit.isOver, world.tree);
  const before = check(given, place);
  const { good, failed, cleaned } = repairResults(given, before, options, limit);
  if (before.valid) return good;
  if (isOfProgram(given)) return failed(PROGRAM_REASON);
  const names = robot.variables.map(({ name }) => name);
  const [ordered, start, limits] = [
    inJointOrder(given, names, place),
    startStateOf(robot, scene),
    motionLimitsOf(robot, scene),
  ];
  const clean = withoutSmallFaults(ordered, start, limits);
  const { valid, leadIn } = clean.notes.length > 0 ? check(clean.motion) : before;
  if (valid) return cleaned(clean, ordered);
  const base = repairedFrom(clean, { start, limits, leadIn });
  if ('reason' in base) return failed(base.reason);
  const found = repairStill(base.motion, robot, world.still.scene, options, limit, place);
  if (found.trajectory === undefined) return { ...found, before };
  const notes = found.status === 'repaired' ? [...base.notes, found.reason] : base.notes;
  const still: RepairResult = {
    ...found,
    status: notes.length > 0 ? 'repaired' : found.status,
    reason: notes.join(', ') || found.reason,
    trajectory: inJointOrder(found.trajectory, given.jointNames),
  };
  const after = check(still.trajectory!);
  if (after.valid) return { ...still, before };
  const contact = after.collision?.from ?? after.unresolved?.time;
  if (contact === undefined) return failed(whyStillInvalid(after));
  if (options.keepTimes) return failed(`its times are kept, and ${contactText(after)}`);
  const motion = inJointOrder(still.trajectory!, names);
  const setting = { world, interrupt: limit.isOver };
  const isWhole = still.status === 'repaired'; // its times are not those of the given trajectory
  const repaired = ({ trajectory, what, changed }: WaitingMotion): RepairResult => ({
    status: 'repaired',
    reason: [...(isWhole ? [still.reason] : []), what].join(', '),
    changed: isWhole ? [rangeOfTimes(given)] : changed,
    trajectory: inJointOrder(trajectory, given.jointNames),
    before,
  });
  for (const found of waitingMotions(setting, motion, contact))
    if (check(found.trajectory).valid) return repaired(found);
  if (options.limitsOnly) return failed(`no single wait makes the motion valid: without one, ${contactText(after)}`);
  for (const found of detours({ ...setting, robot, scene, seed: options.seed }, motion, contact, limit))
    if (check(found.trajectory).valid) return repaired(found);
  return failed(`neither a wait nor another path makes the motion valid: without them, ${contactText(after)}`);
}

const contactText = (result: CheckResult) => describeFaults({ ...result, faults: [] }).join('; ');
