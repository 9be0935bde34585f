import type { RobotState } from '../../kinematics/forwardKinematics.ts';

/**
 * Twist of each link at the middle of an interval: angular velocity Ω, and V, the velocity of the point of the link at
 * the world's origin, so that a point p of the link has the velocity V + Ω × p.
 */
export class LinkTwists {
  /** Six numbers per link: Ω, then V. */
  private readonly twists: Float64Array;
  /** Number of the interval for which the twists are valid; they are computed on demand. */
  private interval = 0;

  constructor(
    private readonly state: RobotState,
    private readonly rates: RateBounds,
  ) {
    this.twists = new Float64Array(6 * state.model.links.length);
  }

  /** Computes the twist (Ω, V) of link `a` relative to link `b`, or to the world if `b` is negative. */
  relative(out: Float64Array, a: number, b: number): void {
    if (this.interval !== this.rates.interval) this.update();
    const { twists } = this;
    const i = 6 * a;
    const j = b < 0 ? 0 : 6 * b; // the root link does not move
    out[0] = twists[i] - twists[j];
    out[1] = twists[i + 1] - twists[j + 1];
    out[2] = twists[i + 2] - twists[j + 2];
    out[3] = twists[i + 3] - twists[j + 3];
    out[4] = twists[i + 4] - twists[j + 4];
    out[5] = twists[i + 5] - twists[j + 5];
  }

  /**
   * Computes the sum of the twists of two links: that of `a` relative to `b` if the joints above `b` moved backwards.
   */
  sum(out: Float64Array, a: number, b: number): void {
    if (this.interval !== this.rates.interval) this.update();
    const { twists } = this;
    for (let k = 0; k < 6; k++) out[k] = twists[6 * a + k] + twists[6 * b + k];
  }

  /**
   * Computes Ω = Σ w z and V = −Σ w z × o over the joints from the base to each link; prismatic joints add w z to V.
   */
  private update(): void {
    const { state, twists } = this;
    const { velocity } = this.rates;
    this.interval = this.rates.interval;
    for (const joint of state.model.joints) {
      const p = 6 * joint.parent;
      const c = 6 * joint.child;
      for (let i = 0; i < 6; i++) twists[c + i] = twists[p + i];
      if (joint.variable < 0) continue;
      const rate = joint.multiplier * velocity[joint.variable];
      const T = state.T_world_link[joint.child];
      const { axis } = joint;
      const zx = rate * (T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2]);
      const zy = rate * (T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2]);
      const zz = rate * (T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2]);
      if (joint.type === 'prismatic') {
        twists[c + 3] += zx;
        twists[c + 4] += zy;
        twists[c + 5] += zz;
        continue;
      }
      twists[c] += zx;
      twists[c + 1] += zy;
      twists[c + 2] += zz;
      twists[c + 3] -= zy * T[11] - zz * T[7];
      twists[c + 4] -= zz * T[3] - zx * T[11];
      twists[c + 5] -= zx * T[7] - zy * T[3];
    }
  }
}

/**
 * Velocities of the planned joints at the middle of an interval of a motion, and bounds on their rates over it.
 * Mutable: `MotionBounds` fills it for each interval.
 */
export class RateBounds {
  /** Number of the interval, from 1: results computed for another one are outdated. */
  interval = 0;
  /** Half the length of the interval, unit of t. */
  half = 0;
  /** Velocity of each planned joint at the middle (rad or m per unit of t). */
  readonly velocity: Float64Array;
  /** Upper bounds on the speed and on the acceleration of each planned joint over the interval. */
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;

  constructor(dof: number) {
    this.velocity = new Float64Array(dof);
    this.speed = new Float64Array(dof);
    this.acceleration = new Float64Array(dof);
  }
}
