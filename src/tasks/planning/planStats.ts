import type { EndStatus } from './endpointDiagnosis.ts';

/** Result of `planMotion`; all but `solved` are negative. */
export type PlanMotionStatus = 'solved' | 'no-path' | 'unresolved' | EndStatus;

/** Counts and times of one answer; counts repeat on every machine. Lengths in rad (L2), null where there is no path. */
export interface PlanStats {
  readonly scene: string;
  readonly planner: string;
  readonly checker: string;
  readonly edges: string;
  readonly seed: number;
  readonly status: PlanMotionStatus;
  readonly planning_ms: number;
  readonly shortcut_ms: number;
  readonly timing_ms: number;
  readonly check_ms: number;
  readonly states_checked: number;
  readonly edges_checked: number;
  readonly pair_checks: number;
  readonly nodes: number;
  readonly iterations: number;
  readonly path_length: number | null;
  readonly waypoints: number | null;
  /** Corners passed without a stop, and how often one was made smaller because it was not proved free. */
  readonly blends: number | null;
  readonly blends_shrunk: number | null;
  /** Seconds; null for a path without times. */
  readonly duration: number | null;
  /** Seconds that the limits alone ask for between the ends. */
  readonly least_duration: number | null;
  /** The final check's own measure: greatest velocity, acceleration and jerk over their limits at any moment, 1 at most. */
  readonly limit_ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number } | null;
  /** Each path better than the one before, of planners that go on improving, as the planner found it. */
  readonly improvements: readonly Improvement[];
}

/** A path that a planner found better than its last one. */
export interface Improvement {
  readonly length: number;
  /** Iterations when it was found. */
  readonly iterations: number;
}
