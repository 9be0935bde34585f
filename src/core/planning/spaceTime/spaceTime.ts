import type { Configuration } from '../../math/configuration.ts';
import type { JointSpace } from '../planner.ts';

/** A goal state, and the time from which on it stays valid for ever. */
export interface TimedGoal {
  /** The goal state. */
  readonly q: Configuration;
  /** Earliest time of arrival, seconds. */
  readonly from: number;
}

/**
 * Planning problem in joints and time. Motions are straight lines from rest to rest, of a given duration, so that every
 * motion found satisfies velocity, acceleration and jerk limits: the causality cone of a state is what they can reach.
 * Between motions the robot may wait. Times are seconds from 0, and whole multiples of `tick`.
 */
export interface SpaceTimeProblem {
  /** State space without time. */
  readonly space: JointSpace;
  /** Start state, valid at time 0. */
  readonly start: Configuration;
  /** Goal states, at least one. */
  readonly goals: readonly TimedGoal[];
  /** Time from which on nothing but the robot moves. */
  readonly end: number;
  /** Resolution of times, seconds. */
  readonly tick: number;
  /** Writes the state that is equivalent to `to` and nearest to `from` (continuous joints) into `out`. */
  towards(out: Configuration, from: Configuration, to: Configuration): void;
  /** Lower bound on the duration of a motion, cheap to compute. */
  leastDuration(from: Configuration, to: Configuration): number;
  /** Duration of the motion from rest at `from` to rest at `to`. */
  duration(from: Configuration, to: Configuration): number;
  /** Returns true if waiting at q from one time to another is proved valid. */
  isHoldValid(q: Configuration, from: number, to: number): boolean;
  /** Returns true if the motion that departs at a time is proved valid. */
  isMoveValid(from: Configuration, to: Configuration, departure: number): boolean;
}

/** A waypoint of a schedule, where the robot rests from its arrival to its departure. */
export interface Visit {
  /** State of the waypoint. */
  readonly q: Configuration;
  /** Seconds; 0 for the start. */
  readonly arrival: number;
  /** Seconds; Infinity for the goal. */
  readonly departure: number;
}

/** Rounds a time down to a whole number of ticks. */
export const roundedDown = (time: number, tick: number) => Math.floor(time / tick + 1e-6) * tick;
