import type { Interrupt } from '../../math/interrupt.ts';
import { create } from '../../math/transform.ts';
import { norm } from '../../math/vec3.ts';
import { RateSearch } from '../../trajectory/retiming/rateSearch.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { ArmModel } from './armModel.ts';
import { InverseDynamics } from './inverseDynamics.ts';
import { createTaylor, type JointTaylor, setTaylor } from './jointTaylor.ts';
import { TorqueEnclosure } from './torqueEnclosure.ts';

/** Rounding error of a momentum, relative to the sum of its terms. */
const ROUNDING = 1e-12;

/** A value of the motion of an arm, with its bounds from an enclosure of its torques. One per thread. */
abstract class ArmRate extends RateSearch {
  protected readonly dynamics: InverseDynamics;
  protected readonly enclosure: TorqueEnclosure;
  protected readonly joints: readonly JointTaylor[];

  constructor(
    protected readonly arm: ArmModel,
    interrupt?: Interrupt,
  ) {
    super(interrupt);
    this.dynamics = new InverseDynamics(arm);
    this.enclosure = new TorqueEnclosure(arm);
    this.joints = Array.from({ length: arm.dof }, createTaylor);
  }

  protected evaluate(curve: TrajectoryCurve, k: number, t0: number, middle: number, t1: number) {
    const half = Math.max(middle - t0, t1 - middle);
    for (const [j, joint] of this.joints.entries()) setTaylor(joint, curve, k, j, t0, t1, half);
    this.enclosure.enclose(this.joints, half);
    return this.enclosed(half);
  }

  /** Returns the value and the bound of the enclosed interval. */
  protected abstract enclosed(half: number): { readonly value: number; readonly bound: number };
}

/**
 * Magnitude of the linear momentum of all moving bodies, kg m/s. Its derivative is the force F on the root without
 * gravity, so that it differs from p + F t by at most |F'| t²/2 + max |F''| |t|³/6.
 */
export class ArmMomentum extends ArmRate {
  constructor(arm: ArmModel, interrupt?: Interrupt) {
    super({ ...arm, gravity: [0, 0, 0], T_world_root: create() }, interrupt);
  }

  at(q: ArrayLike<number>, velocity: ArrayLike<number>): number {
    return norm(Float64Array.from(this.dynamics.momentum(q, velocity).linear));
  }

  protected enclosed(half: number) {
    const { enclosure, joints, dynamics, arm } = this;
    const { base, reach } = enclosure;
    const p = dynamics.momentum(
      joints.map(({ derivatives }) => derivatives[0]),
      joints.map(({ derivatives }) => derivatives[1]),
    ).linear;
    const along = (t: number) => norm(Float64Array.from(p, (x, i) => x + t * base[i]));
    const steep = norm(base.subarray(3, 6));
    // The bound on F'' covers the rounding errors of the derivatives of the joints over half of the interval, at 0 too.
    const remainder = half * half * (0.5 * steep + 0.5 * half * base[8]);
    let [angle, rate, error] = [1, 0, 0];
    for (const { variable, multiplier, offset } of arm.joints) {
      const { derivatives: d, bounds: b, errors } = joints[variable];
      angle = Math.max(angle, Math.abs(multiplier * d[0]) + Math.abs(offset));
      rate += Math.abs(multiplier) * b[1];
      error += Math.abs(multiplier) * errors[1];
    }
    const carried = arm.joints.reduce((sum, { mass, moment }) => sum + mass * (1 + reach) + norm(moment), 0);
    const rounding = carried * (error + ROUNDING * angle * rate);
    return { value: along(0), bound: Math.max(along(half), along(-half)) * (1 + ROUNDING) + remainder + rounding };
  }
}

/** Magnitude of the mechanical power of the drives, W: the sum of torque times velocity. */
export class ArmPower extends ArmRate {
  override readonly order = 3;

  at(q: ArrayLike<number>, velocity: ArrayLike<number>, acceleration: ArrayLike<number>): number {
    const torques = new Float64Array(this.arm.dof);
    this.dynamics.torques(torques, q, velocity, acceleration);
    return Math.abs(torques.reduce((sum, torque, k) => sum + torque * velocity[k], 0));
  }

  protected enclosed() {
    const { value, lower, upper } = this.enclosure.power;
    return { value: Math.abs(value), bound: Math.max(-lower, upper) };
  }
}
