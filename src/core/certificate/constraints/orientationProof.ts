import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { type Quaternion, quaternionOf, setRotationFromQuaternion } from '../../math/quaternion.ts';
import { compose, create, relative, rotate, rotateBack } from '../../math/transform.ts';
import { atan2, cos, PI, sin } from '../../math/trigonometry.ts';
import { addScaled, norm, type Vec3, create as vec3 } from '../../math/vec3.ts';
import { constraintLabel, type OrientationConstraint } from '../../scene/constraints.ts';
import { jointsAbove, type Moment, rateOfJoint } from './fixedVector.ts';
import { POSE_TOLERANCE, type ProvedConstraint } from './provedConstraint.ts';

/** A component of the rotation vector changes at most this many times as fast as the orientation. */
const MAX_RATE = PI / 2;
/** rad: the bound of second order below holds for turns up to this. */
const MAX_TURN = 0.2;

/**
 * Each component of the rotation vector from an orientation stays within its limit. With τ the time from the middle m,
 * ω the angular velocity there and α a bound on the angular acceleration, the orientation differs by an angle of at
 * most α h²/2 from R(τ) = exp(τ ω) R(m). With (w, v) the quaternion of R relative to the wanted orientation, w >= 0 in
 * the middle, the rotation vector is φ = f(w) v, f(w) = 2 acos(w) / √(1 − w²). While ω h <= 0.2, so w >= −0.1,
 *   f <= 3.36     |f′| <= 2.37     f″ <= 4.11     |w′|, |v′| <= ω/2     |w″|, |v″| <= ω²/4
 *   |φᵢ″| <= (f″ + |f′| + 2 |f′| + f) ω²/4 <= 4 ω²
 * so |φᵢ| is at most the largest at both ends plus 4 ω² h²/2. Where w < 0, |φᵢ| is greater than the component of the
 * shorter rotation, which is meant.
 */
export function orientation(given: OrientationConstraint, robot: RobotModel, frame: LinkFrame): ProvedConstraint {
  const wanted = create();
  setRotationFromQuaternion(wanted, given.quat_wxyz);
  const limited = [0, 1, 2].filter((i) => !(given.within[i] >= PI));
  const worst = ([w, ...v]: Quaternion) => {
    const sine = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const factor = sine > 0 ? (2 * atan2(sine, w)) / sine : 2;
    return Math.max(-PI, ...limited.map((i) => factor * Math.abs(v[i]) - given.within[i]));
  };
  const turning = new Turning(robot, frame);
  const T = create();
  const omega = vec3();
  return {
    label: constraintLabel(given),
    tolerance: POSE_TOLERANCE,
    excess(moment) {
      turning.evaluate(moment);
      compose(T, moment.T_world_link[frame.link], frame.T_link_frame);
      relative(T, wanted, T);
      rotateBack(omega, wanted, turning.velocity);
      const q = quaternionOf(T);
      const angle = norm(omega) * moment.half;
      const now = worst(q);
      if (limited.length === 0) return { now, upperBound: now };
      if (!(angle <= MAX_TURN)) return { now, upperBound: Number.POSITIVE_INFINITY };
      const ends = Math.max(worst(turned(q, omega, moment.half)), worst(turned(q, omega, -moment.half)));
      const away = moment.half * (turning.velocityError + 0.5 * moment.half * turning.change) + turning.error;
      return { now, upperBound: ends + 2 * angle * angle + MAX_RATE * away };
    },
  };
}

/** Returns the quaternion exp(time ω) q. */
function turned([w, x, y, z]: Quaternion, omega: Vec3, time: number): Quaternion {
  const rate = norm(omega);
  const c = cos(0.5 * rate * time);
  const factor = rate > 0 ? sin(0.5 * rate * time) / rate : 0.5 * time;
  const [a, b, d] = [factor * omega[0], factor * omega[1], factor * omega[2]];
  return [
    c * w - a * x - b * y - d * z,
    c * x + a * w + b * z - d * y,
    c * y + b * w + d * x - a * z,
    c * z + d * w + a * y - b * x,
  ];
}

/** Angular motion of a link in the world: angular velocity in the middle of an interval, and bounds over it. */
class Turning {
  /** In the middle, rad/s, and a bound on its rounding error. */
  readonly velocity = vec3();
  velocityError = 0;
  /** Bound on the angular acceleration over the interval, rad/s². */
  change = 0;
  /** Bound on the rounding error of the orientation in the middle, rad. */
  error = 0;
  private readonly joints: readonly Joint[];
  private readonly rounding: PoseRounding;
  private readonly axis = vec3();

  constructor(robot: RobotModel, { link }: LinkFrame) {
    this.joints = jointsAbove(robot, link).filter(({ type }) => type !== 'prismatic');
    this.rounding = new PoseRounding(robot);
  }

  /** Computes the motion over an interval. Joint by joint towards the base, with ω and α those of the joints before:
   *   ω += w z     α += a + w ‖ω‖ */
  evaluate(moment: Moment): void {
    const { velocity, axis, rounding } = this;
    rounding.reach(moment.piece.terms);
    velocity.fill(0);
    let [rates, change, rateErrors] = [0, 0, 0];
    for (const joint of this.joints) {
      const rate = rateOfJoint(moment, joint);
      rotate(axis, moment.T_world_link[joint.child], joint.axis);
      addScaled(velocity, velocity, axis, rate.velocity);
      change += rate.maxAcceleration + rate.maxVelocity * rates;
      rates += rate.maxVelocity;
      rateErrors += rate.velocityError;
    }
    this.error = rounding.relative * rounding.turned;
    this.velocityError = this.error * rates + rateErrors;
    this.change = change * (1 + rounding.relative);
  }
}
