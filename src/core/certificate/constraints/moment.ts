import { UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import type { IntervalPose } from '../linkPoseCache.ts';
import { RATE_ROUNDING } from '../motionPieces.ts';

/** Interval of one piece of the motion of the planned robot: the state in its middle, and bounds over it. */
export interface Moment extends IntervalPose {
  /** Half the length of the interval, rounded up. */
  readonly half: number;
}

/** Adds the length of an interval to its state in the middle. */
export const momentOf = (pose: IntervalPose, begin: number, end: number): Moment => ({
  ...pose,
  half: Math.max(pose.middle - begin, end - pose.middle) * (1 + 4 * UNIT_ROUNDOFF),
});

/**
 * Derivatives of the value of a joint in the middle of an interval, with bounds on their rounding errors; bounds over
 * the interval.
 */
export interface JointRate {
  readonly velocity: number;
  readonly acceleration: number;
  readonly maxVelocity: number;
  readonly maxAcceleration: number;
  readonly maxJerk: number;
  readonly velocityError: number;
  readonly accelerationError: number;
}

/** Coefficients per joint of a piece. */
const SIZE = 6;

/** Computes the derivatives of the value of a joint, which may be a mimic joint. */
export function rateOfJoint({ piece, middle, rates, half }: Moment, { variable, multiplier }: Joint): JointRate {
  const { start, end, coefficients } = piece;
  const [, , c2, c3, c4, c5] = coefficients.subarray(SIZE * variable, SIZE * (variable + 1));
  const u = middle - start;
  const factor = Math.abs(multiplier);
  const jerk = 6 * c3 + u * (24 * c4 + 60 * u * c5);
  const snap = Math.abs(24 * c4 + 120 * u * c5);
  const rounding = RATE_ROUNDING * piece.rates[variable];
  const perSecond = end > start ? rounding / (end - start) : 0;
  const maxJerk = Math.abs(jerk) + half * (snap + 60 * half * Math.abs(c5));
  return {
    velocity: multiplier * rates.velocity[variable],
    acceleration: multiplier * (2 * c2 + u * (6 * c3 + u * (12 * c4 + 20 * u * c5))),
    maxVelocity: factor * rates.speed[variable],
    maxAcceleration: factor * rates.acceleration[variable],
    maxJerk: factor * (maxJerk + (end > start ? perSecond / (end - start) : 0)),
    velocityError: factor * rounding,
    accelerationError: factor * perSecond,
  };
}

/** Returns the joints that move a link, from the link to the base. */
export function jointsAbove({ links, joints }: RobotModel, link: number): Joint[] {
  if (link <= 0) return [];
  const joint = joints[links[link].joint];
  const rest = jointsAbove({ links, joints } as RobotModel, links[link].parent);
  return joint.variable >= 0 ? [joint, ...rest] : rest;
}
