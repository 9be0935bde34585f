import type { ArmModel } from './armModel.ts';
import * as jets from './jets.ts';
import { createJet, type Jet, type Scalar, type Turn } from './jets.ts';
import { setJointRotation } from './jointRotation.ts';
import type { JointTaylor } from './jointTaylor.ts';

/** Relative error of a torque, to the sum of its terms: of some thousand operations, each exact to 2⁻⁵³. */
const ROUNDING = 1e-12;

/** State of one moving joint and its body during a computation. */
interface BodyJets {
  readonly turn: Turn;
  readonly offset: Jet;
  readonly omega: Jet;
  readonly alpha: Jet;
  readonly acceleration: Jet;
  readonly force: Jet;
  readonly moment: Jet;
  /** Mass times center of mass, constant. */
  readonly center: Jet;
  readonly inertiaSize: number;
}

/**
 * Encloses the torques of an arm over intervals of a motion: the recursive Newton-Euler algorithm on jets, so that each
 * torque has a value, a derivative and a bound on its second derivative. The enclosure is of second order: its excess
 * is quartered when the interval is halved (docs/proof.md). One per thread.
 */
export class TorqueEnclosure {
  /** Torques in the middle of the last interval, by planned joint, and bounds over the interval. */
  readonly value: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Power of the drives there, W, and bounds over the interval; not set for torques at rest. */
  readonly power = { value: 0, slope: 0, lower: 0, upper: 0 };
  /** Force on the root in its axes: the derivative of the momentum, where gravity is 0. */
  readonly base = createJet();
  private readonly bodies: readonly BodyJets[];
  private readonly root = createJet();
  /** Intermediate results. */
  private readonly work: readonly [Jet, Jet, Jet] = [createJet(), createJet(), createJet()];
  private readonly rate: Scalar = new Float64Array(5);
  private readonly push: Scalar = new Float64Array(5);
  private readonly slide: Scalar = new Float64Array(5);
  /** Of the torques of the bodies alone: derivatives, and bounds on second derivatives. */
  private readonly slope: Float64Array;
  private readonly second: Float64Array;

  constructor(private readonly arm: ArmModel) {
    const row = () => new Float64Array(arm.dof);
    [this.value, this.lower, this.upper, this.slope, this.second] = [row(), row(), row(), row(), row()];
    this.bodies = arm.joints.map(({ axis, T_parent_joint: T, moment, inertia }) => {
      const axisInParent = Float64Array.from(
        [0, 4, 8],
        (o) => T[o] * axis[0] + T[o + 1] * axis[1] + T[o + 2] * axis[2],
      );
      const turn: Turn = { R: new Float64Array(9), axis, axisInParent, rate: 0, most: 0, mostChange: 0 };
      const [xx, yy, zz, xy, xz, yz] = inertia.map((x) => x * x);
      const [offset, omega, alpha, acceleration, force, body, center] = Array.from({ length: 7 }, createJet);
      center.set([...moment, 0, 0, 0, size(moment)]);
      const inertiaSize = (1 + ROUNDING) * Math.sqrt(xx + yy + zz + 2 * (xy + xz + yz));
      return { turn, offset, omega, alpha, acceleration, force, moment: body, center, inertiaSize };
    });
  }

  /**
   * Computes the torques over an interval.
   * @param joints motion of each planned joint
   * @param half half the length of the interval
   * @param isStatic torques that hold the arm at rest at each position, instead of those of the motion
   */
  enclose(joints: readonly JointTaylor[], half: number, isStatic = false): void {
    const { arm, bodies, root, slope, second } = this;
    const [gx, gy, gz] = arm.gravity;
    const T = arm.T_world_root;
    root.fill(0);
    for (let i = 0; i < 3; i++) root[i] = -(T[i] * gx + T[4 + i] * gy + T[8 + i] * gz);
    root[6] = (1 + ROUNDING) * size(root);
    for (let j = 0; j < bodies.length; j++) this.setMotion(j, joints, half, isStatic);
    second.fill(0);
    slope.fill(0);
    const rounding = ROUNDING * this.sumOfTerms(joints);
    this.value.fill(0);
    this.base.fill(0);
    for (let j = bodies.length - 1; j >= 0; j--) {
      const { slides, axis, variable, multiplier, parent } = arm.joints[j];
      const { force, moment, turn, offset } = bodies[j];
      const wrench = slides ? force : moment;
      jets.tighten(force, half);
      jets.tighten(moment, half);
      this.value[variable] += multiplier * (axis[0] * wrench[0] + axis[1] * wrench[1] + axis[2] * wrench[2]);
      slope[variable] += multiplier * (axis[0] * wrench[3] + axis[1] * wrench[4] + axis[2] * wrench[5]);
      second[variable] += Math.abs(multiplier) * wrench[8];
      const [turned, lever] = this.work;
      jets.toParent(turned, turn, force);
      jets.addScaled(parent < 0 ? this.base : bodies[parent].force, turned, 1);
      if (parent < 0) continue;
      const above = bodies[parent];
      jets.cross(lever, offset, turned);
      jets.addScaled(above.moment, lever, 1);
      jets.toParent(turned, turn, moment);
      jets.addScaled(above.moment, turned, 1);
    }
    Object.assign(this.power, { value: 0, slope: 0, lower: 0, upper: 0 });
    for (let k = 0; k < arm.dof; k++) this.addDrive(k, joints[k], slope[k], second[k], half, rounding, isStatic);
    const { power } = this;
    const drift = (1 + ROUNDING) * half * Math.abs(power.slope);
    power.lower -= drift;
    power.upper += drift;
  }

  /** Adds the drive of joint k to its torque, sets the bounds of the torque, and adds the power of the drive. */
  private addDrive(
    k: number,
    { derivatives: d, bounds: b, velocities, signs, errors }: JointTaylor,
    slopeOfBodies: number,
    secondOfBodies: number,
    half: number,
    rounding: number,
    isStatic: boolean,
  ): void {
    const { arm, power } = this;
    const [armature, damping, friction] = isStatic ? [0, 0, 0] : [arm.armature[k], arm.damping[k], arm.friction[k]];
    const value = this.value[k] + (armature * d[2] + damping * d[1]);
    const slope = slopeOfBodies + (armature * d[3] + damping * d[2]);
    const second = secondOfBodies + (armature * b[4] + damping * b[3]);
    const drives = armature * (ROUNDING * b[2] + errors[2]) + damping * (ROUNDING * b[1] + errors[1]);
    const error = rounding + drives;
    const away = error + (1 + ROUNDING) * half * (Math.abs(slope) + 0.5 * half * second);
    const slowest = velocities[0];
    const fastest = velocities[1];
    this.value[k] = value + (Math.abs(d[1]) > errors[1] ? friction * Math.sign(d[1]) : 0);
    this.lower[k] = value - away + friction * signs[0];
    this.upper[k] = value + away + friction * signs[1];
    if (isStatic) return;
    // Power τ v: (τ v)' = τ' v + τ v', |(τ v)''| <= |τ''| |v| + 2 |τ'| |v'| + |τ| |v''|; friction takes f |v|.
    const size = Math.abs(value) + away;
    const steep = second * b[1] + 2 * (Math.abs(slope) + half * second) * b[2] + size * b[3];
    const doubt = error * (b[1] + errors[1]) + size * (2 * errors[1] + ROUNDING * (b[1] + half * b[2]));
    const most = doubt + 0.5 * (1 + ROUNDING) * half * half * steep;
    const least = slowest > 0 ? slowest : fastest < 0 ? -fastest : 0;
    power.value += d[1] * this.value[k];
    power.lower += value * d[1] - most + friction * Math.max(0, least - errors[1]);
    power.upper += value * d[1] + most + friction * (Math.max(-slowest, fastest) + errors[1]);
    power.slope += slope * d[1] + value * d[2];
  }

  /** Bound on the distance of the origin of a body from that of the root, in the last interval, m. */
  get reach(): number {
    return this.bodies.reduce((sum, { offset }) => sum + offset[6], 0);
  }

  /**
   * Returns a bound on the sum of the terms of each torque, as moments of all bodies about all joints, times the
   * largest angle: a rounding error of an angle is relative to it.
   */
  private sumOfTerms(joints: readonly JointTaylor[]): number {
    const { reach } = this;
    let [angle, sum] = [1, 0];
    for (const [j, { force, moment }] of this.bodies.entries()) {
      const { variable, multiplier, offset } = this.arm.joints[j];
      angle = Math.max(angle, Math.abs(multiplier * joints[variable].derivatives[0]) + Math.abs(offset));
      sum += (1 + Math.abs(multiplier)) * (moment[6] + reach * force[6]);
    }
    return angle * sum;
  }

  /** Sets the motion of a body, and force and moment of its motion about the origin of its frame. */
  private setMotion(j: number, joints: readonly JointTaylor[], half: number, isStatic: boolean): void {
    const {
      parent,
      variable,
      multiplier,
      offset: start,
      slides,
      axis,
      T_parent_joint: T,
      mass,
      inertia,
    } = this.arm.joints[j];
    const body = this.bodies[j];
    const { turn, offset, omega, alpha, acceleration } = body;
    const { derivatives: d, bounds: b, errors } = joints[variable];
    const factor = Math.abs(multiplier);
    const value = multiplier * d[0] + start;
    const { rate, push, slide } = this;
    // Rounding errors count as a part of the remainder b₂ h²/2.
    const share = half > 0 ? 2 / half / half : 0;
    setScalar(rate, multiplier * d[1], multiplier * d[2], factor * (b[1] + errors[1]), factor * b[2]);
    rate[4] = factor * (b[3] + share * errors[1]);
    setScalar(push, multiplier * d[2], multiplier * d[3], factor * (b[2] + errors[2]), factor * b[3]);
    push[4] = factor * (b[4] + share * errors[2]);
    setJointRotation(turn.R, 0, this.arm.joints[j], value);
    turn.rate = slides ? 0 : rate[0];
    turn.most = slides ? 0 : rate[2];
    turn.mostChange = slides ? 0 : factor * (b[2] + errors[2]);
    offset.fill(0);
    for (let i = 0; i < 3; i++) offset[i] = T[4 * i + 3];
    offset[6] = (1 + ROUNDING) * size(offset);
    if (slides) {
      setScalar(slide, value, rate[0], Math.abs(value) + half * rate[2], rate[2]);
      slide[4] = factor * (b[2] + errors[2]);
      jets.addAlong(offset, turn.axisInParent, slide);
    }
    this.setCarriedMotion(body, parent < 0 ? undefined : this.bodies[parent]);
    if (!isStatic) {
      jets.addAlong(slides ? acceleration : alpha, axis, push);
      jets.addCrossAlong(slides ? acceleration : alpha, omega, axis, rate, slides ? 2 : 1);
      if (!slides) jets.addAlong(omega, axis, rate);
    }
    jets.tighten(omega, half);
    jets.tighten(alpha, half);
    jets.tighten(acceleration, half);
    this.setWrench(body, mass, inertia);
  }

  /** Sets the motion of a body as if its joint did not move: that of its parent, at the origin of the body's frame. */
  private setCarriedMotion({ turn, offset, omega, alpha, acceleration }: BodyJets, above: BodyJets | undefined): void {
    const [sum, spin, lever] = this.work;
    sum.set(above ? above.acceleration : this.root);
    omega.fill(0);
    alpha.fill(0);
    if (above) {
      jets.toChild(omega, turn, above.omega);
      jets.toChild(alpha, turn, above.alpha);
      jets.cross(spin, above.alpha, offset);
      jets.addScaled(sum, spin, 1);
      jets.cross(spin, above.omega, offset);
      jets.cross(lever, above.omega, spin);
      jets.addScaled(sum, lever, 1);
    }
    jets.toChild(acceleration, turn, sum);
  }

  /** Sets force and moment of the motion of a body about the origin of its frame, by Newton and Euler. */
  private setWrench(body: BodyJets, mass: number, inertia: Float64Array): void {
    const { omega, alpha, acceleration, force, moment, center } = body;
    const [, spin, lever] = this.work;
    // force: m a + α × mc + ω × (ω × mc)
    force.fill(0);
    jets.addScaled(force, acceleration, mass);
    jets.cross(spin, alpha, center);
    jets.addScaled(force, spin, 1);
    jets.cross(spin, omega, center);
    jets.cross(lever, omega, spin);
    jets.addScaled(force, lever, 1);
    // moment: I α + ω × I ω + mc × a
    jets.multiply(moment, inertia, body.inertiaSize, alpha);
    jets.multiply(spin, inertia, body.inertiaSize, omega);
    jets.cross(lever, omega, spin);
    jets.addScaled(moment, lever, 1);
    jets.cross(spin, center, acceleration);
    jets.addScaled(moment, spin, 1);
  }
}

const size = (v: ArrayLike<number>) => Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

function setScalar(out: Scalar, value: number, derivative: number, b0: number, b1: number): void {
  out[0] = value;
  out[1] = derivative;
  out[2] = b0;
  out[3] = b1;
}
