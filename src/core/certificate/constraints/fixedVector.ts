import { PoseRounding, UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { rotate, transformPoint } from '../../math/transform.ts';
import { addScaled, cross, norm, type Vec3, create as vec3 } from '../../math/vec3.ts';
import type { IntervalPose } from '../linkPoses.ts';
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
interface JointRate {
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

/**
 * Motion in the world of a point or a direction that is fixed to a link: value and derivatives in the middle of an
 * interval, and bounds on the magnitudes of the derivatives over the interval; metres (directions: no unit), seconds.
 * From the tip of the chain to its base each joint adds its motion to that of the vector relative to it. With z its
 * axis, r the vector from a point of the axis, d the distance from the axis, and w, a, j the rates of the joint,
 *   ṗ += w z × r     p̈ += 2 w z × ṗ + a z × r + w² z × (z × r)
 *   D₁ += w d        D₂ += 2 w D₁ + (a + w²) d        D₃ += 3 w D₂ + 3 (a + w²) D₁ + (j + 3 w a + w³) d
 * where d is the distance in the middle plus that by which the joints nearer to the tip can change it: D₁ h.
 */
export class FixedVector {
  /** In the middle of the interval. */
  readonly value = vec3();
  readonly velocity = vec3();
  readonly acceleration = vec3();
  /** Bounds on the magnitudes of the first, second and third derivative over the interval. */
  speed = 0;
  bend = 0;
  jerk = 0;
  /** Bounds on the rounding errors of `value`, `velocity` and `acceleration`. */
  valueError = 0;
  velocityError = 0;
  accelerationError = 0;
  private readonly joints: readonly Joint[];
  private readonly rounding: PoseRounding;
  /** In the frame of the link. */
  private readonly fixed: Vec3;
  private readonly axis = vec3();
  private readonly lever = vec3();
  private readonly cross = vec3();
  /** Sums of bounds on the rates of the revolute joints. */
  private turning = 0;
  private turns = 0;

  /**
   * @param frame frame whose origin is tracked
   * @param direction unit vector in that frame, tracked instead of the origin
   */
  constructor(
    robot: RobotModel,
    private readonly frame: LinkFrame,
    private readonly direction?: Vec3,
  ) {
    const { T_link_frame } = frame;
    this.joints = jointsAbove(robot, frame.link);
    this.rounding = new PoseRounding(robot);
    this.fixed = Float64Array.of(T_link_frame[3], T_link_frame[7], T_link_frame[11]);
    if (direction) rotate(this.fixed, T_link_frame, direction);
  }

  /** Computes the motion over an interval. */
  evaluate(moment: Moment): void {
    const { rounding, fixed, direction } = this;
    rounding.reach(moment.piece.terms);
    const size = direction ? rounding.turned : rounding.size(0, norm(fixed));
    const place = direction ? rotate : transformPoint;
    place(this.value, moment.T_world_link[this.frame.link], fixed);
    this.valueError = rounding.relative * size;
    this.clear();
    for (const joint of this.joints) {
      const rate = rateOfJoint(moment, joint);
      rotate(this.axis, moment.T_world_link[joint.child], joint.axis);
      if (joint.type !== 'prismatic') this.turn(moment, joint, rate);
      else if (!direction) this.slide(rate);
    }
    const { turning, turns } = this;
    this.velocityError += rounding.relative * (size * turning + rounding.turned * this.speed);
    this.accelerationError += rounding.relative * (size * turns + rounding.turned * (this.bend + turning * this.speed));
    this.bend *= 1 + rounding.relative;
    this.jerk *= 1 + rounding.relative;
  }

  private clear(): void {
    this.velocity.fill(0);
    this.acceleration.fill(0);
    this.speed = this.bend = this.jerk = this.velocityError = this.accelerationError = this.turning = this.turns = 0;
  }

  private slide(rate: JointRate): void {
    addScaled(this.velocity, this.velocity, this.axis, rate.velocity);
    addScaled(this.acceleration, this.acceleration, this.axis, rate.acceleration);
    this.speed += rate.maxVelocity;
    this.bend += rate.maxAcceleration;
    this.jerk += rate.maxJerk;
    this.velocityError += rate.velocityError;
    this.accelerationError += rate.accelerationError;
  }

  private turn({ T_world_link, half }: Moment, { child }: Joint, rate: JointRate): void {
    const { axis, lever, cross: other, velocity, acceleration } = this;
    lever.set(this.value);
    if (!this.direction) for (let i = 0; i < 3; i++) lever[i] -= T_world_link[child][4 * i + 3];
    cross(lever, axis, lever);
    cross(other, axis, velocity);
    addScaled(acceleration, acceleration, other, 2 * rate.velocity);
    addScaled(acceleration, acceleration, lever, rate.acceleration);
    cross(other, axis, lever);
    addScaled(acceleration, acceleration, other, rate.velocity * rate.velocity);
    addScaled(velocity, velocity, lever, rate.velocity);

    const { maxVelocity: w, maxAcceleration: a, maxJerk: j } = rate;
    const d = norm(lever) + this.speed * half + this.valueError;
    const turn = a + w * w;
    this.jerk += 3 * w * this.bend + 3 * turn * this.speed + (j + w * (3 * a + w * w)) * d;
    this.bend += 2 * w * this.speed + turn * d;
    this.speed += w * d;
    this.turns += turn + 2 * w * this.turning;
    this.turning += w;
    this.accelerationError +=
      rate.accelerationError * d + 2 * (w * this.velocityError + rate.velocityError * this.speed);
    this.velocityError += rate.velocityError * d;
  }
}
