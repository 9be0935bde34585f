import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import type { MotionLimits } from '../../../src/core/trajectory/trajectory.ts';
import type { ChainOracle } from './chainOracle.ts';

/** Factor by which the weight of the duration grows from one barrier problem to the next. */
const GROWTH = 6;
/** Relative gap of the last barrier problem, from the number of constraints. */
const GAP = 1e-3;
const NEWTON_STEPS = 30;

/**
 * Least duration of a motion from rest to rest along a leg within the limits of velocity, acceleration and jerk and the
 * speed of the tool, with zero acceleration at both ends, of the joint path that begins at q. Independent of the
 * sources. Undefined if the path is not followed to its end.
 *
 * With the parameter u of the leg, s = u³ (10 − 15 u + 6 u²), all motions at rest at the ends have du/dt > 0 there, so
 * z(u) = (du/dt)² is smooth and positive. The duration is ∫ z^(−½) du, and with derivatives by u:
 *   q̇ = q′ √z,  q̈ = q″ z + q′ z′/2,  q⃛ = √z (q‴ z + 3 q″ z′/2 + q′ z″/2)
 * An interior-point method minimises the duration on a uniform grid of u.
 */
export function fastestSmoothDuration(
  chain: ChainOracle,
  leg: CartesianLeg,
  start: ArrayLike<number>,
  limits: Pick<MotionLimits, 'velocity' | 'acceleration' | 'jerk'>,
  tcpSpeed: number,
  intervals = 120,
): number | undefined {
  const path = jointPath(chain, leg, start, intervals);
  return path && new Problem(path, leg.length, limits, tcpSpeed, intervals).solve();
}

/** One limit on both sides: |before zᵢ₋₁ + here zᵢ + after zᵢ₊₁| <= most · zᵢ^power. */
interface Limit {
  readonly i: number;
  readonly before: number;
  readonly here: number;
  readonly after: number;
  readonly most: number;
  readonly power: 0 | -0.5;
}

class Problem {
  private readonly limits: Limit[] = [];
  /** Upper bounds of z. */
  private readonly top: Float64Array;
  private readonly h: number;

  constructor(
    path: readonly Float64Array[],
    length: number,
    { velocity, acceleration, jerk }: Pick<MotionLimits, 'velocity' | 'acceleration' | 'jerk'>,
    tcpSpeed: number,
    private readonly n: number,
  ) {
    const h = 1 / n;
    this.h = h;
    this.top = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i <= n; i++) {
      const u = i / n;
      const slope = 30 * u * u * (1 - u) * (1 - u) * length; // of the origin
      if (slope > 0) this.top[i] = (tcpSpeed / slope) ** 2;
      const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((k) => path[i + k]);
      for (let j = 0; j < c.length; j++) {
        const [p1, p2, p3] = [
          (a[j] - 8 * b[j] + 8 * d[j] - e[j]) / (12 * h),
          (-a[j] + 16 * b[j] - 30 * c[j] + 16 * d[j] - e[j]) / (12 * h * h),
          (e[j] - 2 * d[j] + 2 * b[j] - a[j]) / (2 * h * h * h),
        ];
        if (p1 !== 0) this.top[i] = Math.min(this.top[i], (velocity[j] / p1) ** 2);
        this.add(i, [p2, p1 / 2, 0], acceleration[j], 0);
        this.add(i, [p3, 1.5 * p2, p1 / 2], jerk[j], -0.5);
      }
    }
  }

  /** Adds |c₀ z + c₁ z′ + c₂ z″| <= most · z^power at grid point i. */
  private add(i: number, [c0, c1, c2]: readonly number[], most: number, power: 0 | -0.5): void {
    if (!(most < Number.POSITIVE_INFINITY)) return;
    const { h, n } = this;
    // at the ends q′ and q″ are zero
    const [one, two] = i === 0 || i === n ? [0, 0] : [c1 / (2 * h), c2 / (h * h)];
    this.limits.push({ i, before: two - one, here: c0 - 2 * two, after: two + one, most, power });
  }

  /** Value of the barrier problem; infinite outside of the limits. */
  private value(z: Float64Array, weight: number): number {
    let sum = weight * this.duration(z);
    for (let i = 0; i < z.length; i++) {
      if (!(z[i] > 0 && z[i] < this.top[i])) return Number.POSITIVE_INFINITY;
      if (this.top[i] < Number.POSITIVE_INFINITY) sum -= Math.log(1 - z[i] / this.top[i]);
    }
    for (const limit of this.limits) {
      const [one, other] = margins(limit, z);
      if (!(one > 0 && other > 0)) return Number.POSITIVE_INFINITY;
      sum -= Math.log(one) + Math.log(other);
    }
    return sum;
  }

  duration(z: Float64Array): number {
    return z.reduce((sum, x, i) => sum + (this.h * (i === 0 || i === this.n ? 0.5 : 1)) / Math.sqrt(x), 0);
  }

  solve(): number | undefined {
    const { n } = this;
    const z = new Float64Array(n + 1).fill(1e6);
    while (this.value(z, 0) === Number.POSITIVE_INFINITY) for (let i = 0; i <= n; i++) z[i] /= 2;
    const count = 2 * this.limits.length + n;
    let weight = 1 / this.duration(z);
    for (;;) {
      for (let step = 0; step < NEWTON_STEPS; step++) if (this.newton(z, weight) < 1e-3) break;
      if (count / weight < GAP * this.duration(z)) break;
      weight *= GROWTH;
    }
    const found = this.duration(z);
    return Number.isFinite(found) ? found : undefined;
  }

  /** Takes a step of Newton's method with the convex part of the Hessian; returns the decrease of the value. */
  private newton(z: Float64Array, weight: number): number {
    const { n, h, top, limits } = this;
    const g = new Float64Array(n + 1);
    const H = Array.from({ length: n + 1 }, () => [0, 0, 0]); // entries (i, i), (i, i + 1), (i, i + 2)
    for (let i = 0; i <= n; i++) {
      const w = weight * h * (i === 0 || i === n ? 0.5 : 1);
      g[i] -= 0.5 * w * z[i] ** -1.5;
      H[i][0] += 0.75 * w * z[i] ** -2.5;
      if (!(top[i] < Number.POSITIVE_INFINITY)) continue;
      g[i] += 1 / (top[i] - z[i]);
      H[i][0] += (top[i] - z[i]) ** -2;
    }
    for (const limit of limits) {
      const { i, before, here, after, most, power } = limit;
      const fall = power === 0 ? 0 : most * power * z[i] ** (power - 1);
      for (const [sign, margin] of margins(limit, z).map((one, k) => [k === 0 ? -1 : 1, one])) {
        const d = [sign * before, sign * here + fall, sign * after].map((x) => x / margin);
        for (let a = 0; a < 3; a++) {
          if (d[a] === 0) continue;
          g[i - 1 + a] -= d[a];
          for (let b = a; b < 3; b++) H[i - 1 + a][b - a] += d[a] * d[b];
        }
      }
    }
    const step = solveBanded(H, g);
    const before = this.value(z, weight);
    let slope = 0;
    for (let i = 0; i <= n; i++) slope += g[i] * step[i];
    for (let size = 1; size > 1e-12; size /= 2) {
      const next = z.map((x, i) => x - size * step[i]);
      const value = this.value(next, weight);
      if (value > before - 0.1 * size * slope) continue;
      z.set(next);
      return before - value;
    }
    return 0;
  }
}

function margins({ i, before, here, after, most, power }: Limit, z: Float64Array): [number, number] {
  const value = (before && before * z[i - 1]) + here * z[i] + (after && after * z[i + 1]);
  const bound = power === 0 ? most : most / Math.sqrt(z[i]);
  return [bound - value, bound + value];
}

/** Solves a symmetric positive definite system with two bands above the diagonal, which it changes. */
function solveBanded(H: number[][], g: Float64Array): Float64Array {
  const x = Float64Array.from(g);
  const n = x.length;
  for (let i = 0; i < n; i++)
    for (let b = 1; b < 3 && i + b < n; b++) {
      const factor = H[i][b] / H[i][0];
      for (let c = b; c < 3; c++) H[i + b][c - b] -= factor * H[i][c];
      x[i + b] -= factor * x[i];
    }
  for (let i = n - 1; i >= 0; i--) {
    for (let b = 1; b < 3 && i + b < n; b++) x[i] -= H[i][b] * x[i + b];
    x[i] /= H[i][0];
  }
  return x;
}

/** Joint values on a uniform grid of u, with two points beyond each end. */
function jointPath(chain: ChainOracle, leg: CartesianLeg, start: ArrayLike<number>, intervals: number) {
  const path: Float64Array[] = [];
  const T = new Float64Array(12);
  const q = Float64Array.from(start);
  for (let i = -2; i <= intervals + 2; i++) {
    const u = i / intervals;
    leg.poseAt(T, u * u * u * (10 - 15 * u + 6 * u * u));
    if (chain.correct(q, T, 20, 0, 1e-12) > 1e-8) return undefined;
    path.push(q.slice());
  }
  return path;
}
