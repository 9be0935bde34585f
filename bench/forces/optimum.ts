import type { ArmModel } from '../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../src/core/dynamics/arm/inverseDynamics.ts';
import { accelerationAt, positionAt, velocityAt } from '../../src/core/trajectory/polynomial.ts';
import type { MotionLimits } from '../../src/core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';

const HALVINGS = 60;

/** |factor · u + square · x + fixed| <= limit. */
interface Row {
  readonly factor: number;
  readonly square: number;
  readonly fixed: number;
  readonly limit: number;
}

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
  const rows: Row[][] = [];
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
  // From the end: the highest x at the start of each interval from which the motion can continue; then the highest x.
  for (let i = count - 1; i >= 0; i--) {
    if (rangeOf(rows[i], step, most[i], most[i + 1])) continue;
    let [low, high] = [0, Math.min(most[i], 1e12)];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = 0.5 * (low + high);
      if (rangeOf(rows[i], step, middle, most[i + 1])) low = middle;
      else high = middle;
    }
    most[i] = low;
  }
  let duration = 0;
  for (let i = 0, x = most[0]; i < count; i++) {
    const range = rangeOf(rows[i], step, x, most[i + 1]);
    const next = range ? Math.min(most[i + 1], Math.max(0, x + 2 * step * range[1])) : 0;
    duration += (2 * step) / (Math.sqrt(x) + Math.sqrt(next));
    x = next;
  }
  return duration;
}

/** The range of u for x at the start of an interval and at most `next` at its end; undefined if it is empty. */
function rangeOf(rows: readonly Row[], step: number, x: number, next: number): readonly [number, number] | undefined {
  let [low, high] = [-x / (2 * step), (next - x) / (2 * step)];
  for (const { factor, square, fixed, limit } of rows) {
    const [slope, term] = [factor + square * step, square * x + fixed]; // x in the middle is x + u · step
    if (slope === 0 && Math.abs(term) > limit) return undefined;
    if (slope === 0) continue;
    const ends = [(-limit - term) / slope, (limit - term) / slope];
    [low, high] = [Math.max(low, Math.min(...ends)), Math.min(high, Math.max(...ends))];
  }
  return low <= high ? [low, high] : undefined;
}

function stateAt(curve: TrajectoryCurve, time: number) {
  const piece = curve.pieceAt(time);
  const at = (value: typeof positionAt) =>
    Array.from({ length: curve.dof }, (_, j) =>
      value(curve.polynomials, curve.polynomialIndex(piece, j), time - curve.times[piece]),
    );
  return { q: at(positionAt), v: at(velocityAt), a: at(accelerationAt) };
}
