import { FrameBounds } from '../cartesian/frameBounds.ts';
import { ToolTracker } from '../cartesian/toolTracker.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import { EXCESS_TOLERANCE, type FrameConstraint, type FrameMotion, type IntervalVerdict } from './frameConstraint.ts';

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

  /**
   * Evaluates the constraints over an interval; parameters as of `openOver`. First lines and the state in the middle,
   * which decide most intervals; then the bounds over the interval, unless a constraint is violated or open.
   */
  verdictOver(
    q: Configuration,
    rates: Float64Array,
    velocity: Float64Array,
    acceleration: Float64Array,
    half: number,
    isLine: boolean,
  ): IntervalVerdict {
    const { functions, tracker } = this;
    let isOpen = false;
    for (const one of functions) {
      if (isLine && one.verdictOnLine) {
        const verdict = one.verdictOnLine(q, rates, half);
        if (verdict === 'violated') return verdict;
        if (verdict === 'open') isOpen = true;
      } else if (!(one.excess(tracker.pose(q)) <= EXCESS_TOLERANCE)) return 'violated';
    }
    if (isOpen) return 'open';
    let motion: FrameMotion | undefined;
    for (const one of functions) {
      if (isLine && one.verdictOnLine) continue;
      motion ??= this.evaluate(q, rates, velocity, acceleration, half);
      if (!one.holdsOver(motion)) return 'open';
    }
    return 'proved';
  }

  /**
   * Returns the first constraint that is not proved over an interval; undefined if all are.
   * @param q state in the middle of the interval
   * @param rates velocities of the joints there
   * @param velocity bounds on their magnitudes over the interval
   * @param acceleration bounds on the accelerations
   * @param half half the length of the interval
   * @param isLine true if the rates are constant
   */
  openOver(
    q: Configuration,
    rates: Float64Array,
    velocity: Float64Array,
    acceleration: Float64Array,
    half: number,
    isLine: boolean,
  ): FrameConstraint | undefined {
    let motion: FrameMotion | undefined;
    for (const one of this.functions) {
      if (isLine && one.verdictOnLine) {
        if (one.verdictOnLine(q, rates, half) !== 'proved') return one;
        continue;
      }
      motion ??= this.evaluate(q, rates, velocity, acceleration, half);
      if (!one.holdsOver(motion)) return one;
    }
    return undefined;
  }

  /** Computes the motion of the frame about a state; valid until the next call. */
  private evaluate(
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
