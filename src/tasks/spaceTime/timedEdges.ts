import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import { CubicMotion, type Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { durationOf, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { curveMotions, type MovingParts, WorldTimeline } from '../checking/worldMotions.ts';
import type { StopLimits } from '../forces/stopLimits.ts';
import { blendRules, type TimingContext, timedBy } from '../timing/blendRules.ts';

/** Limits of the proof of one motion; the final proof is finer. */
const PROOF = { resolution: 1e-4, intervals: 20_000 };

/**
 * Proofs of motions and waits of the planned robot among everything else that moves. Counts how often each obstacle
 * blocked one, and until when.
 */
export class TimedProofs {
  /** Number of motions and waits checked. */
  checked = 0;
  /** By name of what blocked: how often, and the latest time, seconds. */
  readonly blocked = new Map<string, { count: number; until: number }>();
  private readonly prover: MotionProver;
  private readonly timeline: WorldTimeline;

  /**
   * @param posed of the tree of the scene
   * @param stops limits of stops that every motion keeps
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly moving: MovingParts,
    private readonly stops: StopLimits | undefined,
    private readonly interrupt: Interrupt,
  ) {
    this.prover = new MotionProver(posed, PROOF);
    this.timeline = new WorldTimeline(moving);
  }

  /** Returns true if waiting at q is proved valid; from the end of all other motion on, any wait is one instant. */
  isHoldValid(q: Configuration, from: number, to: number): boolean {
    const coefficients = new Float64Array(4 * q.length);
    for (let j = 0; j < q.length; j++) coefficients[4 * j] = q[j];
    const end = Math.max(from, Math.min(to, this.moving.end));
    return this.isProved([new CubicMotion(from, end, coefficients)], from, end);
  }

  /** Returns true if a trajectory from rest to rest is proved collision-free over its own time, as are its stops. */
  isTrajectoryFree(trajectory: Trajectory): boolean {
    const curve = new TrajectoryCurve(trajectory);
    if (!this.isProved(curveMotions(curve), curve.start, curve.end)) return false;
    return this.stops === undefined || this.stops.check(trajectory).faults.length === 0;
  }

  private isProved(own: readonly Motion[], from: number, to: number): boolean {
    const { prover, posed, interrupt } = this;
    this.checked++;
    for (const motion of this.timeline.motions(own, from, to)) {
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict !== undefined) this.count(posed.model.namesOf(prover.pair), prover.time);
      return false;
    }
    return true;
  }

  private count(pair: readonly [string, string], time: number): void {
    const others = this.posed.model.robot.others;
    const name = pair.find((one) => others?.has(one));
    if (name === undefined) return;
    const { count, until } = this.blocked.get(name) ?? { count: 0, until: 0 };
    this.blocked.set(name, { count: count + 1, until: Math.max(until, time) });
  }
}

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
   * @param stops limits of stops that every motion keeps
   */
  constructor(
    posed: PosedParts,
    moving: MovingParts,
    private readonly timing: TimingContext,
    private readonly constraints: ConstraintSet | undefined,
    stops: StopLimits | undefined,
    interrupt: Interrupt,
  ) {
    super(posed, moving, stops, interrupt);
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
