import { distanceUnit, type RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';

/** Formats a path improvement of an anytime planner. */
export const improvementLine = (name: string, robot: RobotModel, length: number, iterations: number) =>
  `${name}: a path of ${length.toFixed(4)} ${distanceUnit(robot)} after ${iterations} iterations`;

/**
 * Returns `solved in 31 ms (planning 12, shortcut 15, timing 1, proof 3): 9 points, 4.21 rad, 3.870 s of motion (1.12 x
 * the lower bound)`.
 */
export function summaryOf({ stats }: PlanMotionResult, robot: RobotModel): string {
  const phases = [stats.planning_ms, stats.shortcut_ms, stats.timing_ms, stats.check_ms];
  const total = phases.reduce((sum, ms) => sum + ms, 0);
  const [planning, shortcut, timing, proof] = phases.map((ms) => ms.toFixed(0));
  const motion = stats.duration === null ? '' : `, ${stats.duration.toFixed(3)} s of motion${comparison(stats)}`;
  const length = stats.path_length === null ? '' : `, ${stats.path_length.toFixed(2)} ${distanceUnit(robot)}`;
  return (
    `solved in ${total.toFixed(0)} ms (planning ${planning}, shortcut ${shortcut}, timing ${timing}, proof ` +
    `${proof}): ${stats.waypoints} points${length}${motion}`
  );
}

/**
 * Formats the ratio of the duration to its lower bound, the minimum duration that the joint limits allow between start
 * and goal.
 */
function comparison({ duration, least_duration: bound }: PlanMotionResult['stats']): string {
  return duration && bound ? ` (${(duration / bound).toFixed(2)} x the lower bound)` : '';
}
