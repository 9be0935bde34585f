import type { Trajectory } from '../../trajectory/trajectory.ts';
import { describeFaults } from '../checking/checkTrajectory.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';

/** Returns the result for a valid trajectory, and the function that creates the result of a failed repair. */
export function repairResults(
  given: Trajectory,
  before: RepairResult['before'],
  { timeLimit }: RepairOptions,
  limit: TimeLimit,
): { readonly good: RepairResult; readonly failed: (reason: string) => RepairResult } {
  return {
    good: { status: 'good', reason: 'the trajectory is valid', changed: [], trajectory: given, before },
    failed: (reason) => {
      const cut = limit.hasEnded ? `; the time limit of ${timeLimit} s ended the search` : '';
      return { status: 'failed', reason: `${reason}${cut}`, changed: [], trajectory: undefined, before };
    },
  };
}

/** Returns why a repair failed whose result is not valid. */
export const whyStillInvalid = (after: RepairResult['before']): string =>
  `the repaired trajectory is not valid: ${describeFaults(after).join('; ')}`;
