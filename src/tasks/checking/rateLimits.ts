import { jointIndex } from '../../core/constraints/jointRanges.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { constraintLabel, type RateConstraint, type StopConstraint } from '../../core/scene/constraints.ts';
import { maxMagnitude, VELOCITY, velocityAt } from '../../core/trajectory/polynomial.ts';
import type { TimedRate } from '../../core/trajectory/retiming/rateSearch.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { velocityTolerance } from '../../core/trajectory/velocityJumps.ts';
import { limitedRate, type RateScene } from '../timing/speedLimits.ts';

/** Relative tolerance of limits of speed, as of limits of joint rates. */
const RATE_TOLERANCE = 1e-6;

/** Returns the highest value above the limit of a constraint in [from, to]; undefined if the limit is proved. */
export type RateExcess = (curve: TrajectoryCurve, from?: number, to?: number) => TimedRate | undefined;

/**
 * Creates the check of a constraint on rates. Throws `InputError` for unknown joints, and as `limitedRate`.
 * @param interrupt ends a search: the limit then counts as exceeded, unless it is proved
 */
export function rateExcessOf(
  robot: RobotModel,
  given: Exclude<RateConstraint, StopConstraint>,
  scene: RateScene,
  interrupt?: Interrupt,
): RateExcess {
  if (given.type !== 'joint_speed') {
    const rate = limitedRate(robot, given, scene, interrupt);
    return (curve, from = curve.start, to = curve.end) => {
      const jump = given.type === 'power' ? velocityJump(robot, curve, from, to) : undefined;
      return jump === undefined
        ? rate.excess(curve, given.most, from, to)
        : { value: Number.POSITIVE_INFINITY, time: jump };
    };
  }
  const joint = jointIndex(robot, given.joint, constraintLabel(given));
  return (curve, from = curve.start, to = curve.end) => {
    let worst = { value: given.most * (1 + RATE_TOLERANCE), time: Number.NaN };
    for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
      const [u0, u1] = [curve.timeInPiece(k, from), curve.timeInPiece(k, to)];
      const value = maxMagnitude(curve.polynomials, curve.polynomialIndex(k, joint), VELOCITY, u0, u1);
      if (!(value <= worst.value)) worst = { value, time: curve.times[k] + 0.5 * (u0 + u1) };
    }
    return Number.isNaN(worst.time) ? undefined : worst;
  };
}

/** Returns the first time in [from, to] at which a velocity jumps, as between set points: no finite power does that. */
function velocityJump({ variables }: RobotModel, curve: TrajectoryCurve, from: number, to: number): number | undefined {
  const velocityIn = (k: number, time: number, j: number) =>
    k < 0 || k >= curve.pieces
      ? 0 // it rests before and after
      : velocityAt(curve.polynomials, curve.polynomialIndex(k, j), curve.timeInPiece(k, time));
  return Array.from(curve.times).find(
    (time, k) =>
      time >= from &&
      time <= to &&
      variables.some(({ limits }, j) => {
        const [before, after] = [velocityIn(k - 1, time, j), velocityIn(k, time, j)];
        return Math.abs(after - before) > velocityTolerance(limits.velocity, before, after);
      }),
  );
}
