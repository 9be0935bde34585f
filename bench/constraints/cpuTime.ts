import type { Planner, PlanQuery } from '../../src/tasks/createPlanner.ts';
import type { PlanMotionResult } from '../../src/tasks/planning/planMotion.ts';

/** CPU time of this process and all its threads, milliseconds: unlike wall time it does not grow with other loads. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A plan with its CPU times, milliseconds. */
export interface TimedPlan {
  readonly result: PlanMotionResult;
  /** The whole plan. */
  readonly whole: number;
  /** Search, shortcuts and path improvement: their share of the elapsed time, applied to `whole`. */
  readonly search: number;
}

/**
 * Plans a motion. The planner gets the clock that the command line gives it: CPU time is a system call, and reading it
 * at each check of the time limit would take as long as the plan itself.
 */
export function timedPlan(planner: Planner, query: PlanQuery): TimedPlan {
  const begun = cpuMilliseconds();
  const result = planner.plan(query, { clock: () => performance.now() });
  const whole = cpuMilliseconds() - begun;
  const { setup_ms, planning_ms, shortcut_ms, timing_ms, check_ms } = result.stats;
  const searching = planning_ms + shortcut_ms;
  return { result, whole, search: (whole * searching) / (setup_ms + searching + timing_ms + check_ms) };
}
