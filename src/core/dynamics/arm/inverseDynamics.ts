import type { ArmJoint, ArmModel } from './armModel.ts';
import { setJointRotation } from './jointRotation.ts';

/**
 * Numbers per joint: rotation to the parent (9), ω, α, acceleration, velocity, force, moment (3 each), offset (3), and
 * the value of the joint that the rotation is of.
 */
const SIZE = 31;
const [OMEGA, ALPHA, ACCELERATION, FORCE, MOMENT, OFFSET, VELOCITY, VALUE] = [9, 12, 15, 18, 21, 24, 27, 30];

/** Linear momentum and angular momentum about the origin of the world, in the world; kinetic energy in J. */
export interface Momentum {
  readonly linear: readonly number[];
  readonly angular: readonly number[];
  readonly energy: number;
}

/**
 * Inverse dynamics of an arm by the recursive Newton-Euler algorithm: from joint positions,
 * velocities and accelerations to joint torques (N m) and forces (N). Each quantity is in the frame of its body, and
 * gravity is an acceleration of the root. One per thread.
 */
export class InverseDynamics {
  private readonly data: Float64Array;
  private readonly still: Float64Array;
  private readonly unit: Float64Array;

  constructor(
    /** Bodies and drives. */
    readonly arm: ArmModel,
  ) {
    this.data = new Float64Array(SIZE * arm.joints.length).fill(Number.NaN);
    this.still = new Float64Array(arm.dof);
    this.unit = new Float64Array(arm.dof);
  }

  /** Computes the torques of the planned joints. Friction at rest counts as zero. */
  torques(out: Float64Array, q: ArrayLike<number>, v: ArrayLike<number>, a: ArrayLike<number>): void {
    this.rigidTorques(out, q, v, a, 1);
    const { armature, damping, friction } = this.arm;
    for (let k = 0; k < out.length; k++)
      out[k] += armature[k] * a[k] + damping[k] * v[k] + friction[k] * Math.sign(v[k]);
  }

  /** Computes the torques without damping and friction. @param weight factor of gravity */
  rigidTorques(
    out: Float64Array,
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    a: ArrayLike<number>,
    weight: number,
  ): void {
    this.setMotions(q, v, a, weight);
    const { data } = this;
    const { joints } = this.arm;
    out.fill(0);
    for (let j = joints.length - 1; j >= 0; j--) {
      const { parent, slides, axis, variable, multiplier } = joints[j];
      const o = SIZE * j;
      const row = o + (slides ? FORCE : MOMENT);
      out[variable] += multiplier * (axis[0] * data[row] + axis[1] * data[row + 1] + axis[2] * data[row + 2]);
      if (parent >= 0) this.addWrench(SIZE * parent, o);
    }
  }

  /** Returns the mass matrix, armature included: row k is the torque of a unit acceleration of joint k. */
  massMatrix(q: ArrayLike<number>): Float64Array[] {
    const { still, unit, arm } = this;
    return Array.from({ length: arm.dof }, (_, k) => {
      const row = new Float64Array(arm.dof);
      unit.fill(0);
      unit[k] = 1;
      this.rigidTorques(row, q, still, unit, 0);
      row[k] += arm.armature[k];
      return row;
    });
  }

  /** Computes momentum and kinetic energy of all moving bodies; the energy includes that of the rotors. */
  momentum(q: ArrayLike<number>, v: ArrayLike<number>): Momentum {
    const { data, arm } = this;
    this.setMotions(q, v, this.still, 0);
    let energy = 0;
    for (let k = 0; k < arm.dof; k++) energy += (arm.armature[k] * v[k] * v[k]) / 2;
    const total = new Float64Array(6); // of the bodies at the root: momentum, moment of momentum about its origin
    for (let j = arm.joints.length - 1; j >= 0; j--) {
      const { mass, moment: m, inertia: I } = arm.joints[j];
      const o = SIZE * j;
      const [wx, wy, wz] = [data[o + OMEGA], data[o + OMEGA + 1], data[o + OMEGA + 2]];
      const u = [data[o + VELOCITY], data[o + VELOCITY + 1], data[o + VELOCITY + 2]];
      const p = [
        mass * u[0] + wy * m[2] - wz * m[1],
        mass * u[1] + wz * m[0] - wx * m[2],
        mass * u[2] + wx * m[1] - wy * m[0],
      ];
      const l = [
        I[0] * wx + I[3] * wy + I[4] * wz + m[1] * u[2] - m[2] * u[1],
        I[3] * wx + I[1] * wy + I[5] * wz + m[2] * u[0] - m[0] * u[2],
        I[4] * wx + I[5] * wy + I[2] * wz + m[0] * u[1] - m[1] * u[0],
      ];
      energy += (u[0] * p[0] + u[1] * p[1] + u[2] * p[2] + wx * l[0] + wy * l[1] + wz * l[2]) / 2;
      data.set(p, o + FORCE);
      data.set(l, o + MOMENT);
    }
    // A second pass adds them up like forces: towards the root.
    for (let j = arm.joints.length - 1; j >= 0; j--) {
      const { parent } = arm.joints[j];
      if (parent >= 0) this.addWrench(SIZE * parent, SIZE * j);
      else this.addToRoot(total, SIZE * j);
    }
    const T = arm.T_world_root;
    const turned = (at: number) =>
      [0, 4, 8].map((row) => T[row] * total[at] + T[row + 1] * total[at + 1] + T[row + 2] * total[at + 2]);
    const [linear, local] = [turned(0), turned(3)];
    const [x, y, z] = [T[3], T[7], T[11]];
    const [px, py, pz] = linear;
    return {
      linear,
      angular: [local[0] + y * pz - z * py, local[1] + z * px - x * pz, local[2] + x * py - y * px],
      energy,
    };
  }

  /** Sets motion, force and moment of each body; force and moment about the origin of its frame. */
  private setMotions(q: ArrayLike<number>, v: ArrayLike<number>, a: ArrayLike<number>, weight: number): void {
    const { data } = this;
    const { joints } = this.arm;
    for (let j = 0; j < joints.length; j++) {
      const joint = joints[j];
      const { variable, multiplier, slides, axis } = joint;
      const o = SIZE * j;
      const ax = axis[0];
      const ay = axis[1];
      const az = axis[2];
      this.setCarriedMotion(o, joint, multiplier * q[variable] + joint.offset, weight);
      const rate = multiplier * v[variable];
      const push = multiplier * a[variable];
      const wx = data[o + OMEGA];
      const wy = data[o + OMEGA + 1];
      const wz = data[o + OMEGA + 2];
      const twice = slides ? 2 * rate : rate; // Coriolis acceleration of a slide, change of the axis of a turn
      const at = o + (slides ? ACCELERATION : ALPHA);
      data[at] += push * ax + twice * (wy * az - wz * ay);
      data[at + 1] += push * ay + twice * (wz * ax - wx * az);
      data[at + 2] += push * az + twice * (wx * ay - wy * ax);
      const moved = o + (slides ? VELOCITY : OMEGA);
      data[moved] += rate * ax;
      data[moved + 1] += rate * ay;
      data[moved + 2] += rate * az;
      this.setWrench(o, joint);
    }
  }

  /** Sets the pose of a body, and the motion of its parent at the origin of the body, in the axes of the body. */
  private setCarriedMotion(o: number, joint: ArmJoint, value: number, weight: number): void {
    const { data } = this;
    const { gravity: g, T_world_root: T } = this.arm;
    const { parent, slides, axis, T_parent_joint: P } = joint;
    const slide = slides ? value : 0;
    if (data[o + VALUE] !== value) setJointRotation(data, o, joint, value);
    data[o + VALUE] = value;
    const px = P[3] + slide * (P[0] * axis[0] + P[1] * axis[1] + P[2] * axis[2]);
    const py = P[7] + slide * (P[4] * axis[0] + P[5] * axis[1] + P[6] * axis[2]);
    const pz = P[11] + slide * (P[8] * axis[0] + P[9] * axis[1] + P[10] * axis[2]);
    data[o + OFFSET] = px;
    data[o + OFFSET + 1] = py;
    data[o + OFFSET + 2] = pz;
    if (parent < 0) {
      for (let i = 0; i < 6; i++) data[o + OMEGA + i] = 0;
      const cx = -weight * (T[0] * g[0] + T[4] * g[1] + T[8] * g[2]);
      const cy = -weight * (T[1] * g[0] + T[5] * g[1] + T[9] * g[2]);
      this.turn(o + ACCELERATION, o, cx, cy, -weight * (T[2] * g[0] + T[6] * g[1] + T[10] * g[2]));
      for (let i = 0; i < 3; i++) data[o + VELOCITY + i] = 0;
      return;
    }
    const r = SIZE * parent;
    const wx = data[r + OMEGA];
    const wy = data[r + OMEGA + 1];
    const wz = data[r + OMEGA + 2];
    const bx = data[r + ALPHA];
    const by = data[r + ALPHA + 1];
    const bz = data[r + ALPHA + 2];
    const sx = wy * pz - wz * py;
    const sy = wz * px - wx * pz;
    const sz = wx * py - wy * px;
    const cx = data[r + ACCELERATION] + by * pz - bz * py + wy * sz - wz * sy;
    const cy = data[r + ACCELERATION + 1] + bz * px - bx * pz + wz * sx - wx * sz;
    const cz = data[r + ACCELERATION + 2] + bx * py - by * px + wx * sy - wy * sx;
    this.turn(o + OMEGA, o, wx, wy, wz);
    this.turn(o + ALPHA, o, bx, by, bz);
    this.turn(o + ACCELERATION, o, cx, cy, cz);
    this.turn(o + VELOCITY, o, data[r + VELOCITY] + sx, data[r + VELOCITY + 1] + sy, data[r + VELOCITY + 2] + sz);
  }

  /** Sets force and moment of the motion of a body, by Newton and Euler. */
  private setWrench(o: number, { mass, moment: m, inertia: I }: ArmJoint): void {
    const { data } = this;
    const wx = data[o + OMEGA];
    const wy = data[o + OMEGA + 1];
    const wz = data[o + OMEGA + 2];
    const bx = data[o + ALPHA];
    const by = data[o + ALPHA + 1];
    const bz = data[o + ALPHA + 2];
    const cx = data[o + ACCELERATION];
    const cy = data[o + ACCELERATION + 1];
    const cz = data[o + ACCELERATION + 2];
    const sx = wy * m[2] - wz * m[1];
    const sy = wz * m[0] - wx * m[2];
    const sz = wx * m[1] - wy * m[0];
    data[o + FORCE] = mass * cx + by * m[2] - bz * m[1] + wy * sz - wz * sy;
    data[o + FORCE + 1] = mass * cy + bz * m[0] - bx * m[2] + wz * sx - wx * sz;
    data[o + FORCE + 2] = mass * cz + bx * m[1] - by * m[0] + wx * sy - wy * sx;
    const lx = I[0] * wx + I[3] * wy + I[4] * wz;
    const ly = I[3] * wx + I[1] * wy + I[5] * wz;
    const lz = I[4] * wx + I[5] * wy + I[2] * wz;
    data[o + MOMENT] = I[0] * bx + I[3] * by + I[4] * bz + wy * lz - wz * ly + m[1] * cz - m[2] * cy;
    data[o + MOMENT + 1] = I[3] * bx + I[1] * by + I[5] * bz + wz * lx - wx * lz + m[2] * cx - m[0] * cz;
    data[o + MOMENT + 2] = I[4] * bx + I[5] * by + I[2] * bz + wx * ly - wy * lx + m[0] * cy - m[1] * cx;
  }

  /** Sets a vector given in the axes of the parent. */
  private turn(at: number, o: number, x: number, y: number, z: number): void {
    const { data } = this;
    data[at] = data[o] * x + data[o + 3] * y + data[o + 6] * z;
    data[at + 1] = data[o + 1] * x + data[o + 4] * y + data[o + 7] * z;
    data[at + 2] = data[o + 2] * x + data[o + 5] * y + data[o + 8] * z;
  }

  /** Adds force and moment of a body to those of its parent. */
  private addWrench(r: number, o: number): void {
    const { data } = this;
    this.turnBack(o);
    for (let i = 0; i < 6; i++) data[r + FORCE + i] += wrench[i];
  }

  /** Adds force and moment of a body to those of the root. */
  private addToRoot(total: Float64Array, o: number): void {
    this.turnBack(o);
    for (let i = 0; i < 6; i++) total[i] += wrench[i];
  }

  /** Sets `wrench` to force and moment of a body about the origin and in the axes of its parent. */
  private turnBack(o: number): void {
    const { data } = this;
    for (let i = 0; i < 3; i++) {
      const a = data[o + 3 * i];
      const b = data[o + 3 * i + 1];
      const c = data[o + 3 * i + 2];
      wrench[i] = a * data[o + FORCE] + b * data[o + FORCE + 1] + c * data[o + FORCE + 2];
      wrench[3 + i] = a * data[o + MOMENT] + b * data[o + MOMENT + 1] + c * data[o + MOMENT + 2];
    }
    const px = data[o + OFFSET];
    const py = data[o + OFFSET + 1];
    const pz = data[o + OFFSET + 2];
    wrench[3] += py * wrench[2] - pz * wrench[1];
    wrench[4] += pz * wrench[0] - px * wrench[2];
    wrench[5] += px * wrench[1] - py * wrench[0];
  }
}

const wrench = new Float64Array(6);
