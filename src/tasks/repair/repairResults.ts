import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import type { World } from '../world.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';
import { type CleanedMotion, turnedSpan } from './smallFaults.ts';

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
