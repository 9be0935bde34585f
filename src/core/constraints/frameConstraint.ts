import type { FrameBounds } from '../cartesian/frameBounds.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import type { Transform } from '../math/transform.ts';
import { PI } from '../math/trigonometry.ts';
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

/** A constraint on the pose of a frame: satisfied where its excess is at most 0. */
export interface FrameConstraint {
  /** Name of the constraint in results. */
  readonly label: string;
  readonly frame: LinkFrame;
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
