import type { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import { type ArcEnd, stateAt } from '../../core/trajectory/retiming/arc.ts';
import type { ForceRows, PaceGrid } from '../../core/trajectory/retiming/paceGrid.ts';

/**
 * Returns the torques at both ends of the intervals of a grid as functions of the pace.
 * @param limits of the torques, by planned joint
 * @param velocities greatest velocities of the joints
 */
export function torqueRows(
  dynamics: InverseDynamics,
  limits: ArrayLike<number>,
  velocities: ArrayLike<number>,
  grid: PaceGrid,
): readonly [ForceRows, ForceRows] {
  const [begin, end] = [emptyRows(grid), emptyRows(grid)];
  for (let i = 0; i < grid.count; i++) {
    const arc = grid.arcs[grid.arc[i]];
    setRow(begin, i, stateAt(arc, grid.from[i]), dynamics, limits, velocities);
    setRow(end, i, stateAt(arc, Math.min(arc.duration, grid.from[i] + grid.step[i])), dynamics, limits, velocities);
  }
  return [begin, end];
}

function emptyRows({ count, dof }: PaceGrid): ForceRows {
  const row = () => new Float64Array(count * dof);
  return { factor: row(), square: row(), lower: row(), upper: row() };
}

/**
 * Sets the torques at a state of a curve: M q' u + (M q'' + C(q, q') q') x + g. Damping counts as at the greatest
 * velocity where it adds to a torque.
 */
function setRow(
  rows: ForceRows,
  i: number,
  { positions: q, velocities: v, accelerations: a }: ArcEnd,
  dynamics: InverseDynamics,
  limits: ArrayLike<number>,
  velocities: ArrayLike<number>,
): void {
  const { arm } = dynamics;
  const { dof } = arm;
  const still = new Float64Array(dof);
  const [gravity, factor, square] = [0, 1, 2].map(() => new Float64Array(dof));
  dynamics.rigidTorques(gravity, q, still, still, 1);
  dynamics.rigidTorques(factor, q, still, v, 0);
  dynamics.rigidTorques(square, q, v, a, 0);
  for (let k = 0, at = i * dof; k < dof; k++, at++) {
    rows.factor[at] = factor[k] + arm.armature[k] * v[k];
    rows.square[at] = square[k] + arm.armature[k] * a[k];
    const drag = arm.damping[k] * Math.sign(v[k]) * Math.min(Math.abs(v[k]), velocities[k]);
    const friction = arm.friction[k] * Math.sign(v[k]);
    const fixed = gravity[k] + friction;
    rows.upper[at] = limits[k] - fixed - Math.max(0, drag);
    rows.lower[at] = -limits[k] - fixed - Math.min(0, drag);
  }
}
