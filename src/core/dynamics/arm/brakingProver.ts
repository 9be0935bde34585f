import {
  ACCELERATION,
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
import { type BrakingPart, partAfter } from '../../trajectory/retiming/brakingPart.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { ArmModel } from './armModel.ts';
import { createTaylor, isResting, type JointTaylor, setFrictionSigns, setRateErrors } from './jointTaylor.ts';
import { TorqueEnclosure } from './torqueEnclosure.ts';
import { TORQUE_ROUNDING } from './torqueProver.ts';

/** Torques that a braking motion must keep. */
export interface BrakingTorques {
  readonly arm: ArmModel;
  /** By planned joint: N m, N; Infinity: not limited. */
  readonly limits: ArrayLike<number>;
}

/** Limits that a stop must keep beside those of torque. */
export interface BrakingLimits {
  /** Limits of acceleration on each piece of the curve, by planned joint. */
  readonly acceleration: (piece: number) => ArrayLike<number>;
  /** By planned joint; Infinity: not limited. */
  readonly jerk: ArrayLike<number>;
}

/** Relative rounding error of a derivative of the motion, to its terms. */
const ROUNDING = 1e-12;
/** Relative: a jerk may exceed its limit by this, as in `check`. */
const JERK_TOLERANCE = 1e-6;
/** Rounding error of a pace and its rate; a pace up to this counts as rest. */
const STILL = 1e-9;

/** Maximum number of bisections of a part. */
const MAX_DEPTH = 4;

const candidates = new Float64Array(MAX_CANDIDATES);

/**
 * Proves limits of acceleration, jerk and torque over short parts of a braking motion q(s(t)) along a curve q:
 * derivatives by the chain rule in the middle, and remainders. One per thread.
 */
export class BrakingProver {
  private readonly joints: JointTaylor[];
  private readonly enclosure: TorqueEnclosure | undefined;

  constructor(
    private readonly curve: TrajectoryCurve,
    private readonly limits: BrakingLimits,
    private readonly torques: BrakingTorques | undefined,
  ) {
    this.joints = Array.from({ length: curve.dof }, createTaylor);
    this.enclosure = torques && new TorqueEnclosure(torques.arm);
  }

  /**
   * Returns true if all limits are proved at every instant of a part of a piece of the curve, and its pace does not
   * increase. A constant pace of at most 1 keeps the limits of acceleration and jerk that the curve keeps.
   */
  isKept(piece: number, part: BrakingPart): boolean {
    const { pace, rate, change, duration } = part;
    const isEven = rate === 0 && change === 0;
    if (isEven && pace === 1) return true; // the motion itself
    const end = partAfter(part, duration);
    if (!(pace <= 1 && rate <= STILL && end.rate <= STILL && end.pace >= -STILL)) return false;
    const { acceleration, jerk } = this.limits;
    const limits = acceleration(piece);
    const half = 0.5 * duration;
    for (let j = 0; j < this.joints.length; j++) {
      this.setJoint(this.joints[j], piece, j, part);
      const { derivatives: d, bounds: b } = this.joints[j];
      const remainder = 0.5 * half * half;
      const most = Math.abs(d[2]) + half * Math.abs(d[3]) + remainder * b[4];
      if (!isEven && !(most <= limits[j] * (1 + TORQUE_ROUNDING))) return false;
      const third = Math.abs(d[3]) + half * Math.abs(d[4]) + remainder * b[5];
      if (!isEven && !(third <= jerk[j] * (1 + JERK_TOLERANCE))) return false;
    }
    return this.keepsTorques(half, false);
  }

  /** As `isKept`, of the halves of a part as well. */
  areKept(piece: number, part: BrakingPart, depth = 0): boolean {
    if (this.isKept(piece, part)) return true;
    const duration = 0.5 * part.duration;
    if (depth >= MAX_DEPTH) return false;
    return (
      this.areKept(piece, { ...part, duration }, depth + 1) && this.areKept(piece, partAfter(part, duration), depth + 1)
    );
  }

  /**
   * Returns true if the limits of torque are proved to hold the arm at rest at every state of a part of a piece of the
   * curve.
   * @param from begin of the part, in the time of the piece
   * @param length its length; 0: one state
   */
  isHeld(piece: number, from: number, length: number): boolean {
    if (this.enclosure === undefined) return true;
    const part = { from, pace: 1, rate: 0, change: 0, duration: length };
    for (const [j, joint] of this.joints.entries()) this.setJoint(joint, piece, j, part);
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
  private setJoint(joint: JointTaylor, piece: number, j: number, part: BrakingPart): void {
    const { derivatives: d, bounds: b } = joint;
    const { polynomials: c } = this.curve;
    const at = this.curve.polynomialIndex(piece, j);
    const { from, pace, rate, change: w, duration } = part;
    const half = 0.5 * duration;
    const { from: middle, pace: p, rate: u } = partAfter(part, half);
    const { from: to, rate: lastRate } = partAfter(part, duration);
    const steepest = Math.max(Math.abs(rate), Math.abs(lastRate));
    const v = velocityAt(c, at, middle);
    const a = accelerationAt(c, at, middle);
    const jerk = jerkAt(c, at, middle);
    const snap = derivativeAt(c, at, 4, middle);
    const fifth = 120 * c[at + 5];
    const x = p * p;
    d[0] = positionAt(c, at, middle);
    d[1] = v * p;
    d[2] = a * x + v * u;
    d[3] = p * (jerk * x + 3 * a * u) + v * w;
    d[4] = snap * x * x + 6 * jerk * x * u + a * (3 * u * u + 4 * p * w);
    d[5] = fifthOf(fifth, snap, jerk, p, u, w) + 10 * a * u * w;
    const mostSnap = Math.max(Math.abs(derivativeAt(c, at, 4, from)), Math.abs(derivativeAt(c, at, 4, to)));
    const mostJerk = maxMagnitude(c, at, JERK, from, to);
    b[5] = fifthOf(Math.abs(fifth), mostSnap, mostJerk, pace, steepest, Math.abs(w));
    if (w !== 0) b[5] += 10 * maxMagnitude(c, at, ACCELERATION, from, to) * steepest * Math.abs(w);
    for (let order = 4; order > 0; order--) b[order] = Math.abs(d[order]) + half * b[order + 1];
    if (this.enclosure !== undefined) this.setFriction(joint, piece, j, part);
  }

  /** Sets the velocities of a joint over a part, the signs of its friction, and bounds on the errors of its rates. */
  private setFriction(
    { bounds: b, velocities, signs, errors }: JointTaylor,
    piece: number,
    j: number,
    part: BrakingPart,
  ) {
    const { polynomials: c } = this.curve;
    const at = this.curve.polynomialIndex(piece, j);
    const { from, pace, rate, duration } = part;
    const { from: middle } = partAfter(part, 0.5 * duration);
    const { from: to, pace: last, rate: lastRate } = partAfter(part, duration);
    const slowest = Math.max(0, last);
    const steepest = Math.max(Math.abs(rate), Math.abs(lastRate));
    const count = extremeCandidates(candidates, c, at, VELOCITY, from, to);
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const speed = velocityAt(c, at, candidates[i]);
      least = Math.min(least, speed);
      most = Math.max(most, speed);
    }
    velocities[0] = least * (least > 0 ? slowest : pace);
    velocities[1] = most * (most < 0 ? slowest : pace);
    setRateErrors(errors, this.curve, piece, j);
    setFrictionSigns(signs, least, most, errors[1], isResting(this.curve, piece, j));
    // Where the pace falls to 0, every joint comes to rest, without changing its direction.
    if (slowest <= STILL) {
      signs[0] = Math.min(0, signs[0]);
      signs[1] = Math.max(0, signs[1]);
    }
    const a = accelerationAt(c, at, middle);
    const v = velocityAt(c, at, middle);
    errors[2] =
      errors[2] * pace * pace + errors[1] * steepest + ROUNDING * (Math.abs(a) * pace * pace + Math.abs(v) * steepest);
    errors[1] = errors[1] * pace + ROUNDING * b[1];
  }
}

/** The fifth derivative by time, without the term of the second derivative by s: Faà di Bruno with s'''' = 0. */
const fifthOf = (fifth: number, snap: number, jerk: number, p: number, u: number, w: number): number =>
  p * (p * (p * (fifth * p * p + 10 * snap * u) + 10 * jerk * w) + 15 * jerk * u * u);
