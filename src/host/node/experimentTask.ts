import type { RunSettings } from '../../formats/schemas/experimentFile.ts';
import type { PlanStats } from '../../tasks/planning/planStats.ts';

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

/** A better path of a search: iterations, ms since the search started, length. */
export type SearchStep = readonly [iterations: number, ms: number, length: number];

/** The course of the search for the path of a solved run. */
export interface SearchCourse {
  /** Each better path in order; of a planner that is not anytime the only one. */
  readonly steps: readonly SearchStep[];
  /** Duration of the search, ms. */
  readonly ms: number;
  /** Length of its path before simplification. */
  readonly length: number;
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
  /** Course of the search; null if the run is not solved, of programs, and among moving objects. */
  readonly search: SearchCourse | null;
}
