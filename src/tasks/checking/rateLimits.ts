import { jointIndex } from '../../core/constraints/jointRanges.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { constraintLabel, type RateConstraint } from '../../core/scene/constraints.ts';
import { maxMagnitude, VELOCITY } from '../../core/trajectory/polynomial.ts';
import type { TimedRate } from '../../core/trajectory/retiming/rateSearch.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { limitedRate, type RateScene } from '../timing/speedLimits.ts';

/** Relative tolerance of limits of speed, as of limits of joint rates. */
const RATE_TOLERANCE = 1e-6;

/** Returns the highest value above the limit of a constraint in [from, to]; undefined if the limit is proved. */
export type RateExcess = (curve: TrajectoryCurve, from?: number, to?: number) => TimedRate | undefined;

/** Creates the check of a constraint on rates. Throws `InputError` for unknown joints, and as `limitedRate`. */
export function rateExcessOf(robot: RobotModel, given: RateConstraint, scene: RateScene): RateExcess {
  if (given.type !== 'joint_speed') {
    const rate = limitedRate(robot, given, scene);
    return (curve, from, to) => rate.excess(curve, given.most, from, to);
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
