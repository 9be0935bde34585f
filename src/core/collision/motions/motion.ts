import type { Configuration } from '../../math/configuration.ts';
import type { JointMotion } from '../../math/jointMotion.ts';

/** Motion with what continuous collision detection needs beside the bounds on the rates. */
export interface Motion extends JointMotion {
  /** Number of joints. */
  readonly dof: number;
  /** Magnitude to which the rounding of times is relative, if it may exceed the times of an interval. */
  readonly timeScale?: number;
}

/**
 * Straight line from `qFrom` to `qTo` in joint space, t in [0, 1]. Reusable: assign both ends for each motion; the
 * arrays are not copied.
 */
export class StraightMotion implements Motion {
  /** Start of the motion. */
  readonly start = 0;
  /** End of the motion. */
  readonly end = 1;
  /** Configuration at t = 0. */
  qFrom: Configuration;
  /** Configuration at t = 1. */
  qTo: Configuration;

  constructor(readonly dof: number) {
    this.qFrom = new Float64Array(dof);
    this.qTo = new Float64Array(dof);
  }

  /** Writes the configuration at t into `out`. */
  positionAt(out: Configuration, t: number): void {
    const { qFrom, qTo, dof } = this;
    for (let i = 0; i < dof; i++) out[i] = qFrom[i] + t * (qTo[i] - qFrom[i]);
  }

  /** Writes the constant velocity `qTo` − `qFrom` into `out`. */
  velocityAt(out: Float64Array, _t: number): void {
    for (let i = 0; i < this.dof; i++) out[i] = this.qTo[i] - this.qFrom[i];
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, _from: number, _to: number): void {
    for (let i = 0; i < this.dof; i++) {
      velocity[i] = Math.abs(this.qTo[i] - this.qFrom[i]);
      acceleration[i] = 0;
    }
  }
}

/**
 * One cubic per joint over t in [start, end], with u = t − start:  q(t) = c₀ + c₁ u + c₂ u² + c₃ u³. Controllers
 * execute it between two waypoints with velocities. `coefficients`: four numbers per joint, joint after joint.
 */
export class CubicMotion implements Motion {
  /** Number of joints. */
  readonly dof: number;
  readonly terms: Float64Array;

  /** @param terms see `Motion`; default: the bound for any Hermite cubic with these coefficients, |c₀| + 8 Σ |cₖ| Tᵏ */
  constructor(
    readonly start: number,
    readonly end: number,
    /** c₀ to c₃ of each joint, joint after joint. */
    readonly coefficients: Float64Array,
    terms?: Float64Array,
  ) {
    this.dof = coefficients.length / 4;
    this.terms = terms ?? cubicTerms(coefficients, end - start);
  }

  /** Writes the configuration at t into `out`. */
  positionAt(out: Configuration, t: number): void {
    const { coefficients: c, dof } = this;
    const u = t - this.start;
    for (let i = 0, k = 0; i < dof; i++, k += 4) out[i] = c[k] + u * (c[k + 1] + u * (c[k + 2] + u * c[k + 3]));
  }

  /** Writes the derivative of the configuration with respect to t into `out`. */
  velocityAt(out: Float64Array, t: number): void {
    const { coefficients: c, dof } = this;
    const u = t - this.start;
    for (let i = 0, k = 0; i < dof; i++, k += 4) out[i] = c[k + 1] + u * (2 * c[k + 2] + u * 3 * c[k + 3]);
  }

  /**
   * The acceleration is linear: its extremes are at the ends. The velocity is a parabola: its extremes are at the ends
   * or at its vertex.
   */
  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { coefficients: c, dof } = this;
    const u0 = from - this.start;
    const u1 = to - this.start;
    for (let i = 0, k = 0; i < dof; i++, k += 4) {
      const a0 = 2 * c[k + 2] + 6 * c[k + 3] * u0;
      const a1 = 2 * c[k + 2] + 6 * c[k + 3] * u1;
      acceleration[i] = Math.max(Math.abs(a0), Math.abs(a1));
      let fastest = Math.max(
        Math.abs(c[k + 1] + u0 * (2 * c[k + 2] + u0 * 3 * c[k + 3])),
        Math.abs(c[k + 1] + u1 * (2 * c[k + 2] + u1 * 3 * c[k + 3])),
      );
      if (a0 * a1 < 0) {
        const uVertex = -c[k + 2] / (3 * c[k + 3]);
        fastest = Math.max(fastest, Math.abs(c[k + 1] + uVertex * (2 * c[k + 2] + uVertex * 3 * c[k + 3])));
      }
      velocity[i] = fastest;
    }
  }
}

/**
 * Bounds the terms that the coefficients of a Hermite cubic are sums of. With Δ the displacement and v, w the
 * velocities at the ends: c₂T² = 3Δ − 2vT − wT, c₃T³ = vT + wT − 2Δ, each term of which is a sum of cₖTᵏ.
 */
function cubicTerms(c: Float64Array, T: number): Float64Array {
  const terms = (k: number) => T * (Math.abs(c[k + 1]) + T * (Math.abs(c[k + 2]) + T * Math.abs(c[k + 3])));
  return Float64Array.from({ length: c.length / 4 }, (_, i) => Math.abs(c[4 * i]) + 8 * terms(4 * i));
}

/** Restriction of a motion to a part of its interval; `start` and `end` may be reassigned. */
export class MotionInterval implements Motion {
  readonly dof: number;
  readonly terms: Float64Array | undefined;

  constructor(
    private readonly whole: Motion,
    public start = whole.start,
    public end = whole.end,
  ) {
    this.dof = whole.dof;
    this.terms = whole.terms;
  }

  positionAt(out: Configuration, t: number): void {
    this.whole.positionAt(out, t);
  }

  velocityAt(out: Float64Array, t: number): void {
    this.whole.velocityAt(out, t);
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    this.whole.boundsOver(velocity, acceleration, from, to);
  }
}

/** Coefficients per joint. */
const SIZE = 6;
/**
 * Rounding error that is added to a bound, relative to the terms: 64 roundings of half a unit in the last place;
 * docs/proof.md counts 30.
 */
const ROUNDING = 64 * (Number.EPSILON / 2);
/**
 * The terms of derivative n of a quintic sum to at most WEIGHTS[n] P / Tⁿ, where P is the sum of the terms of its
 * position: see `termsOf`.
 */
const WEIGHTS = [1, 5, 20];

/**
 * One quintic per joint over t in [start, end], with u = t − start:  q(t) = c₀ + c₁ u + … + c₅ u⁵. Controllers execute
 * it between two waypoints with velocities and accelerations. `coefficients`: six numbers per joint, joint after joint;
 * `terms`: see `Motion`.
 */
export class QuinticMotion implements Motion {
  readonly dof: number;
  private readonly velocityError: Float64Array;
  private readonly accelerationError: Float64Array;

  constructor(
    readonly start: number,
    readonly end: number,
    readonly coefficients: Float64Array,
    readonly terms: Float64Array,
  ) {
    const T = end - start;
    this.dof = coefficients.length / SIZE;
    this.velocityError = terms.map((P) => (T > 0 ? (ROUNDING * WEIGHTS[1] * P) / T : 0));
    this.accelerationError = terms.map((P) => (T > 0 ? (ROUNDING * WEIGHTS[2] * P) / T / T : 0));
  }

  positionAt(out: Configuration, t: number): void {
    const { coefficients: c, dof } = this;
    const u = t - this.start;
    for (let i = 0, k = 0; i < dof; i++, k += SIZE)
      out[i] = c[k] + u * (c[k + 1] + u * (c[k + 2] + u * (c[k + 3] + u * (c[k + 4] + u * c[k + 5]))));
  }

  velocityAt(out: Float64Array, t: number): void {
    const { coefficients: c, dof } = this;
    const u = t - this.start;
    for (let i = 0, k = 0; i < dof; i++, k += SIZE)
      out[i] = c[k + 1] + u * (2 * c[k + 2] + u * (3 * c[k + 3] + u * (4 * c[k + 4] + u * 5 * c[k + 5])));
  }

  /**
   * Over [from, to] a polynomial is a convex combination of its Bernstein coefficients, so their greatest magnitude
   * bounds it [Farin02]. With x₀, x₁, … the terms of its Taylor series at `from` for u = to − from, the coefficients
   * are, for the velocity (degree 4)
   *     x₀,  x₀ + x₁/4,  x₀ + x₁/2 + x₂/6,  x₀ + 3x₁/4 + x₂/2 + x₃/4,  x₀ + x₁ + x₂ + x₃ + x₄
   * and for the acceleration (degree 3)   x₀,  x₀ + x₁/3,  x₀ + 2x₁/3 + x₂/3,  x₀ + x₁ + x₂ + x₃.
   * The error of both bounds decreases with the square of the length of the interval.
   */
  boundsOver(velocity: Float64Array, acceleration: Float64Array, from: number, to: number): void {
    const { coefficients: c, dof, velocityError, accelerationError } = this;
    const u = from - this.start;
    const w = to - from;
    for (let i = 0, k = 0; i < dof; i++, k += SIZE) {
      const v0 = c[k + 1] + u * (2 * c[k + 2] + u * (3 * c[k + 3] + u * (4 * c[k + 4] + u * 5 * c[k + 5])));
      const a0 = 2 * c[k + 2] + u * (6 * c[k + 3] + u * (12 * c[k + 4] + u * 20 * c[k + 5]));
      const jerk = 6 * c[k + 3] + u * (24 * c[k + 4] + u * 60 * c[k + 5]);
      const snap = 24 * c[k + 4] + u * 120 * c[k + 5];
      const a1 = w * jerk;
      const a2 = (w * w * snap) / 2;
      const a3 = w * w * w * 20 * c[k + 5];
      acceleration[i] =
        Math.max(Math.abs(a0), Math.abs(a0 + a1 / 3), Math.abs(a0 + (2 * a1 + a2) / 3), Math.abs(a0 + a1 + a2 + a3)) +
        accelerationError[i];
      const v1 = w * a0;
      const v2 = (w * a1) / 2;
      const v3 = (w * a2) / 3;
      const v4 = (w * a3) / 4;
      velocity[i] =
        Math.max(
          Math.abs(v0),
          Math.abs(v0 + v1 / 4),
          Math.abs(v0 + v1 / 2 + v2 / 6),
          Math.abs(v0 + (3 * v1 + v3) / 4 + v2 / 2),
          Math.abs(v0 + v1 + v2 + v3 + v4),
        ) + velocityError[i];
    }
  }
}
