import type { Scene } from '../../core/scene/scene.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import type { PlanOptions } from '../planning/planOptions.ts';
import type { PlanMotionStatus, PlanStats } from '../planning/planStats.ts';
import { plannerNameOf } from '../planning/selectedPlanner.ts';
import type { ProgramMoves } from './programMoves.ts';

/** Figures of the plan of a program. */
export interface ProgramFigures {
  /** Sums over its free motions. */
  readonly sums: ReturnType<ProgramMoves['sums']>;
  /** Time of the checks of whole programs, and total time, milliseconds. */
  readonly checking: number;
  readonly elapsed: number;
  /** Number of joint paths of lines and arcs that were computed. */
  readonly followed: number;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
}

/** Returns the statistics of a program. */
export function programStats(
  scene: Scene,
  options: PlanOptions,
  status: PlanMotionStatus,
  { sums, checking, elapsed, followed, unchecked }: ProgramFigures,
  found?: { readonly trajectory: Trajectory; readonly checked: CheckResult },
): PlanStats {
  const { checker, edges, seed } = options;
  const { setup_ms, shortcut_ms, timing_ms } = sums;
  const check_ms = sums.check_ms + checking;
  // The remaining time is planning: inverse kinematics, lines, arcs and the search over all steps.
  const planning_ms = Math.max(0, elapsed - setup_ms - shortcut_ms - timing_ms - check_ms);
  return {
    scene: scene.name,
    planner: plannerNameOf(options),
    checker,
    edges,
    seed,
    status,
    ...sums,
    planning_ms,
    check_ms,
    path_length: null,
    waypoints: found?.trajectory.points.length ?? null,
    blends: null,
    blends_shrunk: null,
    duration: found?.checked.duration ?? null,
    least_duration: null,
    limit_ratios: found?.checked.ratios ?? null,
    unchecked,
    improvements: [],
    lines_followed: followed,
  };
}
