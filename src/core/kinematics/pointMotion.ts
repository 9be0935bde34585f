import type { Vec3 } from '../math/vec3.ts';
import { forwardKinematics, RobotState } from './forwardKinematics.ts';
import { movingJoints } from './reach.ts';
import type { Joint, RobotModel } from './robotModel.ts';
import type { LinkFrame } from './toolCenterPoint.ts';

/**
 * Motion of the joints at an instant, and upper bounds on its magnitudes over an interval about it; per planned joint.
 */
export interface JointRates {
  readonly q: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxJerk: Float64Array;
}

/** Bound on rounding errors relative to the terms of a sum: some hundred operations. */
const ROUNDING = 1e-13;

/**
 * Velocity and acceleration of the origin of a frame fixed to a link, and bounds over an interval of time. With J the
 * columns of the Jacobian, z the axes, k counted from the base, and r = 1 for revolute joints, 0 for prismatic ones:
 *   ṗ = Σ J_k q̇_k     p̈ = Σ J_k q̈_k + Σ q̇_k (2 Ω_k × J_k + r_k q̇_k z_k × J_k)     Ω_k = Σ_(i<k) r_i q̇_i z_i
 * The second and third derivatives of p by q are z_i × J_k and z_i × (z_j × J_k), i <= j <= k, at most d_k = ‖J_k‖, so
 * with w, a, j bounds on the joint rates, W_k and A_k their sums over the revolute joints nearer to the base:
 *   ‖p⃛‖ <= Σ d_k (j_k + 3 (a_k W_k + A_k w_k + r_k a_k w_k) + 3 w_k W_k² + r_k (3 w_k² W_k + w_k³))
 */
export class PointMotion {
  /** Position, velocity, acceleration at the instant; m, m/s, m/s². */
  readonly position = new Float64Array(3);
  readonly velocity = new Float64Array(3);
  readonly acceleration = new Float64Array(3);
  /** Upper bound on the magnitude of its third derivative within the interval, m/s³. */
  maxJerk = 0;
  private readonly state: RobotState;
  private readonly chain: readonly Joint[];
  /** Per joint of the chain: maximum distance of the point from its axis over the interval; 1 for prismatic joints. */
  private readonly distance: Float64Array;
  /** Per joint of the chain: axis and column of the Jacobian. */
  private readonly axes: Float64Array;
  private readonly columns: Float64Array;

  constructor(
    model: RobotModel,
    private readonly frame: LinkFrame,
  ) {
    this.state = new RobotState(model);
    this.chain = movingJoints(model, frame.link);
    this.distance = new Float64Array(this.chain.length);
    this.axes = new Float64Array(3 * this.chain.length);
    this.columns = new Float64Array(3 * this.chain.length);
  }

  /**
   * Computes the motion of the point at an instant; returns an upper bound on its speed within `half` seconds of it.
   */
  speedBound(motion: JointRates, half: number): number {
    const { velocity: v, acceleration: a } = this;
    this.place(motion, half);
    const jerk = this.differentiate(motion);
    this.maxJerk = jerk;
    // p(t): ṗ(m) + δ p̈(m) + R, ‖R‖ <= jerk δ²/2; the norm of the linear part is largest at an end
    let after = 0;
    let before = 0;
    for (let i = 0; i < 3; i++) {
      after += (v[i] + half * a[i]) * (v[i] + half * a[i]);
      before += (v[i] - half * a[i]) * (v[i] - half * a[i]);
    }
    const bound = Math.max(Math.sqrt(after), Math.sqrt(before)) + 0.5 * jerk * half * half;
    return bound + this.rounding(motion, half);
  }

  /** Computes the axes, the columns of the Jacobian and, from the tip to the base, the bounds on the distances. */
  private place({ q, maxVelocity }: JointRates, half: number): void {
    const { state, frame, chain, position, axes, columns, distance } = this;
    forwardKinematics(state, q);
    const T = state.T_world_link[frame.link];
    const F = frame.T_link_frame;
    for (let i = 0; i < 3; i++)
      position[i] = T[4 * i] * F[3] + T[4 * i + 1] * F[7] + T[4 * i + 2] * F[11] + T[4 * i + 3];
    let moved = 0; // by the joints between this one and the point
    for (let k = chain.length - 1; k >= 0; k--) {
      const { child, axis, type, variable, multiplier } = chain[k];
      const T_joint = state.T_world_link[child];
      for (let i = 0; i < 3; i++)
        axes[3 * k + i] = T_joint[4 * i] * axis[0] + T_joint[4 * i + 1] * axis[1] + T_joint[4 * i + 2] * axis[2];
      set(direction, axes, k);
      if (type === 'prismatic') columns.set(direction, 3 * k);
      else {
        for (let i = 0; i < 3; i++) lever[i] = position[i] - T_joint[4 * i + 3];
        addCross(columns.fill(0, 3 * k, 3 * k + 3), 3 * k, direction, lever, 1);
      }
      let square = 0;
      for (let i = 3 * k; i < 3 * k + 3; i++) square += columns[i] * columns[i];
      const length = Math.sqrt(square);
      distance[k] = type === 'prismatic' ? 1 : length + moved;
      moved += Math.abs(multiplier) * maxVelocity[variable] * distance[k] * half;
    }
  }

  /** Computes velocity and acceleration of the point; returns the bound on its jerk. */
  private differentiate(motion: JointRates): number {
    const { chain, distance, axes, columns, velocity, acceleration } = this;
    velocity.fill(0);
    acceleration.fill(0);
    turning.fill(0);
    let jerk = 0;
    let W = 0;
    let A = 0;
    for (let k = 0; k < chain.length; k++) {
      const { type, variable, multiplier } = chain[k];
      const isRevolute = type !== 'prismatic';
      const rate = multiplier * motion.velocity[variable];
      const factor = Math.abs(multiplier);
      const w = factor * motion.maxVelocity[variable];
      const a = factor * motion.maxAcceleration[variable];
      set(direction, axes, k);
      set(lever, columns, k);
      for (let i = 0; i < 3; i++) {
        velocity[i] += rate * lever[i];
        acceleration[i] += multiplier * motion.acceleration[variable] * lever[i];
      }
      addCross(acceleration, 0, turning, lever, 2 * rate);
      const mixed = a * W + A * w + (isRevolute ? a * w : 0);
      const cubic = 3 * w * W * W + (isRevolute ? w * w * (3 * W + w) : 0);
      jerk += distance[k] * (factor * motion.maxJerk[variable] + 3 * mixed + cubic);
      if (!isRevolute) continue;
      addCross(acceleration, 0, direction, lever, rate * rate);
      for (let i = 0; i < 3; i++) turning[i] += rate * direction[i];
      W += w;
      A += a;
    }
    return jerk;
  }

  /** Bound on rounding errors: of the joint values, and of the differences of points far from the origin. */
  private rounding({ q, maxVelocity, maxAcceleration }: JointRates, half: number): number {
    const { chain, distance, position } = this;
    const far = Math.abs(position[0]) + Math.abs(position[1]) + Math.abs(position[2]);
    let total = 0;
    for (let k = 0; k < chain.length; k++) {
      const { variable, multiplier } = chain[k];
      const rate = Math.abs(multiplier) * (maxVelocity[variable] + half * maxAcceleration[variable]);
      total += rate * (distance[k] + far) * (1 + Math.abs(multiplier * q[variable]));
    }
    return ROUNDING * chain.length * total;
  }
}

const direction: Vec3 = new Float64Array(3);
const lever: Vec3 = new Float64Array(3);
const turning: Vec3 = new Float64Array(3);

/** Sets a vector to entry k of a flat list of vectors. */
function set(out: Vec3, list: Float64Array, k: number): void {
  for (let i = 0; i < 3; i++) out[i] = list[3 * k + i];
}

/** Adds factor · (a × b) to the three numbers of `out` at index `at`. */
function addCross(out: Float64Array, at: number, a: Vec3, b: Vec3, factor: number): void {
  out[at] += factor * (a[1] * b[2] - a[2] * b[1]);
  out[at + 1] += factor * (a[2] * b[0] - a[0] * b[2]);
  out[at + 2] += factor * (a[0] * b[1] - a[1] * b[0]);
}
