import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { durationOf, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import type { MovingParts } from '../checking/worldMotions.ts';
import { blendRules, type TimingContext, timedBy } from '../timing/blendRules.ts';
import { TimedProofs } from './timedProofs.ts';

/** Knots of trajectories are at whole microseconds. */
export const TICK = 1e-6;
const TICKS_PER_SECOND = 1e6;

/** Seconds: times that differ from a whole microsecond by less are rounded to it. */
const SAME_TIME = 1e-11;

/** Returns a trajectory that begins later by some seconds, which are rounded to whole microseconds. */
export function delayed(trajectory: Trajectory, by: number): Trajectory {
  const start = wholeTicks(by);
  return {
    ...trajectory,
    points: trajectory.points.map((point) => {
      const time = start + point.time_from_start!;
      const whole = wholeTicks(time);
      return { ...point, time_from_start: Math.abs(whole - time) < SAME_TIME ? whole : time };
    }),
  };
}

const wholeTicks = (time: number) => Math.round(time * TICKS_PER_SECOND) / TICKS_PER_SECOND;

/** Straight motions of the planned robot from rest to rest, with their validity at a given departure time. */
export class TimedEdges extends TimedProofs {
  private last:
    | { readonly from: Configuration; readonly to: Configuration; readonly move: Trajectory | undefined }
    | undefined;

  /**
   * @param posed of the tree of the scene
   * @param timing limits of the planned joints and of the TCP
   * @param constraints path constraints that every motion satisfies
   */
  constructor(
    posed: PosedParts,
    moving: MovingParts,
    private readonly timing: TimingContext,
    private readonly constraints: ConstraintSet | undefined,
    interrupt: Interrupt,
  ) {
    super(posed, moving, interrupt);
  }

  /**
   * Returns the fastest motion from rest to rest on a straight line, from time 0 on; undefined if none is proved to
   * keep the limit of the TCP speed.
   */
  move(from: Configuration, to: Configuration): Trajectory | undefined {
    const { last, timing } = this;
    if (last && isEqual(last.from, from) && isEqual(last.to, to)) return last.move;
    const move = timedBy(blendRules.stop, [from, to], timing)?.trajectory;
    this.last = { from: from.slice(), to: to.slice(), move };
    return move;
  }

  /** Returns the duration of `move`, seconds; Infinity if there is none. */
  duration(from: Configuration, to: Configuration): number {
    const move = this.move(from, to);
    return move === undefined ? Number.POSITIVE_INFINITY : durationOf(move)!;
  }

  /**
   * Returns a lower bound on `duration` from the velocity and acceleration limits of each joint alone:
   *   2 √(Δ/a) if Δ a <= v², else Δ/v + v/a
   */
  leastDuration(from: Configuration, to: Configuration): number {
    const { velocity, acceleration } = this.timing.limits;
    let least = 0;
    for (let j = 0; j < from.length; j++) {
      const distance = Math.abs(to[j] - from[j]);
      if (distance === 0) continue;
      const [v, a] = [velocity[j], acceleration[j]];
      const time = distance * a <= v * v ? 2 * Math.sqrt(distance / a) : distance / v + v / a;
      if (time > least) least = time;
    }
    return least;
  }

  /** Returns true if `move` is proved valid when it departs at a time. */
  isMoveValid(from: Configuration, to: Configuration, departure: number): boolean {
    const move = this.move(from, to);
    return move !== undefined && this.isTrajectoryValid(delayed(move, departure));
  }

  /** Returns true if a trajectory is proved to satisfy the constraints and to be collision-free over its own time. */
  isTrajectoryValid(trajectory: Trajectory): boolean {
    const { constraints } = this;
    if (constraints) {
      const own = curveMotions(new TrajectoryCurve(trajectory));
      if (!own.every((motion) => constraints.violation(motion) === undefined)) return false;
    }
    return this.isTrajectoryFree(trajectory);
  }
}

const isEqual = (a: Configuration, b: Configuration) => a.every((value, i) => value === b[i]);
