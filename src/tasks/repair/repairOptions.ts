import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import type { StepFault } from '../programs/programStructure.ts';

/** Options of `repairTrajectory`; `repairDefaults` contains the defaults. */
export interface RepairOptions {
  /** Only the geometry may change: all times remain. Not with `limitsOnly`. Has no effect on a path without times. */
  readonly keepTimes: boolean;
  /** Only the times may change: a motion whose curve is not valid is not repaired. */
  readonly limitsOnly: boolean;
  /** Seed of all random numbers: equal seeds give equal trajectories. An integer of at most 53 bits. */
  readonly seed: number;
  /** Time limit, s. Has no effect without a clock. */
  readonly timeLimit: number;
}

/** Defaults of `RepairOptions`. */
export const repairDefaults: RepairOptions = { keepTimes: false, limitsOnly: false, seed: 1, timeLimit: 10 };

/**
 * Result of `repairTrajectory`. `good`: the given trajectory is valid. `repaired`: a valid trajectory. `failed`: none
 * is found.
 */
export interface RepairResult {
  /** Status of the repair. */
  readonly status: 'good' | 'repaired' | 'failed';
  /** One line that describes the status. */
  readonly reason: string;
  /**
   * Times of the given trajectory, [from, to] in order, at which the result has another curve or another pace: seconds,
   * or waypoints for a path. Empty unless repaired.
   */
  readonly changed: readonly (readonly [number, number])[];
  /** The given trajectory if it is good; undefined if the repair failed. */
  readonly trajectory: Trajectory | undefined;
  /** Result of the check of the given trajectory; for a program with its differences from the steps. */
  readonly before: CheckResult & { readonly stepFaults?: readonly StepFault[] };
}
