import type { JointSpace } from '../../core/planning/planner.ts';
import { pathLength } from '../../core/planning/shortcut.ts';
import type { Visit } from '../../core/planning/spaceTime/spaceTime.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { minimumDuration } from '../../core/trajectory/minimumDuration.ts';
import type { MotionLimits } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import type { PlanOptions } from '../planning/planOptions.ts';
import { type PhaseWatch, type PlanMotionStatus, type PlanStats, queryStats } from '../planning/planStats.ts';
import type { TimedLeg } from './blendedLegs.ts';

/** Name of the search in trajectories and statistics. */
export const PLANNER = 'st-rrt-connect';

/** A motion that is proved, for statistics. */
export interface FoundMotion {
  readonly legs: readonly TimedLeg[];
  readonly visits: readonly Visit[];
  readonly checked: CheckResult;
  /** Number of points. */
  readonly points: number;
}

/** Data of a query that its statistics consist of. */
interface QueryFigures {
  readonly scene: { readonly name: string };
  readonly options: PlanOptions;
  readonly watch: PhaseWatch;
  readonly space: JointSpace;
  readonly limits: MotionLimits;
  readonly unchecked: UncheckedPairs;
  readonly counts: {
    readonly states: number;
    readonly edges: number;
    readonly nodes: number;
    readonly iterations: number;
  };
}

/** Returns the statistics of a query. */
export function movingStats(
  { scene, options, watch, space, limits, unchecked, counts }: QueryFigures,
  status: PlanMotionStatus,
  found?: FoundMotion,
): PlanStats {
  const path = found?.visits.map(({ q }) => q);
  return {
    ...queryStats(scene, PLANNER, options, status, watch),
    states_checked: counts.states,
    edges_checked: counts.edges,
    pair_checks: 0,
    nodes: counts.nodes,
    iterations: counts.iterations,
    path_length: path ? pathLength(path, space) : null,
    waypoints: found?.points ?? null,
    blends: found ? found.legs.reduce((sum, { blends }) => sum + blends, 0) : null,
    blends_shrunk: found ? 0 : null,
    duration: found?.checked.duration ?? null,
    least_duration: path ? minimumDuration(path[0], path[path.length - 1], limits) : null,
    limit_ratios: found?.checked.ratios ?? null,
    unchecked,
    improvements: [],
  };
}
