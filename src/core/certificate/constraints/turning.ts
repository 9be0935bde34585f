import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import { rotate } from '../../math/transform.ts';
import { addScaled, create as vec3 } from '../../math/vec3.ts';
import { jointsAbove, type Moment, rateOfJoint } from './moment.ts';

/** Angular motion of a link in the world: angular velocity in the middle of an interval, and bounds over it. */
export class Turning {
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
