import { ToolTracker } from '../../src/core/cartesian/toolTracker.ts';
import { tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import type { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../../src/tasks/sceneRobot.ts';
import { type CurveNode, leastJerkDuration } from '../leastJerkDuration.ts';
import { weaveAt } from './scenes.ts';

/** Share of the parameter over which its pace rises from 0 at both ends, so that derivatives are 0 there. */
const RAMP = 0.04;

/** Fraction of the curve at u from 0 to 1. */
function fractionAt(u: number): number {
  const rising = (x: number) => RAMP * x ** 4 * (2.5 - 3 * x + x * x);
  if (u < RAMP) return rising(u / RAMP) / (1 - RAMP);
  return u > 1 - RAMP ? 1 - fractionAt(1 - u) : (u - RAMP / 2) / (1 - RAMP);
}

/**
 * Least duration, within limits of jerk, along the smooth curve that the way points of a weave are on: a curve within
 * the tolerance that no planner has chosen. Its joint path is that next to the configuration at the start of a motion.
 */
export function leastSmoothWeave(problem: Problem, curve: TrajectoryCurve, from: number, count: number, nodes: number) {
  const robot = createSceneRobot(problem);
  const limits = motionLimitsOf(robot, problem.scene);
  const tracker = new ToolTracker(robot, tcpOf(robot, problem.scene.tcp));
  const q = new Float64Array(robot.dof);
  curve.position(q, from);
  const T = tracker.pose(q).slice();
  const path = Array.from({ length: nodes + 5 }, (_, i) => {
    const u = Math.min(1, Math.max(0, (i - 2) / nodes));
    [T[3], T[7], T[11]] = weaveAt((count - 1) * fractionAt(u));
    if (!tracker.correct(q, T)) throw new Error('the weave is out of reach');
    return q.slice();
  });
  // a unit of time in which the pace is about 1
  const h = (0.016 * count) / nodes;
  const grid = Array.from({ length: nodes + 1 }, (_, i): CurveNode => {
    const [a, b, c, d, e] = path.slice(i, i + 5);
    const each = (value: (j: number) => number) => Array.from(q, (_, j) => value(j));
    const first = each((j) => (a[j] - e[j] + 8 * (d[j] - b[j])) / (12 * h));
    const second = each((j) => (16 * (b[j] + d[j]) - 30 * c[j] - a[j] - e[j]) / (12 * h * h));
    const third = each((j) => (e[j] - a[j] + 2 * (b[j] - d[j])) / (2 * h ** 3));
    const rate = Math.max(...first.map((value, j) => Math.abs(value) / limits.velocity[j]));
    return { at: i * h, first, second, thirds: [third], most: Math.min(1e8, 1 / (rate * rate)) };
  });
  return leastJerkDuration(grid, limits);
}
