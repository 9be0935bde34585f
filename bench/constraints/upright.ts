import { ToolTracker } from '../../src/core/cartesian/toolTracker.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';

const MAX_STEPS = 30;
const DIFFERENCE = 1e-6;
const LONGEST_STEP = 0.3;

/**
 * The tool of a robot and the tilt of an axis of it from the vertical, for making scenes: differences and Newton steps
 * of its own, so that the scenes do not depend on the projection of the planner.
 */
export class UprightTool {
  private readonly tracker: ToolTracker;

  constructor(
    robot: RobotModel,
    private readonly axis: readonly number[],
  ) {
    this.tracker = new ToolTracker(robot, tcpOf(robot, undefined));
  }

  /** Returns the origin of the tool in the world. */
  originAt(q: Configuration): [number, number, number] {
    const T = this.tracker.pose(q);
    return [T[3], T[7], T[11]];
  }

  /** Returns the angle of the axis to the vertical, rad. */
  tiltAt(q: Configuration): number {
    const [x, y, z] = this.axisAt(q);
    return Math.atan2(Math.sqrt(x * x + y * y), z);
  }

  /** Moves a state in place until the axis is upright within an angle, rad; returns false if that fails. */
  makeUpright(q: Configuration, within: number): boolean {
    for (let step = 0; step < MAX_STEPS; step++) {
      const [x, y, z] = this.axisAt(q);
      if (z > 0 && Math.sqrt(x * x + y * y) <= Math.sin(within)) return true;
      // From the lower half the largest steps lead up, whatever their direction.
      const length = Math.max(Math.sqrt(x * x + y * y), 1e-3);
      const share = z > 0 ? 1 : 0.3 / length;
      const rows = this.differences(q, [x, y]);
      const [a, b, d] = [dot(rows[0], rows[0]), dot(rows[0], rows[1]), dot(rows[1], rows[1])];
      const determinant = a * d - b * b;
      if (!(determinant > 1e-9)) return false;
      const sign = z > 0 ? -share : share;
      const u = (sign * (d * x - b * y)) / determinant;
      const v = (sign * (a * y - b * x)) / determinant;
      const moves = q.map((_, j) => rows[0][j] * u + rows[1][j] * v);
      const most = Math.max(...moves.map(Math.abs));
      const scale = most > LONGEST_STEP ? LONGEST_STEP / most : 1;
      for (let j = 0; j < q.length; j++) q[j] += scale * moves[j];
    }
    return false;
  }

  private axisAt(q: Configuration): [number, number, number] {
    const T = this.tracker.pose(q);
    const along = (row: number) => dot(T.subarray(4 * row, 4 * row + 3), this.axis);
    return [along(0), along(1), along(2)];
  }

  private differences(q: Configuration, [x, y]: readonly number[]): [number[], number[]] {
    const rows: [number[], number[]] = [[], []];
    for (let j = 0; j < q.length; j++) {
      const moved = q.slice();
      moved[j] += DIFFERENCE;
      const [mx, my] = this.axisAt(moved);
      rows[0].push((mx - x) / DIFFERENCE);
      rows[1].push((my - y) / DIFFERENCE);
    }
    return rows;
  }
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += a[i] * b[i];
  return sum;
}
