import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { setPointAcceleration } from '../../core/trajectory/jointExtremes.ts';
import { ACCELERATION, maxMagnitude, VELOCITY } from '../../core/trajectory/polynomial.ts';
import type { MotionLimits, Trajectory, TrajectorySegment } from '../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Relative tolerance of scaled limits. */
const RATE_TOLERANCE = 1e-6;
/** Seconds: offset to the interval before a set point; shorter than every interval. */
const BEFORE_SET_POINT = 1e-8;

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

/** Returns the greatest velocity of any joint at a time; of set points, at both sides: their velocities jump. */
export function fastestRateAt({ setPoints }: Trajectory, curve: TrajectoryCurve, time: number): number {
  const rates = new Float64Array(curve.dof);
  const times = setPoints ? [time - BEFORE_SET_POINT, time] : [time];
  return times.reduce((most, t) => {
    curve.velocity(rates, t);
    return rates.reduce((fastest, rate) => Math.max(fastest, Math.abs(rate)), most);
  }, 0);
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

/**
 * Returns the velocities and accelerations of set points in a segment that exceed limits, as messages: difference
 * quotients, each within the largest limit of the steps of the points that it is computed from. Where two motions are
 * blended, one step ends and the next one begins between two set points.
 * @param limitsOf limits of the step of each point
 */
export function setPointFaults(
  trajectory: Trajectory,
  { variables }: RobotModel,
  limitsOf: readonly MotionLimits[],
  { from, to }: Pick<TrajectorySegment, 'from' | 'to'>,
): string[] {
  const { points } = trajectory;
  const worst = new Map<string, string>();
  const judge = (kind: 'velocity' | 'acceleration', j: number, rate: number, around: readonly number[]) => {
    const limit = Math.max(...around.map((point) => limitsOf[point][kind][j]));
    if (Math.abs(rate) <= limit * (1 + RATE_TOLERANCE)) return;
    worst.set(
      `${kind} ${j}`,
      `${variables[j].name}: ${kind} ${round(rate)}, its limit is ${round(limit)} in this step`,
    );
  };
  for (let i = 1; i < points.length; i++) {
    const time = points[i].time_from_start!;
    if (!(time > from && time <= to)) continue;
    for (let j = 0; j < variables.length; j++) {
      const displacement = points[i].positions[j] - points[i - 1].positions[j];
      judge('velocity', j, displacement / (time - points[i - 1].time_from_start!), [i - 1, i]);
      if (i + 1 < points.length) judge('acceleration', j, setPointAcceleration(trajectory, i, j), [i - 1, i, i + 1]);
    }
  }
  return [...worst.values()];
}

const round = (value: number) => Number(value.toPrecision(6));
