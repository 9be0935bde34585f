import type { MotionPath } from '../../core/cartesian/motionPath.ts';
import type { MotionStep } from '../../core/scene/program.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';

/** A motion of a run: a free motion, an arc, or one line of a polyline. */
export interface RunMotion {
  readonly step: MotionStep;
  readonly path: MotionPath;
  /** Limit of the TCP speed in its step, m/s; Infinity: none. */
  readonly tcpSpeed: number;
}

/** A timed run: motions one after another, without events between them. */
export interface TimedRun {
  /** Motion from rest to rest that begins at time 0. */
  readonly trajectory: Trajectory;
  /** Time at which each motion ends: at rest, or in the middle of its blend; seconds. */
  readonly ends: readonly number[];
  /** Times at which each blend begins and ends, in the order of the motions; undefined: a stop. */
  readonly blends: readonly (readonly [number, number] | undefined)[];
}
