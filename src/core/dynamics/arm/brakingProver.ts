import {
  accelerationAt,
  derivativeAt,
  extremeCandidates,
  JERK,
  jerkAt,
  MAX_CANDIDATES,
  maxMagnitude,
  positionAt,
  VELOCITY,
  velocityAt,
} from '../../trajectory/polynomial.ts';
import { REST } from '../../trajectory/retiming/pathStop.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { ArmModel } from './armModel.ts';
import { type JointTaylor, TorqueEnclosure } from './torqueEnclosure.ts';
import { createTaylor, isResting, setFrictionSigns, setRateErrors, TORQUE_ROUNDING } from './torqueProver.ts';

/** Torques that a braking motion must keep. */
export interface BrakingTorques {
  readonly arm: ArmModel;
  /** By planned joint: N m, N; Infinity: not limited. */
  readonly limits: ArrayLike<number>;
}

/** Relative rounding error of a derivative of the motion, to its terms. */
const ROUNDING = 1e-12;

const candidates = new Float64Array(MAX_CANDIDATES);

/**
 * Proves limits of acceleration and torque over short parts of a braking motion q(s(t)) along a curve q, whose pace s'
 * changes at a constant rate u: derivatives by the chain rule in the middle, and remainders. One per thread.
 */
export class BrakingProver {
  private readonly joints: JointTaylor[];
  private readonly enclosure: TorqueEnclosure | undefined;

  /** @param acceleration limits on each piece of the curve, by planned joint */
  constructor(
    private readonly curve: TrajectoryCurve,
    private readonly acceleration: (piece: number) => ArrayLike<number>,
    private readonly torques: BrakingTorques | undefined,
  ) {
    this.joints = Array.from({ length: curve.dof }, createTaylor);
    this.enclosure = torques && new TorqueEnclosure(torques.arm);
  }

  /**
   * Returns true if limits of acceleration and torque are proved at every instant of a part of a piece of the curve. A
   * constant pace of at most 1 keeps the limits of acceleration that the curve keeps.
   * @param from begin of the part, in the time of the piece
   * @param length its length, in the time of the curve; less if the motion is at rest before
   * @param x squared pace at its start, at most 1; at its end it is x + 2 u · length
   * @param u at most 0
   */
  isKept(piece: number, from: number, length: number, x: number, u: number): boolean {
    if (u === 0 && x === 1) return true; // the motion itself
    const step = u < 0 ? Math.min(length, x / (-2 * u)) : length;
    const limits = this.acceleration(piece);
    const pace = Math.sqrt(x);
    const next = x + 2 * u * length;
    const last = next <= REST ? 0 : Math.sqrt(next);
    const half = step / (pace + last);
    for (let j = 0; j < this.joints.length; j++) {
      this.setJoint(this.joints[j], piece, j, from, step, pace, last, half);
      const { derivatives: d, bounds } = this.joints[j];
      const most = Math.abs(d[2]) + half * Math.abs(d[3]) + 0.5 * half * half * bounds[4];
      if (u !== 0 && !(most <= limits[j] * (1 + TORQUE_ROUNDING))) return false;
    }
    return this.keepsTorques(half, false);
  }

  /**
   * Returns true if the limits of torque are proved to hold the arm at rest at every state of a part of a piece of the
   * curve.
   * @param from begin of the part, in the time of the piece
   * @param length its length; 0: one state
   */
  isHeld(piece: number, from: number, length: number): boolean {
    if (this.enclosure === undefined) return true;
    for (const [j, joint] of this.joints.entries()) this.setJoint(joint, piece, j, from, length, 1, 1, 0.5 * length);
    return this.keepsTorques(0.5 * length, true);
  }

  /** @param isStatic torques at rest at each state, instead of those of the motion */
  private keepsTorques(half: number, isStatic: boolean): boolean {
    const { enclosure, torques } = this;
    if (enclosure === undefined) return true;
    enclosure.enclose(this.joints, half, isStatic);
    return this.joints.every((_, k) => {
      const limit = torques!.limits[k] * (1 + TORQUE_ROUNDING);
      return enclosure.upper[k] <= limit && -enclosure.lower[k] <= limit;
    });
  }

  /** Sets the derivatives of a joint by time in the middle of the time of a part, and bounds on them over it. */
  private setJoint(
    { derivatives: d, bounds: b, velocities, signs, errors }: JointTaylor,
    piece: number,
    j: number,
    from: number,
    step: number,
    pace: number,
    slowest: number,
    half: number,
  ): void {
    const u = step > 0 ? (slowest * slowest - pace * pace) / (2 * step) : 0;
    const { polynomials: c } = this.curve;
    const at = this.curve.polynomialIndex(piece, j);
    const middle = from + half * (pace + 0.5 * u * half);
    const to = from + step;
    const p = pace + u * half;
    const x = p * p;
    const [v, a, jerk, snap, fifth] = [
      velocityAt(c, at, middle),
      accelerationAt(c, at, middle),
      jerkAt(c, at, middle),
      derivativeAt(c, at, 4, middle),
      120 * c[at + 5],
    ];
    d[0] = positionAt(c, at, middle);
    d[1] = v * p;
    d[2] = a * x + v * u;
    d[3] = p * (jerk * x + 3 * a * u);
    d[4] = snap * x * x + 6 * jerk * x * u + 3 * a * u * u;
    d[5] = fifthOf(fifth, snap, jerk, p, u);
    const mostSnap = Math.max(Math.abs(derivativeAt(c, at, 4, from)), Math.abs(derivativeAt(c, at, 4, to)));
    const mostJerk = maxMagnitude(c, at, JERK, from, to);
    const rate = Math.abs(u);
    b[5] = fifthOf(Math.abs(fifth), mostSnap, mostJerk, pace, rate);
    for (let order = 4; order > 0; order--) b[order] = Math.abs(d[order]) + half * b[order + 1];
    const count = extremeCandidates(candidates, c, at, VELOCITY, from, to);
    const speeds = Array.from(candidates.subarray(0, count), (time) => velocityAt(c, at, time));
    const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
    velocities[0] = least * (least > 0 ? slowest : pace);
    velocities[1] = most * (most < 0 ? slowest : pace);
    setRateErrors(errors, this.curve, piece, j);
    setFrictionSigns(signs, least, most, errors[1], isResting(this.curve, piece, j));
    // Where the pace falls to 0, every joint comes to rest, without changing its direction.
    if (slowest === 0) signs.set([Math.min(0, signs[0]), Math.max(0, signs[1])]);
    errors[2] =
      errors[2] * pace * pace + errors[1] * rate + ROUNDING * (Math.abs(a) * pace * pace + Math.abs(v) * rate);
    errors[1] = errors[1] * pace + ROUNDING * b[1];
  }
}

/** The fifth derivative by time, from the fifth, fourth and third by s: Faà di Bruno with s''' = 0. */
const fifthOf = (fifth: number, snap: number, jerk: number, p: number, u: number): number =>
  p * (fifth * p * p * p * p + 10 * snap * p * p * u + 15 * jerk * u * u);
