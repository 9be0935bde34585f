import { factorize, solveFactorized } from '../math/bandedSystem.ts';
import { log } from '../math/trigonometry.ts';
import type { MotionLimits } from '../trajectory/trajectory.ts';

/** Factor by which the weight of the duration grows from one barrier problem to the next. */
const GROWTH = 6;
/** Relative gap between the duration and the local minimum at which the iterations end. */
const GAP = 3e-3;
/** Limit of the Newton steps of one barrier problem, and the decrement at which it has converged. */
const MAX_STEPS = 12;
const CONVERGED = 0.05;
/** Share of the predicted decrease that a step must achieve. */
const ARMIJO = 0.1;
const MIN_STEP = 1e-6;
/** Upper bound of (du/dt)² where no limit applies, 1/s². */
const MAX_SQUARED_RATE = 1e6;
const MAX_HALVINGS = 200;

/** Fraction s of the leg as a polynomial of u in [0, 1]: the first and second derivatives are zero at both ends. */
export const fractionAt = (u: number) => u * u * u * (10 - 15 * u + 6 * u * u);

/** Shares of the limits that may be used at each grid point, in (0, 1]. */
export interface LimitShares {
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;
}

/** A joint path at the points of a uniform grid of u in [0, 1]. */
export interface PathGrid {
  readonly dof: number;
  /** Writes the first, second and third derivative of joint j by u at grid point i into `out`. */
  setDerivatives(out: Float64Array, i: number, j: number): void;
}

/**
 * Time-optimal timing of a joint path q(u) within limits of velocity, acceleration and jerk: the rate z = (du/dt)² at
 * the points of a uniform grid of u in [0, 1]. The path is at rest in u at both ends (q′ = q″ = 0), so that du/dt > 0
 * there. With derivatives by u,
 *   q̇ = q′ √z,  q̈ = q″ z + q′ z′ / 2,  q⃛ = √z (q‴ z + 3 q″ z′ / 2 + q′ z″ / 2)
 * Velocity and acceleration limits are linear in z, a jerk limit is |linear| <= J / √z, and the duration ∫ du / √z is
 * convex. A barrier method with Newton steps, whose matrix has two bands above the diagonal, computes a local minimum.
 */
export class FastestTiming {
  /** z at the grid points. */
  readonly z: Float64Array;
  private readonly intervals: number;
  private readonly dof: number;
  /** Upper bound of z for full shares. */
  private readonly most: Float64Array;
  /** Coefficients of zᵢ₋₁, zᵢ, zᵢ₊₁ per grid point, joint and limit (acceleration, jerk), relative to the limit. */
  private readonly rows: Float64Array;
  private readonly gradient: Float64Array;
  private readonly bands: readonly [Float64Array, Float64Array, Float64Array];
  private readonly step: Float64Array;
  private readonly next: Float64Array;

  /** @param most upper bounds of z at the grid points, from limits of the speed along the path; changed */
  constructor(grid: PathGrid, limits: MotionLimits, most: Float64Array) {
    const { length: count } = most;
    this.intervals = count - 1;
    this.dof = grid.dof;
    this.z = new Float64Array(count);
    this.most = most;
    this.rows = new Float64Array(6 * count * this.dof);
    this.gradient = new Float64Array(count);
    this.bands = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    this.step = new Float64Array(count);
    this.next = new Float64Array(count);
    for (let i = 0; i < count; i++) this.setLimits(i, grid, limits);
  }

  /**
   * Computes z for shares of the limits, from the z of the last call if there is one. Returns false if no z is within
   * the limits.
   * @param gap relative gap between the duration and the local minimum
   * @param start the gap from which it is reduced; default: from the analytic center on
   */
  solve(shares: LimitShares, gap = GAP, start?: number): boolean {
    const { z } = this;
    if (!(z[0] > 0)) z.fill(MAX_SQUARED_RATE);
    for (let i = 0; i < z.length; i++)
      z[i] = Math.min(z[i], 0.5 * this.most[i] * shares.velocity[i] * shares.velocity[i]);
    for (let halving = 0; this.cost(z, shares, 0) === Number.POSITIVE_INFINITY; halving++) {
      if (halving > MAX_HALVINGS) return false;
      for (let i = 0; i < z.length; i++) z[i] *= 0.7;
    }
    const barriers = 4 * z.length * this.dof;
    const first = start === undefined ? 100 : barriers / start;
    for (let weight = first / this.duration(z); ; weight *= GROWTH) {
      for (let step = 0; step < MAX_STEPS; step++) if (!(this.newton(shares, weight) > CONVERGED)) break;
      if (barriers < gap * weight * this.duration(z)) return true;
    }
  }

  /** Returns the duration of the motion, seconds. */
  private duration(z: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < z.length; i++) sum += this.weightAt(i) / Math.sqrt(z[i]);
    return sum;
  }

  /** Weight of a grid point in the trapezoidal rule. */
  private weightAt(i: number): number {
    return (i === 0 || i === this.intervals ? 0.5 : 1) / this.intervals;
  }

  private setLimits(i: number, grid: PathGrid, limits: MotionLimits): void {
    const { intervals, dof, rows, most } = this;
    most[i] = Math.min(most[i], MAX_SQUARED_RATE);
    const isEnd = i === 0 || i === intervals;
    const derivatives = new Float64Array(3);
    for (let j = 0; j < dof; j++) {
      grid.setDerivatives(derivatives, i, j);
      const [first, second, third] = derivatives;
      if (first !== 0 && limits.velocity[j] < Number.POSITIVE_INFINITY)
        most[i] = Math.min(most[i], (limits.velocity[j] / first) ** 2);
      const at = 6 * (i * dof + j);
      // q′ and q″ are zero at the ends
      const [slope1, slope2, bend2] = isEnd
        ? [0, 0, 0]
        : [first * intervals * 0.25, second * intervals * 0.75, first * intervals * intervals * 0.5];
      if (limits.acceleration[j] < Number.POSITIVE_INFINITY)
        setRow(rows, at, [-slope1, second, slope1], limits.acceleration[j]);
      if (limits.jerk[j] < Number.POSITIVE_INFINITY)
        setRow(rows, at + 3, [bend2 - slope2, third - 2 * bend2, bend2 + slope2], limits.jerk[j]);
    }
  }

  /** Value of the barrier problem; infinite outside of the limits. */
  private cost(z: Float64Array, { velocity, acceleration, jerk }: LimitShares, weight: number): number {
    const { dof, rows, most, intervals } = this;
    let sum = 0;
    for (let i = 0; i < z.length; i++) {
      const x = z[i];
      const room = 1 - x / (most[i] * velocity[i] * velocity[i]);
      if (!(x > 0 && room > 0)) return Number.POSITIVE_INFINITY;
      const root = 1 / Math.sqrt(x);
      sum += weight * this.weightAt(i) * root;
      const [before, after] = [i > 0 ? z[i - 1] : 0, i < intervals ? z[i + 1] : 0];
      let product = room; // of all margins: one logarithm per grid point
      for (let k = 6 * i * dof; k < 6 * (i + 1) * dof; k += 6) {
        const a = rows[k] * before + rows[k + 1] * x + rows[k + 2] * after;
        const b = rows[k + 3] * before + rows[k + 4] * x + rows[k + 5] * after;
        const most1 = acceleration[i];
        const most2 = jerk[i] * root;
        if (!(Math.abs(a) < most1 && Math.abs(b) < most2)) return Number.POSITIVE_INFINITY;
        product *= (most1 - a) * (most1 + a);
        product *= (most2 - b) * (most2 + b);
      }
      if (!(product > 0)) return Number.POSITIVE_INFINITY;
      sum -= log(product);
    }
    return sum;
  }

  /** Takes a Newton step, with the convex part of the second derivatives; returns the decrease of the cost. */
  private newton(shares: LimitShares, weight: number): number {
    const { z, next, step, gradient } = this;
    this.linearise(shares, weight);
    factorize(this.bands);
    step.set(gradient);
    solveFactorized(this.bands, step);
    let slope = 0;
    for (let i = 0; i < z.length; i++) slope += gradient[i] * step[i];
    const before = this.cost(z, shares, weight);
    for (let size = 1; size > MIN_STEP; size *= 0.5) {
      for (let i = 0; i < z.length; i++) next[i] = z[i] - size * step[i];
      const after = this.cost(next, shares, weight);
      if (!(after <= before - ARMIJO * size * slope)) continue;
      z.set(next);
      return before - after;
    }
    return 0;
  }

  /** Computes the gradient and the bands of the matrix. */
  private linearise({ velocity, acceleration, jerk }: LimitShares, weight: number): void {
    const { z, dof, rows, most, intervals, gradient, bands } = this;
    gradient.fill(0);
    for (const band of bands) band.fill(0);
    for (let i = 0; i < z.length; i++) {
      const x = z[i];
      const root = 1 / Math.sqrt(x);
      const room = most[i] * velocity[i] * velocity[i] - x;
      const w = weight * this.weightAt(i) * root;
      gradient[i] += 1 / room - (0.5 * w) / x;
      bands[0][i] += 1 / (room * room) + (0.75 * w) / (x * x);
      const [before, after] = [i > 0 ? z[i - 1] : 0, i < intervals ? z[i + 1] : 0];
      for (let k = 6 * i * dof; k < 6 * (i + 1) * dof; k += 3) {
        const isJerk = (k / 3) % 2 === 1;
        const bound = isJerk ? jerk[i] * root : acceleration[i];
        const fall = isJerk ? (-0.5 * bound) / x : 0;
        const value = rows[k] * before + rows[k + 1] * x + rows[k + 2] * after;
        this.addBarrier(i, -rows[k], fall - rows[k + 1], -rows[k + 2], 1 / (bound - value));
        this.addBarrier(i, rows[k], fall + rows[k + 1], rows[k + 2], 1 / (bound + value));
      }
    }
  }

  /** Adds the derivatives of −log of a margin at grid point i, from those of the margin and its inverse. */
  private addBarrier(i: number, before: number, here: number, after: number, inverse: number): void {
    const { gradient, bands } = this;
    const [p, q, r] = [before * inverse, here * inverse, after * inverse];
    gradient[i] -= q;
    bands[0][i] += q * q;
    if (p !== 0) {
      gradient[i - 1] -= p;
      bands[0][i - 1] += p * p;
      bands[1][i - 1] += p * q;
      bands[2][i - 1] += p * r;
    }
    if (r !== 0) {
      gradient[i + 1] -= r;
      bands[0][i + 1] += r * r;
      bands[1][i] += q * r;
    }
  }
}

function setRow(rows: Float64Array, at: number, values: readonly number[], limit: number): void {
  for (let k = 0; k < 3; k++) rows[at + k] = values[k] / limit;
}
