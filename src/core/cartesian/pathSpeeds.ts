import type { LegKnot } from './legKnot.ts';

/** Limits on the joint rates along a path, per piece between two knots: a share of the limits of the robot each. */
export interface PathLimits {
  readonly velocity: ArrayLike<number>;
  readonly acceleration: ArrayLike<number>;
  /** Upper bounds of ds/dt on each piece, 1/s: from the limit of the TCP speed, and from the rounding of times. */
  readonly pathSpeed: ArrayLike<number>;
  /** Shares of the velocity and acceleration limits that piece k may use, each at most 1. */
  readonly velocityShare: ArrayLike<number>;
  readonly accelerationShare: ArrayLike<number>;
}

/**
 * Computes the fastest speeds ds/dt at the knots of a joint path from rest to rest: time-optimal path parameterization
 * by reachability analysis [Pham18]. On each piece d²s/dt² = u is constant, so with x = (ds/dt)², x₊ = x + 2 Δs u, and
 * the limits are linear in (x, u):
 *   |q'ⱼ| √x <= velocity limit,  |q'ⱼ u + q''ⱼ x| <= acceleration limit at both ends of the piece
 * A backward pass computes the largest x at each knot from which the end can be reached at rest, a forward pass takes
 * the largest u that stays below. q'' is that of the cubic Hermite interpolation of the knots.
 */
export function fastestPathSpeeds(knots: readonly LegKnot[], limits: PathLimits): Float64Array {
  const pieces = knots.length - 1;
  const program = new PieceProgram(knots, limits);
  const most = new Float64Array(knots.length); // largest controllable x
  for (let k = pieces - 1; k >= 1; k--) {
    program.set(k, most[k + 1]);
    most[k] = program.maxStart();
  }
  const speeds = new Float64Array(knots.length);
  let x = 0;
  for (let k = 0; k < pieces; k++) {
    program.set(k, most[k + 1]);
    x = Math.min(most[k + 1], Math.max(0, x + 2 * program.length * program.maxAcceleration(x)));
    speeds[k + 1] = Math.sqrt(x);
  }
  speeds[pieces] = 0;
  return speeds;
}

/** Relative: x is reduced by this where rounding makes the interval of u empty. */
const SHRINK = 1e-9;
const MAX_STEPS = 60;

/** The linear constraints a u + b x <= c of one piece. */
class PieceProgram {
  /** Δs of the piece. */
  length = 0;
  private maxX = 0;
  private count = 0;
  private readonly a: Float64Array;
  private readonly b: Float64Array;
  private readonly c: Float64Array;

  constructor(
    private readonly knots: readonly LegKnot[],
    private readonly limits: PathLimits,
  ) {
    const size = 4 * knots[0].q.length + 2;
    this.a = new Float64Array(size);
    this.b = new Float64Array(size);
    this.c = new Float64Array(size);
  }

  /** Sets the constraints of piece k; x₊ at its end is at most `endMost`. */
  set(k: number, endMost: number): void {
    const { knots, limits } = this;
    const from = knots[k];
    const to = knots[k + 1];
    const h = to.s - from.s;
    this.length = h;
    this.count = 0;
    this.maxX = this.speedLimit(k);
    this.add(2 * h, 1, Math.min(endMost, this.maxX));
    this.add(-2 * h, -1, 0);
    for (let j = 0; j < from.q.length; j++) {
      const most = limits.accelerationShare[k] * limits.acceleration[j];
      if (most === Number.POSITIVE_INFINITY) continue;
      const slope = (6 * (to.q[j] - from.q[j])) / (h * h);
      const first = slope - (4 * from.dq[j] + 2 * to.dq[j]) / h;
      const last = (2 * from.dq[j] + 4 * to.dq[j]) / h - slope;
      this.addBoth(from.dq[j], first, most);
      this.addBoth(to.dq[j] + 2 * h * last, last, most);
    }
  }

  /** Returns the largest x at the start of the piece from which its constraints can be satisfied. */
  maxStart(): number {
    // The interval of u shrinks as a concave function of x: intersect the two lines that are active at each x.
    let x = this.maxX;
    for (let step = 0; step < MAX_STEPS; step++) {
      const low = this.activeLower(x);
      const high = this.activeUpper(x);
      const { a, b, c } = this;
      const gap = (c[high] - b[high] * x) / a[high] - (c[low] - b[low] * x) / a[low];
      if (gap >= 0) return x;
      const slope = b[low] / a[low] - b[high] / a[high];
      if (!(slope < 0)) return 0;
      x = Math.max(0, (x + gap / -slope) * (1 - SHRINK));
    }
    return 0;
  }

  /** Returns the largest u for x at the start of the piece. */
  maxAcceleration(x: number): number {
    const high = this.activeUpper(x);
    return (this.c[high] - this.b[high] * x) / this.a[high];
  }

  /** Returns the smaller limit of x on the pieces k − 1 and k, and on k + 1 for the end of piece k. */
  private speedLimit(k: number): number {
    const { knots, limits } = this;
    let most = limits.pathSpeed[k] * limits.pathSpeed[k];
    for (const knot of [knots[k], knots[k + 1]]) {
      for (let j = 0; j < knot.q.length; j++) {
        const rate = Math.abs(knot.dq[j]);
        const limit = limits.velocityShare[k] * limits.velocity[j];
        if (rate > 0) most = Math.min(most, (limit / rate) * (limit / rate));
      }
    }
    return Math.min(most, MAX_SQUARED_SPEED);
  }

  private addBoth(a: number, b: number, c: number): void {
    this.add(a, b, c);
    this.add(-a, -b, c);
  }

  private add(a: number, b: number, c: number): void {
    const { count } = this;
    if (Math.abs(a) < NEGLIGIBLE) {
      // No influence of u: a limit of x alone.
      if (b > 0) this.maxX = Math.min(this.maxX, c / b);
      return;
    }
    this.a[count] = a;
    this.b[count] = b;
    this.c[count] = c;
    this.count++;
  }

  /** Returns the constraint with the largest lower bound of u at x. */
  private activeLower(x: number): number {
    const { a, b, c, count } = this;
    let active = 1; // x₊ >= 0
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (a[i] > 0) continue;
      const bound = (c[i] - b[i] * x) / a[i];
      if (bound > most) {
        most = bound;
        active = i;
      }
    }
    return active;
  }

  /** Returns the constraint with the smallest upper bound of u at x. */
  private activeUpper(x: number): number {
    const { a, b, c, count } = this;
    let active = 0; // x₊ <= most
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (a[i] < 0) continue;
      const bound = (c[i] - b[i] * x) / a[i];
      if (bound < least) {
        least = bound;
        active = i;
      }
    }
    return active;
  }
}

/** Coefficients of u that are smaller do not constrain it. */
const NEGLIGIBLE = 1e-12;
/** Squared speed of a path without any limits, 1/s². */
const MAX_SQUARED_SPEED = 1e6;
