import type { RunSettings } from '../formats/schemas/experimentFile.ts';
import type { PlanStats } from '../tasks/planning/planStats.ts';

/** What every thread of an experiment has from its start. */
export interface ExperimentThreadData {
  /** Folder of problems and robots, `HASH.json` each. */
  readonly folder: string;
}

/** One plan, as it is sent to a thread. */
export interface ExperimentTask {
  /** Hash of the problem. */
  readonly problem: string;
  readonly settings: RunSettings;
  readonly seed: number;
}

/** What comes back. */
export interface ExperimentOutcome {
  readonly stats: Omit<PlanStats, 'status'> & { readonly status: PlanStats['status'] };
  /** One line for people. */
  readonly reason: string;
  readonly cutShort: boolean;
  /** Of the trajectory; null where there is none. */
  readonly hash: string | null;
  /** From the question to the answer, ms, building the collision model included. */
  readonly runMs: number;
}
