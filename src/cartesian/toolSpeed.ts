import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { FrameBounds } from './frameBounds.ts';
import { ToolTracker } from './toolTracker.ts';

/** A time at which the tool is faster than a limit, or not proved not to be. */
export interface ToolSpeedFault {
  /** Seconds. */
  readonly time: number;
  /** Speed of the origin of the tool frame, m/s. */
  readonly speed: number;
}

/** Relative: a speed may exceed its limit by this, as joint velocities may. */
const RATE_TOLERANCE = 1e-6;
/** Seconds: shorter intervals are not bisected. */
const MIN_INTERVAL = 1e-8;
const MAX_INTERVALS = 200_000;
/** Samples per piece that estimate the largest speed. */
const SAMPLES = 64;

/**
 * Proves that the speed of the origin of a tool frame stays below a limit over continuous time: within half an interval
 * of its middle it changes by at most the bound on the acceleration times that time. One per thread.
 */
export class ToolSpeed {
  private readonly state: RobotState;
  private readonly bounds: FrameBounds;
  private readonly tracker: ToolTracker;
  private readonly q: Float64Array;
  private readonly rates: Float64Array;
  private readonly velocity: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly twist = new Float64Array(6);
  private intervals = 0;

  constructor(model: RobotModel, frame: LinkFrame) {
    this.state = new RobotState(model);
    this.bounds = new FrameBounds(model, frame);
    this.tracker = new ToolTracker(model, frame);
    this.q = new Float64Array(model.dof);
    this.rates = new Float64Array(model.dof);
    this.velocity = new Float64Array(model.dof);
    this.acceleration = new Float64Array(model.dof);
  }

  /** Returns the speed of the origin at time t, m/s. */
  at(curve: TrajectoryCurve, t: number): number {
    const { q, rates, twist } = this;
    curve.position(q, t);
    curve.velocity(rates, t);
    this.tracker.twist(twist, q, rates);
    return Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  }

  /** Returns the largest speed at samples of each piece, m/s: a lower bound on the maximum. */
  most(curve: TrajectoryCurve): number {
    let most = 0;
    for (let k = 0; k < curve.pieces; k++) {
      const [from, to] = [curve.times[k], curve.times[k + 1]];
      for (let i = 0; i <= SAMPLES; i++) most = Math.max(most, this.at(curve, from + (i / SAMPLES) * (to - from)));
    }
    return most;
  }

  /** Returns the first fault of a whole curve for a limit, which may be Infinity; undefined if the limit is proved. */
  firstFault(curve: TrajectoryCurve, limit: number): ToolSpeedFault | undefined {
    return limit === Number.POSITIVE_INFINITY ? undefined : this.fault(curve, curve.start, curve.end, limit);
  }

  /** Returns the first fault in an interval of time; undefined if the limit (m/s) is proved to hold. */
  fault(curve: TrajectoryCurve, from: number, to: number, limit: number): ToolSpeedFault | undefined {
    this.intervals = 0;
    const times = [from, ...Array.from(curve.times).filter((time) => time > from && time < to), to];
    for (let k = 0; k + 1 < times.length; k++) {
      const found = this.faultWithin(curve, times[k], times[k + 1], limit * (1 + RATE_TOLERANCE));
      if (found) return found;
    }
    return undefined;
  }

  private faultWithin(curve: TrajectoryCurve, from: number, to: number, most: number): ToolSpeedFault | undefined {
    const middle = 0.5 * (from + to);
    const h = to - from;
    this.intervals++;
    const speed = this.at(curve, middle);
    if (!(speed <= most)) return { time: middle, speed };
    curve.speedBounds(this.velocity, from, to);
    curve.accelerationBounds(this.acceleration, from, to);
    forwardKinematics(this.state, this.q);
    const T = this.tracker.T_world_tcp;
    this.bounds.compute(this.state.T_world_link, [T[3], T[7], T[11]], this.velocity, this.acceleration, 0.5 * h);
    const bound = Math.min(this.bounds.speed, speed + 0.5 * h * this.bounds.acceleration);
    if (bound <= most) return undefined;
    if (!(h > MIN_INTERVAL) || this.intervals > MAX_INTERVALS) return { time: middle, speed: bound };
    return this.faultWithin(curve, from, middle, most) ?? this.faultWithin(curve, middle, to, most);
  }
}
