import { FrameBounds } from '../cartesian/frameBounds.ts';
import { ToolTracker } from '../cartesian/toolTracker.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import type { FrameConstraint, FrameMotion } from './frameConstraint.ts';

/** The constraints on one frame, and its motion. One per thread. */
export class FrameConstraints {
  readonly functions: FrameConstraint[] = [];
  readonly tracker: ToolTracker;
  private readonly motion: FrameMotion;
  private readonly origin = new Float64Array(3);

  constructor(robot: RobotModel, frame: LinkFrame) {
    this.tracker = new ToolTracker(robot, frame);
    const bounds = new FrameBounds(robot, frame);
    const none = new Float64Array(robot.dof);
    const T_world_link = this.tracker.linkPoses;
    const joints = { T_world_link, rates: none, velocity: none, acceleration: none, half: 0 };
    this.motion = { T: this.tracker.T_world_tcp, twist: new Float64Array(6), bounds, half: 0, joints };
  }

  /** Computes the motion of the frame about a state; valid until the next call. */
  evaluate(
    q: Configuration,
    rates: Float64Array,
    velocity: Float64Array,
    acceleration: Float64Array,
    half: number,
  ): FrameMotion {
    const { motion, tracker, origin } = this;
    const { joints } = motion;
    tracker.twist(motion.twist, q, rates);
    const T = tracker.T_world_tcp;
    for (let i = 0; i < 3; i++) origin[i] = T[4 * i + 3];
    motion.bounds.compute(tracker.linkPoses, origin, velocity, acceleration, half);
    motion.half = half;
    joints.rates = rates;
    joints.velocity = velocity;
    joints.acceleration = acceleration;
    joints.half = half;
    return motion;
  }
}
