import type { ArmModel } from '../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../src/core/dynamics/arm/inverseDynamics.ts';
import { accelerationAt, positionAt, velocityAt } from '../../src/core/trajectory/polynomial.ts';
import type { MotionLimits } from '../../src/core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { leastDurationOnGrid, type PaceRow } from '../leastDuration.ts';

/**
 * Least duration of the motion along a curve, from rest to rest, within limits of velocity, acceleration and torque:
 * dynamic programming over the squared pace x on a grid, the limits at the middle of each interval, where the pace
 * changes by u. Damping is not considered.
 */
export function leastDuration(
  curve: TrajectoryCurve,
  arm: ArmModel,
  { velocity, acceleration }: MotionLimits,
  torques: ArrayLike<number>,
  count: number,
): number {
  const dynamics = new InverseDynamics(arm);
  const step = (curve.end - curve.start) / count;
  const most = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const rows: PaceRow[][] = [];
  for (let i = 0; i < count; i++) {
    const { q, v, a } = stateAt(curve, curve.start + (i + 0.5) * step);
    for (const [j, rate] of v.entries()) {
      const square = (velocity[j] / Math.abs(rate)) ** 2;
      [most[i], most[i + 1]] = [Math.min(most[i], square), Math.min(most[i + 1], square)];
    }
    const still = v.map(() => 0);
    const torqueOf = (rates: number[], pushes: number[], weight: number) => {
      const out = new Float64Array(arm.dof);
      dynamics.rigidTorques(out, q, rates, pushes, weight);
      return out.map((torque, j) => torque + arm.armature[j] * pushes[j]);
    };
    const [factor, square, gravity] = [torqueOf(still, v, 0), torqueOf(v, a, 0), torqueOf(still, still, 1)];
    rows.push([
      ...v.map((rate, j) => ({ factor: rate, square: a[j], fixed: 0, limit: acceleration[j] })),
      ...v.map((rate, j) => {
        const fixed = gravity[j] + arm.friction[j] * Math.sign(rate);
        return { factor: factor[j], square: square[j], fixed, limit: torques[j] };
      }),
    ]);
  }
  return leastDurationOnGrid(new Float64Array(count).fill(step), rows, most);
}

export function stateAt(curve: TrajectoryCurve, time: number) {
  const piece = curve.pieceAt(time);
  const at = (value: typeof positionAt) =>
    Array.from({ length: curve.dof }, (_, j) =>
      value(curve.polynomials, curve.polynomialIndex(piece, j), time - curve.times[piece]),
    );
  return { q: at(positionAt), v: at(velocityAt), a: at(accelerationAt) };
}
