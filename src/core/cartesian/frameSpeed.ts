import { type JointRates, PointMotion } from '../kinematics/pointMotion.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { norm } from '../math/vec3.ts';
import { derivativeAt, JERK, maxMagnitude } from '../trajectory/polynomial.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/** Speed of a point and its time. */
export interface TimedSpeed {
  readonly value: number;
  readonly time: number;
}

/** Relative tolerance of the speed limit, as of limits of joint rates. */
const RATE_TOLERANCE = 1e-6;
/** Relative gap between the maximum speed that is found and its upper bound. */
const GAP = 1e-3;
/** Maximum number of intervals that one piece of a curve is divided into. */
const MAX_INTERVALS = 200_000;

/**
 * Maximum speed of the origin of a frame along a curve, by branch and bound: each piece is bisected until an upper
 * bound over every interval (`PointMotion`) is below the limit, or close to the highest speed found. One per thread.
 */
export class FrameSpeed {
  private readonly point: PointMotion;
  private readonly motion: JointRates;

  /** @param interrupt ends the bisection: bounds then have a larger gap */
  constructor(
    model: RobotModel,
    frame: LinkFrame,
    private readonly interrupt: Interrupt = never,
  ) {
    this.point = new PointMotion(model, frame);
    const row = () => new Float64Array(model.dof);
    this.motion = {
      q: row(),
      velocity: row(),
      acceleration: row(),
      maxVelocity: row(),
      maxAcceleration: row(),
      maxJerk: row(),
    };
  }

  /**
   * Returns the highest speed above `limit` in [from, to], to a relative gap of 1e-3, and its time; undefined if the
   * speed is proved to be at most the limit (and its tolerance) at every instant.
   */
  excess(curve: TrajectoryCurve, limit: number, from = curve.start, to = curve.end): TimedSpeed | undefined {
    const allowed = limit * (1 + RATE_TOLERANCE);
    let worst: TimedSpeed | undefined;
    for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
      const [t0, t1] = [Math.max(from, curve.times[k]), Math.min(to, curve.times[k + 1])];
      const most = this.searchPiece(curve, k, t0, t1, Math.max(allowed, worst?.value ?? 0));
      if (!(most.upper <= Math.max(allowed, worst?.value ?? 0))) worst = { value: most.reported, time: most.time };
    }
    return worst;
  }

  /** Returns the speed at a state. */
  at(q: ArrayLike<number>, velocity: ArrayLike<number>): number {
    for (const row of Object.values(this.motion)) row.fill(0);
    this.motion.q.set(q);
    this.motion.velocity.set(velocity);
    this.point.speedBound(this.motion, 0);
    return norm(this.point.velocity);
  }

  /**
   * Returns an upper bound on the speed at every instant in [from, to], to a relative gap of 1e-3.
   * @param least returned for slower motions: the gap between rounding errors is not closed
   */
  bound(curve: TrajectoryCurve, from = curve.start, to = curve.end, least = 0): number {
    let most = least;
    for (let k = curve.pieceAt(from); k <= curve.pieceAt(to); k++) {
      const [t0, t1] = [Math.max(from, curve.times[k]), Math.min(to, curve.times[k + 1])];
      most = Math.max(most, this.searchPiece(curve, k, t0, t1, most).upper);
    }
    return most;
  }

  /**
   * Searches one piece for speeds above `known`. `upper`: bound over the piece, at least `known`; `reported`: the
   * highest speed that was evaluated, or the bound if that is not above `known`; `time`: its time.
   */
  private searchPiece(curve: TrajectoryCurve, k: number, from: number, to: number, known: number) {
    let best = { value: known, time: from };
    let undecided: TimedSpeed = { value: 0, time: from };
    let isExceeded = false;
    let count = 0;
    const open: [number, number][] = [[from, to]];
    for (let interval = open.pop(); interval; interval = open.pop()) {
      const [t0, t1] = interval;
      const middle = t0 + 0.5 * (t1 - t0);
      const bound = this.evaluate(curve, k, t0, middle, t1);
      const value = norm(this.point.velocity);
      if (value > best.value) {
        best = { value, time: middle };
        isExceeded = true;
      }
      if (bound <= (isExceeded ? best.value * (1 + GAP) : known)) continue;
      if (++count > MAX_INTERVALS || !(middle > t0 && middle < t1) || this.interrupt()) {
        if (!(bound <= undecided.value)) undecided = { value: bound, time: middle };
        continue;
      }
      open.push([middle, t1], [t0, middle]);
    }
    const upper = Math.max(isExceeded ? best.value * (1 + GAP) : known, undecided.value);
    if (isExceeded) return { upper, reported: best.value, time: best.time };
    return { upper, reported: upper, time: undecided.time };
  }

  /** Computes the motion at `middle` and the bounds over [t0, t1], within piece k; returns the bound on the speed. */
  private evaluate(curve: TrajectoryCurve, k: number, t0: number, middle: number, t1: number): number {
    const { q, velocity, acceleration, maxVelocity, maxAcceleration, maxJerk } = this.motion;
    const [u0, u, u1] = [t0, middle, t1].map((t) => curve.timeInPiece(k, t));
    for (let j = 0; j < curve.dof; j++) {
      const at = curve.polynomialIndex(k, j);
      q[j] = derivativeAt(curve.polynomials, at, 0, u);
      velocity[j] = derivativeAt(curve.polynomials, at, 1, u);
      acceleration[j] = derivativeAt(curve.polynomials, at, 2, u);
      maxVelocity[j] = maxMagnitude(curve.polynomials, at, 1, u0, u1);
      maxAcceleration[j] = maxMagnitude(curve.polynomials, at, 2, u0, u1);
      maxJerk[j] = maxMagnitude(curve.polynomials, at, JERK, u0, u1);
    }
    return this.point.speedBound(this.motion, Math.max(u - u0, u1 - u));
  }
}
