import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import type { World } from '../world.ts';
import { rangeOfTimes } from './changedSpans.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';
import { type CleanedMotion, turnedSpan } from './smallFaults.ts';
import { detours, type WaitingMotion, waitingMotions } from './timed/waitingMotions.ts';

/** The results of repairs that do not depend on the kind of the scene. */
export interface RepairResults {
  /** The result for a valid trajectory. */
  readonly good: RepairResult;
  /** Returns the result of a failed repair. */
  readonly failed: (reason: string) => RepairResult;
  /** Returns the result if the trajectory is valid without its small faults; `ordered`: its joints in robot order. */
  readonly cleaned: (clean: CleanedMotion, ordered: Trajectory) => RepairResult;
}

/** A motion that is repaired, without its small faults. */
export interface MotionRepair {
  readonly world: World;
  /** The trajectory as given, and with its joints in the order of the robot. */
  readonly given: Trajectory;
  readonly ordered: Trajectory;
  /** The motion to be repaired, and what was changed in it. */
  readonly motion: Trajectory;
  readonly notes: readonly string[];
  readonly options: RepairOptions;
  readonly limit: TimeLimit;
  readonly check: (motion: Trajectory) => CheckResult;
  /** Result of the check of the given trajectory. */
  readonly before: CheckResult;
  readonly failed: RepairResults['failed'];
}

/** Returns the results for a trajectory, given that of its check. */
export function repairResults(
  given: Trajectory,
  before: RepairResult['before'],
  { timeLimit }: RepairOptions,
  limit: TimeLimit,
): RepairResults {
  return {
    good: { status: 'good', reason: 'the trajectory is valid', changed: [], trajectory: given, before },
    failed: (reason) => {
      const cut = limit.hasEnded ? `; the time limit of ${timeLimit} s ended the search` : '';
      return { status: 'failed', reason: `${reason}${cut}`, changed: [], trajectory: undefined, before };
    },
    cleaned: ({ motion, notes }, ordered) => ({
      status: 'repaired',
      reason: notes.join(', '),
      changed: turnedSpan(ordered, motion).map(({ from, to }) => [from, to]),
      trajectory: inJointOrder(withoutHash(motion), given.jointNames),
      before,
    }),
  };
}

/** Returns a trajectory without the hash of other points. */
const withoutHash = ({ statedHash: _, ...rest }: Trajectory): Trajectory => rest;

/** Returns why a repair failed whose result is not valid. */
export const whyStillInvalid = (after: RepairResult['before']): string =>
  `the repaired trajectory is not valid: ${describeFaults(after).join('; ')}`;

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
