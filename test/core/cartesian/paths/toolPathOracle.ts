import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import {
  angleBetween,
  inverse,
  linkPose,
  type Matrix,
  matrixOf,
  motionAt,
  multiply,
} from '../../../tasks/programs/programOracle.ts';
import { toolPose } from '../legOracle.ts';

// Independent of the sources: Hermite interpolation, Rodrigues' formula, the polyline of all way points on a grid, and
// the lowest position on it that never decreases.

/** Grid intervals per leg. */
const GRID = 24;

/** Angle between the z axes of two orientations. */
const axisAngle = (A: Matrix, B: Matrix) =>
  2 * Math.asin(Math.min(1, Math.hypot(A[2] - B[2], A[6] - B[6], A[10] - B[10]) / 2));

/**
 * Returns the time at which a motion is not on a tool path with stated orientations, within `tolerance` times those of
 * the step; undefined if it follows the path from its start to its end. Orientations between way points are those of
 * the nearer one: for paths of constant orientation only.
 */
export function leavesPath(
  model: RobotModel,
  tcp: LinkFrame,
  step: PathStep,
  motion: Trajectory,
  samples: number,
  tolerance = 1,
): number | undefined {
  const grid: Matrix[] = [];
  for (const [k, point] of step.points.entries()) {
    const T = matrixOf({ xyz: point.xyz, quat_wxyz: point.quat_wxyz! });
    const before = grid.at(-1);
    for (let i = 1; before && i < GRID; i++)
      grid.push(T.map((value, n) => (n % 4 === 3 ? before[n] + (i / GRID) * (value - before[n]) : value)));
    if (k >= 0) grid.push(T);
  }
  const frameAt = (q: readonly number[]) =>
    step.frame === 'world' ? undefined : inverse(linkPose(model, step.frame, q));
  const end = motion.points.at(-1)!.time_from_start!;
  let at = 0;
  for (let i = 0; i <= samples; i++) {
    const t = (i / samples) * end;
    const q = motionAt(motion, t);
    const T_world_tcp = toolPose(model, tcp, q);
    const back = frameAt(q);
    const T = back ? multiply(back, T_world_tcp) : T_world_tcp;
    const isOn = (k: number) => {
      const G = grid[k];
      const [a, b] = [grid[Math.max(0, k - 1)], grid[Math.min(grid.length - 1, k + 1)]];
      // a grid point represents its neighbourhood
      const half = 0.5 * Math.max(gap(G, a), gap(G, b));
      const off = gap(G, T);
      const angle = step.isYawFree ? axisAngle(G, T) - step.tilt : angleBetween(G, T);
      const limit = tolerance * step.tolerance.position;
      return off * off <= limit * limit + half * half + 1e-16 && angle <= tolerance * step.tolerance.angle + 1e-9;
    };
    while (at < grid.length && !isOn(at)) at++;
    if (at === grid.length) return t;
    if (i === 0 && at > GRID) return 0;
  }
  const last = matrixOf({ xyz: step.points.at(-1)!.xyz, quat_wxyz: step.points.at(-1)!.quat_wxyz! });
  const q = motionAt(motion, end);
  const T = toolPose(model, tcp, q);
  const back = frameAt(q);
  const isAtEnd = gap(last, back ? multiply(back, T) : T) <= tolerance * step.tolerance.position + 1e-9;
  return isAtEnd ? undefined : end;
}

const gap = (A: Matrix, B: Matrix) => Math.hypot(A[3] - B[3], A[7] - B[7], A[11] - B[11]);
