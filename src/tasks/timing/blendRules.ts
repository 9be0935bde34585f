import type { CubicProofs } from '../../core/collision/proofs/pathProofs.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { blendedMotion, type MotionTest } from '../../core/trajectory/blendedMotion.ts';
import { minimumDuration } from '../../core/trajectory/restToRest.ts';
import { timeParameterize } from '../../core/trajectory/timeParameterization.ts';
import type { MotionLimits, Trajectory } from '../../core/trajectory/trajectory.ts';
import type { StopLimits } from '../forces/stopLimits.ts';
import type { TorqueTiming } from '../forces/torqueTiming.ts';
import type { SpeedTiming } from './speedTiming.ts';

/** A trajectory, or a path without times, with figures of its time parameterization. */
export interface TimedMotion {
  /** The trajectory or path. */
  readonly trajectory: Trajectory;
  /** Number of blended corners. */
  readonly blends: number;
  /** Number of times that a blend was shrunk because it was not proved collision-free. */
  readonly shrunk: number;
  /**
   * Lower bound on the duration from the limits alone, without obstacles, seconds; undefined for a path without times.
   */
  readonly leastDuration: number | undefined;
}

/** Data of robot and scene for time parameterization. */
export interface TimingContext {
  /** Names of the planned joints in the order of q. */
  readonly jointNames: readonly string[];
  /** Limits of these joints. */
  readonly limits: MotionLimits;
  /** Certifies motions of blends. */
  readonly isFree: MotionTest;
  /**
   * Set if the scene limits the speed of the tool center point or of another frame.
   * @internal
   */
  readonly speed?: SpeedTiming;
  /**
   * Set if the scene limits torques.
   * @internal
   */
  readonly torque?: TorqueTiming;
  /**
   * Set if the scene limits stops.
   * @internal
   */
  readonly stops?: StopLimits | undefined;
  /** Ends the computation of blends. */
  readonly interrupt: Interrupt;
  /**
   * The motions that `isFree` certified.
   * @internal
   */
  readonly proofs: CubicProofs;
}

/** One rule of corner blending: how a trajectory passes the interior waypoints of its path. */
export interface BlendRule {
  /** One line of help. */
  readonly summary: string;
  /** Computes the trajectory along a path. */
  readonly time: (path: readonly ArrayLike<number>[], context: TimingContext) => TimedMotion;
}

/**
 * Computes the motion along a path by a blend rule, within the limits, speeds, torques and stops of the scene;
 * undefined if the rule exceeds one of them.
 */
export function timedBy(
  rule: BlendRule,
  path: readonly ArrayLike<number>[],
  context: TimingContext,
): TimedMotion | undefined {
  const { torque, speed, stops } = context;
  const within = (limits: MotionLimits) => rule.time(path, { ...context, limits });
  const timed = (limits: MotionLimits) => {
    if (torque !== undefined) return torque.time(path, limits, within);
    return speed === undefined ? within(limits) : speed.time(limits, within);
  };
  return stops === undefined ? timed(context.limits) : stops.slowed(context.limits, timed);
}

const blend: BlendRule = {
  summary: 'parabolic blends, proved collision-free, without stops',
  time: (path, { jointNames, limits, isFree, interrupt }) => {
    const { trajectory, blends, shrunk } = blendedMotion(path, jointNames, limits, isFree, interrupt);
    return { trajectory, blends, shrunk, leastDuration: leastDurationOf(path, limits) };
  },
};

const stop: BlendRule = {
  summary: 'no blends: the exact path, with a stop at each waypoint',
  time: (path, { jointNames, limits }) => {
    const trajectory = timeParameterize(path, jointNames, limits);
    return { trajectory, blends: 0, shrunk: 0, leastDuration: leastDurationOf(path, limits) };
  },
};

/** Rules of corner blending by the name that `--corners` takes. */
export const blendRules = { blend, stop } as const;

/** Name of a rule of corner blending: a key of `blendRules`. */
export type BlendRuleName = keyof typeof blendRules;

const leastDurationOf = (path: readonly ArrayLike<number>[], limits: MotionLimits) =>
  minimumDuration(path[0], path[path.length - 1], limits);

/** Returns the path as straight lines without times. */
export function untimed(path: readonly ArrayLike<number>[], { jointNames }: TimingContext): TimedMotion {
  const points = path.map((q) => ({ positions: Array.from(q) }));
  return { trajectory: { jointNames, points }, blends: 0, shrunk: 0, leastDuration: undefined };
}
