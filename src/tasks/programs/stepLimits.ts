import type { RobotModel } from '../../kinematics/robotModel.ts';
import { ACCELERATION, maxMagnitude, VELOCITY } from '../../trajectory/polynomialExtremes.ts';
import type { MotionLimits } from '../../trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';

/** Relative: rates may exceed their scaled limits by this. */
const RATE_TOLERANCE = 1e-6;

/** Returns the maximum magnitude of a derivative of each joint over an interval. */
export function fastestRates(curve: TrajectoryCurve, from: number, to: number, order: number): number[] {
  const out = new Array<number>(curve.dof).fill(0);
  for (let k = 0; k < curve.pieces; k++) {
    const a = Math.max(from, curve.times[k]) - curve.times[k];
    const b = Math.min(to, curve.times[k + 1]) - curve.times[k];
    if (!(b > a)) continue;
    for (let j = 0; j < curve.dof; j++)
      out[j] = Math.max(out[j], maxMagnitude(curve.polynomials, curve.polynomialIndex(k, j), order, a, b));
  }
  return out;
}

/** Returns the velocities and accelerations over an interval that exceed limits, as messages. */
export function limitFaults(
  curve: TrajectoryCurve,
  { variables }: RobotModel,
  limits: MotionLimits,
  from: number,
  to: number,
): string[] {
  const out: string[] = [];
  for (const [kind, order] of [
    ['velocity', VELOCITY],
    ['acceleration', ACCELERATION],
  ] as const) {
    for (const [j, rate] of fastestRates(curve, from, to, order).entries()) {
      const limit = limits[kind][j];
      if (rate <= limit * (1 + RATE_TOLERANCE)) continue;
      out.push(`${variables[j].name}: ${kind} ${round(rate)}, its limit is ${round(limit)} in this step`);
    }
  }
  return out;
}

const round = (value: number) => Number(value.toPrecision(6));
