import type { RunSettings } from '../formats/schemas/experimentFile.ts';
import type { PlanStats } from '../tasks/planning/planStats.ts';

/** Data that each thread of an experiment receives at its start. */
export interface ExperimentThreadData {
  /** Folder of problems and robots: files `HASH.json`. */
  readonly folder: string;
}

/** One planning run, as sent to a thread. */
export interface ExperimentTask {
  /** Hash of the problem. */
  readonly problem: string;
  readonly settings: RunSettings;
  readonly seed: number;
}

/** Result of a planning run. */
export interface ExperimentOutcome {
  readonly stats: Omit<PlanStats, 'status'> & { readonly status: PlanStats['status'] };
  /** One line of text for the user. */
  readonly reason: string;
  readonly cutShort: boolean;
  /** Hash of the trajectory; null if there is none. */
  readonly hash: string | null;
  /** Duration of the run, ms, including the construction of the collision model. */
  readonly runMs: number;
  /** Estimated time of the Boolean checks of the narrow phase, ms; null for programs. */
  readonly narrowphaseMs: number | null;
}
