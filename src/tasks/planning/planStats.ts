import type { EndpointStatus } from './endpointDiagnosis.ts';

/** Result of `planMotion`; all but `solved` are negative. */
export type PlanMotionStatus = 'solved' | 'no-path' | 'unresolved' | EndpointStatus;

/** Counts and times of one query; counts are equal on every machine. Lengths in rad (L2); null if there is no path. */
export interface PlanStats {
  readonly scene: string;
  /** Name of the planner; `own` for a planner that is no entry of `planners`. */
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
  /** Number of blended corners, and how often a blend was shrunk because it was not proved collision-free. */
  readonly blends: number | null;
  readonly blends_shrunk: number | null;
  /** Seconds; null for a path without times. */
  readonly duration: number | null;
  /** Lower bound on the duration from the limits alone, between start and goal, seconds. */
  readonly least_duration: number | null;
  /** Maximum over time of velocity, acceleration and jerk divided by their limits, from the final check; at most 1. */
  readonly limit_ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number } | null;
  /** Improved paths of an anytime planner, in order. */
  readonly improvements: readonly Improvement[];
}

/** An improved path of an anytime planner. */
export interface Improvement {
  readonly length: number;
  /** Number of iterations when it was found. */
  readonly iterations: number;
}
