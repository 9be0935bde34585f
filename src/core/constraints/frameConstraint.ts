import { type PosedLinks, ToolTracker } from '../cartesian/toolTracker.ts';
import { FrameBounds } from '../kinematics/frameBounds.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import type { Transform } from '../math/transform.ts';
import { PI } from '../math/trigonometry.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { JointRates } from './directionBounds.ts';

/** Motion of a frame at the middle of an interval of time, and bounds over it. */
export interface FrameMotion {
  /** Pose in the world at the middle. */
  readonly T: Transform;
  /** Linear velocity of the origin and angular velocity at the middle, world frame: m/s, rad/s. */
  readonly twist: Float64Array;
  /** Bounds on speeds and accelerations over the interval. */
  readonly bounds: FrameBounds;
  /** Half the length of the interval, seconds. */
  half: number;
  /** Rates of the joints. */
  readonly joints: JointRates;
}

/** Verdict of an interval of a motion: a constraint is proved over all of it, violated within it, or neither. */
export type IntervalVerdict = 'proved' | 'open' | 'violated';

/** The half-space behind a plane: its outward normal, a unit vector, and a point of the plane, metres; world frame. */
export interface Halfspace {
  readonly normal: Vec3;
  readonly point: Vec3;
}

/** A constraint on the pose of a frame: satisfied where its excess is at most 0. */
export interface FrameConstraint {
  /** Name of the constraint in results. */
  readonly label: string;
  readonly frame: LinkFrame;
  /** The region that the origin of the frame keeps to, if it is a half-space. */
  readonly halfspace?: Halfspace | undefined;
  /** Returns the excess of a pose, radians or metres; 0 or less if it satisfies the constraint. */
  excess(T: Transform): number;
  /**
   * Computes the derivative of the excess with respect to the twist of the frame: linear velocity of the origin,
   * angular velocity, world frame. At kinks, one of the directional derivatives.
   */
  gradient(out: Float64Array, T: Transform): void;
  /**
   * Depth inside the constraint at which projections end, radians or metres, so that straight edges between them are
   * more often valid.
   */
  readonly inside: number;
  /**
   * Writes derivatives, with respect to the twist, of the coordinates that a thin constraint keeps nearly constant: at
   * most 3. Returns their number, 0 if it is not thin.
   */
  thinRows?(out: readonly Float64Array[], T: Transform): number;
  /** Returns true if the excess is proved to be at most 0 at every instant of an interval. */
  holdsOver(motion: FrameMotion): boolean;
  /**
   * Evaluates an interval over which the rates of the joints are constant, without poses of links.
   * @param q the state in the middle
   * @param half half the length of the interval
   */
  verdictOnLine?(q: Configuration, rates: Float64Array, half: number): IntervalVerdict;
}

/**
 * Absolute, rad and m: excesses up to this are rounding errors of poses and are accepted for states and motions alike.
 */
export const EXCESS_TOLERANCE = 1e-9;

/** Limits up to this angle, rad, make a constraint on the orientation thin: 5 deg. */
export const THIN = PI / 36;

/** Depth of projections into constraints on the orientation: a fraction of the limit, at most a maximum, rad. */
export const insideOf = (within: number) => Math.min(0.5 * within, 0.05);

/** The constraints on one frame, and its motion. One per thread. */
export class FrameConstraints {
  readonly functions: FrameConstraint[] = [];
  readonly tracker: ToolTracker;
  private readonly motion: FrameMotion;
  private readonly origin = new Float64Array(3);

  /** @param links of all frames of a set */
  constructor(robot: RobotModel, frame: LinkFrame, links: PosedLinks) {
    this.tracker = new ToolTracker(robot, frame, undefined, undefined, links);
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
    let T: Transform | undefined;
    for (const one of functions) {
      if (isLine && one.verdictOnLine) {
        const verdict = one.verdictOnLine(q, rates, half);
        if (verdict === 'violated') return verdict;
        if (verdict === 'open') isOpen = true;
        continue;
      }
      T ??= tracker.pose(q);
      if (!(one.excess(T) <= EXCESS_TOLERANCE)) return 'violated';
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
