import { inJointOrder } from '../../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../../checking/checkResult.ts';
import { describeFaults } from '../../checking/describeFaults.ts';
import { rangeOfTimes } from '../changedSpans.ts';
import type { RepairResult } from '../repairOptions.ts';
import { type MotionRepair, whyStillInvalid } from '../repairResults.ts';
import { detours } from './detours.ts';
import { type WaitingMotion, waitingMotions } from './waitingMotions.ts';

/**
 * Repairs a motion in a scene with moving obstacles or other robots: if the motion that is repaired without them meets
 * one of them, with a wait at its start or at a point of its curve, or else by a plan in joints and time from a point
 * of its curve. The result is proved until everything is at rest; see `repairTrajectory`.
 * @param found result of the repair in the scene without what moves
 */
export function repairAmongMoving(setting: MotionRepair, found: RepairResult): RepairResult {
  const { world, given, options, limit, check, before, failed } = setting;
  const { robot, scene } = world;
  if (found.trajectory === undefined) return { ...found, before };
  const notes = found.status === 'repaired' ? [...setting.notes, found.reason] : setting.notes;
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
  const motion = inJointOrder(
    still.trajectory!,
    robot.variables.map(({ name }) => name),
  );
  const waiting = { world, interrupt: limit.isOver };
  const isWhole = still.status === 'repaired'; // its times are not those of the given trajectory
  const repaired = ({ trajectory, what, changed }: WaitingMotion): RepairResult => ({
    status: 'repaired',
    reason: [...(isWhole ? [still.reason] : []), what].join(', '),
    changed: isWhole ? [rangeOfTimes(given)] : changed,
    trajectory: inJointOrder(trajectory, given.jointNames),
    before,
  });
  for (const found of waitingMotions(waiting, motion, contact))
    if (check(found.trajectory).valid) return repaired(found);
  if (options.limitsOnly) return failed(`no single wait makes the motion valid: without one, ${contactText(after)}`);
  for (const found of detours({ ...waiting, robot, scene, seed: options.seed }, motion, contact, limit))
    if (check(found.trajectory).valid) return repaired(found);
  return failed(`neither a wait nor another path makes the motion valid: without them, ${contactText(after)}`);
}

const contactText = (result: CheckResult) => describeFaults({ ...result, faults: [] }).join('; ');
