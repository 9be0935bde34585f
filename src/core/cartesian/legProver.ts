import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { FrameBounds } from '../kinematics/frameBounds.ts';
import { poseError } from '../kinematics/pose.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { angleUnit, type PathTolerance, removeSpin, setAxisError } from './pathTolerance.ts';
import { ToolTracker } from './toolTracker.ts';

/** A part of a trajectory that is to follow a leg. */
export interface LegInterval {
  readonly leg: CartesianLeg;
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** True if the interval begins, or ends, at any fraction of the leg: next to a blend. Otherwise at 0 and at 1. */
  readonly isStartFree?: boolean;
  readonly isEndFree?: boolean;
}

/** Result of a proof of a leg: the first time at which the tool frame deviates, or cannot be proved not to. */
export type LegVerdict =
  | {
      readonly kind: 'proved';
      /** Fractions of the leg at the ends of the interval. */
      readonly first: number;
      readonly last: number;
    }
  | {
      readonly kind: 'deviates' | 'undecided';
      readonly time: number;
      readonly position: number;
      readonly angle: number;
    };

/** Covers rounding errors of poses and bounds: metres and radians, per metre of distance from the world origin if that
 * exceeds one. */
const ROUNDING = 1e-9;
/** Intervals that are shorter are not bisected, seconds. */
const MIN_INTERVAL = 1e-7;
/** Parts of a leg at one instant that are shorter are not bisected. */
const MIN_FRACTION = 1e-7;
const MAX_INTERVALS = 200_000;
const PROVED: LegVerdict = { kind: 'proved', first: 0, last: 1 };

/**
 * Proves that the tool frame follows a leg over continuous time: at every t in an interval there is a fraction s(t) of
 * the leg, never decreasing, from 0 to 1 unless an end is free, such that the origin is within `tolerance.position` of
 * the leg at s and the orientation within `tolerance.angle` of that at s. One per thread.
 *
 * s(t) is piecewise linear between times at which it is chosen to fit best. With e(t) the vector from the leg to the
 * origin, ‖e(t)‖ <= max ‖e‖ at both ends + M h² / 8 over an interval of length h, where M bounds ‖ë‖ (`FrameBounds`).
 * The angle grows by at most the relative angular velocity, which is evaluated in the middle and bounded from there.
 * If the z axis is free, the angle is that between the z axes, and grows by the component of the relative angular
 * velocity ω perpendicular to the z axis of the tool, whose derivative is at most ‖ω̇‖ + ‖ω_tool‖ ‖ω‖.
 * Intervals that are not proved are bisected.
 */
export class LegProver {
  private readonly state: RobotState;
  private readonly bounds: FrameBounds;
  private readonly tracker: ToolTracker;
  private readonly q: Float64Array;
  private readonly rates: Float64Array;
  private readonly velocity: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly T_world_tcp = create();
  private readonly T_leg = create();
  private readonly error = new Float64Array(6);
  private readonly twist = new Float64Array(6);
  private readonly legTwist = new Float64Array(6);
  private intervals = 0;
  /** Tolerance of the current proof. */
  private tolerance: PathTolerance = { position: 0, angle: 0 };
  /** Position and angle error of the last `evaluate`. */
  private position = 0;
  private angle = 0;
  /** Time of `q`, `state` and `T_world_tcp`; NaN: none. */
  private posedAt = Number.NaN;

  /** @param interrupt ends a proof, which then is undecided */
  constructor(
    model: RobotModel,
    private readonly frame: LinkFrame,
    private readonly interrupt: Interrupt = never,
  ) {
    this.state = new RobotState(model);
    this.bounds = new FrameBounds(model, frame);
    this.tracker = new ToolTracker(model, frame);
    this.q = new Float64Array(model.dof);
    this.rates = new Float64Array(model.dof);
    this.velocity = new Float64Array(model.dof);
    this.acceleration = new Float64Array(model.dof);
  }

  /** Proves or refutes that the curve follows the leg in an interval of its time. */
  prove(curve: TrajectoryCurve, interval: LegInterval, tolerance: PathTolerance): LegVerdict {
    const { leg, from, to, isStartFree = false, isEndFree = false } = interval;
    this.intervals = 0;
    this.posedAt = Number.NaN;
    this.tolerance = tolerance;
    // Pieces of the curve: bounds on accelerations are those of single pieces.
    const times = [from, ...curve.timesBetween(from, to), to];
    const ends: NodeError[] = [];
    let s = 0;
    for (const [k, time] of times.entries()) {
      const isFree = k === 0 ? isStartFree : k < times.length - 1 || isEndFree;
      const given = k === 0 ? 0 : 1;
      const chosen = isFree ? Math.max(s, this.nearestFraction(curve, leg, time, tolerance)) : given;
      this.evaluate(curve, leg, time, chosen);
      const node = { time, s: chosen, position: this.position, angle: this.angle };
      const isDeviating = !isWithin(node, tolerance);
      if (isDeviating || this.interrupt())
        return { kind: isDeviating ? 'deviates' : 'undecided', time, position: node.position, angle: node.angle };
      ends.push(node);
      s = chosen;
    }
    for (let k = 0; k + 1 < ends.length; k++) {
      const verdict = this.proveInterval(curve, leg, ends[k], ends[k + 1], tolerance);
      if (verdict.kind !== 'proved') return verdict;
    }
    return { kind: 'proved', first: ends[0].s, last: s };
  }

  private proveInterval(
    curve: TrajectoryCurve,
    leg: CartesianLeg,
    from: NodeError,
    to: NodeError,
    tolerance: PathTolerance,
  ): LegVerdict {
    const h = to.time - from.time;
    const middle = 0.5 * (from.time + to.time);
    const ds = to.s - from.s; // all at once if h is 0
    this.intervals++;
    this.evaluate(curve, leg, middle, 0.5 * (from.s + to.s));
    curve.speedBounds(this.velocity, from.time, to.time);
    curve.accelerationBounds(this.acceleration, from.time, to.time);
    const { bounds, T_world_tcp, state } = this;
    const origin = [T_world_tcp[3], T_world_tcp[7], T_world_tcp[11]];
    bounds.compute(state.T_world_link, origin, this.velocity, this.acceleration, 0.5 * h);
    const bend = bounds.acceleration * h * h + leg.curvature * ds * ds;
    const position = Math.max(from.position, to.position) + bend / 8;
    const rounding = ROUNDING * Math.max(1, Math.abs(origin[0]), Math.abs(origin[1]), Math.abs(origin[2]));
    const isNear = position <= tolerance.position - rounding;
    const isShort = h > 0 ? !(h > MIN_INTERVAL) : !(ds > MIN_FRACTION);
    const isOver = isShort || this.intervals > MAX_INTERVALS || this.interrupt();
    if (isNear || isOver) {
      const slip = this.relativeRotation(curve, leg, middle, 0.5 * (from.s + to.s), h, ds);
      const swing = h * bounds.angularSpeed;
      const spin = tolerance.isYawFree ? swing * (swing + leg.angle * ds) : 0;
      const turn = slip + (bounds.angularAcceleration * h * h + spin) / 2;
      const angle = Math.max(from.angle, to.angle) + turn / 2;
      if (isNear && angle <= tolerance.angle - rounding) return PROVED;
      if (isOver) return { kind: 'undecided', time: middle, position, angle };
    }
    const best = h > 0 ? this.nearestFraction(curve, leg, middle, tolerance) : 0.5 * (from.s + to.s);
    const s = Math.min(Math.max(best, from.s), to.s);
    this.evaluate(curve, leg, middle, s);
    const node = { time: middle, s, position: this.position, angle: this.angle };
    if (!isWithin(node, tolerance))
      return { kind: 'deviates', time: middle, position: node.position, angle: node.angle };
    const first = this.proveInterval(curve, leg, from, node, tolerance);
    return first.kind === 'proved' ? this.proveInterval(curve, leg, node, to, tolerance) : first;
  }

  /** Computes the deviation at time t from the pose of the leg at s: `position` and `angle`. */
  private evaluate(curve: TrajectoryCurve, leg: CartesianLeg, t: number, s: number): void {
    const { error } = this;
    this.pose(curve, t);
    this.errorAt(leg, s);
    this.position = Math.sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
    const angle = Math.sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
    this.angle = Math.max(0, angle - (this.tolerance.tilt ?? 0));
  }

  /** Returns the s in [0, 1] that minimises the deviations at time t, each relative to its tolerance. */
  private nearestFraction(curve: TrajectoryCurve, leg: CartesianLeg, t: number, tolerance: PathTolerance): number {
    const { error, legTwist } = this;
    this.pose(curve, t);
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    const samples = leg.kind === 'line' ? 1 : ARC_SAMPLES;
    for (let i = 0; i < samples; i++) {
      let s = (i + 0.5) / samples;
      for (let step = 0; step < GAUSS_NEWTON_STEPS; step++) {
        this.errorAt(leg, s);
        leg.twistAt(legTwist, s);
        if (tolerance.isYawFree) removeSpin(legTwist, this.T_leg);
        // Minimise Σ (error component / tolerance)²; the error shrinks along the leg's twist.
        let slope = 0;
        let curvature = 0;
        for (let k = 0; k < 6; k++) {
          const weight = 1 / (k < 3 ? tolerance.position : angleUnit(tolerance));
          slope += weight * weight * -error[k] * legTwist[k];
          curvature += weight * weight * legTwist[k] * legTwist[k];
        }
        if (!(curvature > 0)) return 1;
        s = Math.min(1, Math.max(0, s + slope / curvature));
      }
      this.errorAt(leg, s);
      let cost = 0;
      for (let k = 0; k < 6; k++) cost += (error[k] / (k < 3 ? tolerance.position : angleUnit(tolerance))) ** 2;
      if (cost < least) {
        least = cost;
        best = s;
      }
    }
    return best;
  }

  private pose(curve: TrajectoryCurve, t: number): void {
    if (t === this.posedAt) return;
    this.posedAt = t;
    curve.position(this.q, t);
    forwardKinematics(this.state, this.q);
    compose(this.T_world_tcp, this.state.T_world_link[this.frame.link], this.frame.T_link_frame);
  }

  /** Computes the pose error from the tool frame to the leg at s. */
  private errorAt(leg: CartesianLeg, s: number): Transform {
    leg.poseAt(this.T_leg, s);
    poseError(this.error, this.T_world_tcp, this.T_leg);
    if (this.tolerance.isYawFree) setAxisError(this.error, this.T_world_tcp, this.T_leg);
    return this.T_leg;
  }

  /**
   * Returns the magnitude of the rotation of the tool frame in a time h relative to that of the leg along ds, rad: both
   * at the speeds at t and s.
   */
  private relativeRotation(
    curve: TrajectoryCurve,
    leg: CartesianLeg,
    t: number,
    s: number,
    h: number,
    ds: number,
  ): number {
    const { twist, legTwist } = this;
    curve.velocity(this.rates, t);
    this.tracker.twist(twist, this.q, this.rates);
    leg.twistAt(legTwist, s);
    for (let k = 3; k < 6; k++) twist[k] = h * twist[k] - ds * legTwist[k];
    if (this.tolerance.isYawFree) removeSpin(twist, this.T_world_tcp);
    return Math.sqrt(twist[3] * twist[3] + twist[4] * twist[4] + twist[5] * twist[5]);
  }
}

/** Deviation at a time for the chosen s: metres, radians. */
interface NodeError {
  readonly time: number;
  readonly s: number;
  readonly position: number;
  readonly angle: number;
}

const GAUSS_NEWTON_STEPS = 4;
/** Starts of the search on an arc, on which the deviation may have several minima. */
const ARC_SAMPLES = 4;

const isWithin = ({ position, angle }: NodeError, tolerance: PathTolerance) =>
  position <= tolerance.position && angle <= tolerance.angle;
