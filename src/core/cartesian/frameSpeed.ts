import { type JointRates, PointMotion } from '../kinematics/pointMotion.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { LinkFrame } from '../kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../math/interrupt.ts';
import { norm } from '../math/vec3.ts';
import { derivativeAt, JERK, maxMagnitude } from '../trajectory/polynomial.ts';
import { RateSearch } from '../trajectory/retiming/rateSearch.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/** Speed of the origin of a frame along a curve, with upper bounds of `PointMotion`. One per thread. */
export class FrameSpeed extends RateSearch {
  private readonly point: PointMotion;
  private readonly motion: JointRates;

  /** @param interrupt ends searches: bounds then have a larger gap */
  constructor(model: RobotModel, frame: LinkFrame, interrupt?: Interrupt) {
    super(interrupt);
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

  /** Returns the speed at a state. */
  at(q: ArrayLike<number>, velocity: ArrayLike<number>): number {
    for (const row of Object.values(this.motion)) row.fill(0);
    this.motion.q.set(q);
    this.motion.velocity.set(velocity);
    this.point.speedBound(this.motion, 0);
    return norm(this.point.velocity);
  }

  /** Computes the motion at `middle` and the bounds over [t0, t1], within piece k. */
  protected evaluate(curve: TrajectoryCurve, k: number, t0: number, middle: number, t1: number) {
    const { q, velocity, acceleration, maxVelocity, maxAcceleration, maxJerk } = this.motion;
    const u0 = curve.timeInPiece(k, t0);
    const u = curve.timeInPiece(k, middle);
    const u1 = curve.timeInPiece(k, t1);
    for (let j = 0; j < curve.dof; j++) {
      const at = curve.polynomialIndex(k, j);
      q[j] = derivativeAt(curve.polynomials, at, 0, u);
      velocity[j] = derivativeAt(curve.polynomials, at, 1, u);
      acceleration[j] = derivativeAt(curve.polynomials, at, 2, u);
      maxVelocity[j] = maxMagnitude(curve.polynomials, at, 1, u0, u1);
      maxAcceleration[j] = maxMagnitude(curve.polynomials, at, 2, u0, u1);
      maxJerk[j] = maxMagnitude(curve.polynomials, at, JERK, u0, u1);
    }
    const bound = this.point.speedBound(this.motion, Math.max(u - u0, u1 - u));
    return { value: norm(this.point.velocity), bound };
  }
}
