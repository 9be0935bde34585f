import type { Certificate } from '../../certificate/certificate.ts';
import type { RoadmapData } from '../../planning/planner.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { EndpointStatus } from './endpointDiagnosis.ts';

/** Result of `planMotion`; all but `solved` are negative. */
export type PlanMotionStatus = 'solved' | 'no-path' | 'unresolved' | EndpointStatus;

/** Result of `planMotion`. */
export interface PlanMotionResult {
  readonly status: PlanMotionStatus;
  /** One line that describes the status. */
  readonly reason: string;
  /** True if the time limit ended a part of planning: another run may have another result. */
  readonly cutShort: boolean;
  /** Present if and only if `status` is `solved`; proved valid at every instant. */
  readonly trajectory: Trajectory | undefined;
  /** Present for a solved problem if the option `certificate` is set and the motion can be certified by planes. */
  readonly certificate: Certificate | undefined;
  /** True if the time limit ended the computation of the certificate. */
  readonly isCertificateCut: boolean;
  /** The extended roadmap of planners that build one, for further queries of the same robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  readonly stats: PlanStats;
}

/** Counts and times of one query; counts are equal on every machine. Lengths in rad (L2); null if there is no path. */
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
