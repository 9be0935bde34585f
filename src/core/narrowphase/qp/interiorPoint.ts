import { create, norm, scale, type Vec3 } from '../../math/vec3.ts';
import { roundoff } from '../iterationLimits.ts';

/** Iteration limit; the best result so far is kept. Twenty iterations are typical. */
const iterationLimit = 60;
/** Fraction of the step to the boundary that is taken. */
const STEP_FRACTION = 0.995;

/**
 * Minimises ½ ‖Σ zᵢ pᵢ‖² over z >= 0 with Σ zᵢ = 1 over a first group of points and over a second one, by Mehrotra's
 * predictor-corrector method [Mehrotra92]. The matrix of the Newton step is diagonal plus rank three; relative to the
 * weighted means of the groups the two constraints decouple from it, so that a step costs one pass over the points
 * without cancellation.
 */
export class InteriorPoint {
  /**
   * Bounds of the minimum norm; the point that attains the upper bound, the part of it from the first group, and the
   * unit normal that proves the lower bound.
   */
  lower = 0;
  upper = 0;
  readonly best: Vec3 = create();
  readonly meanA: Vec3 = create();
  /** Points from the first group to the negated second: the plane perpendicular to it separates all sums from 0. */
  readonly normal: Vec3 = create();
  extent = 0;
  iterations = 0;
  private count = 0;
  private countA = 0;
  private p = new Float64Array(0);
  private z = new Float64Array(0);
  private s = new Float64Array(0);
  private g = new Float64Array(0);
  private dz = new Float64Array(0);
  private ds = new Float64Array(0);
  private readonly v: Vec3 = create();
  private readonly u: Vec3 = create();
  private readonly rhs: Vec3 = create();
  private readonly mean = new Float64Array(6);
  private readonly shift = new Float64Array(2);
  private readonly m = new Float64Array(6);

  initialize(countA: number, countB: number): void {
    this.countA = countA;
    this.count = countA + countB;
    this.extent = 0;
    if (this.z.length >= this.count) return;
    this.p = new Float64Array(3 * this.count);
    this.z = new Float64Array(this.count);
    this.s = new Float64Array(this.count);
    this.g = new Float64Array(this.count);
    this.dz = new Float64Array(this.count);
    this.ds = new Float64Array(this.count);
  }

  setPoint(i: number, x: number, y: number, z: number): void {
    this.p[3 * i] = x;
    this.p[3 * i + 1] = y;
    this.p[3 * i + 2] = z;
    this.extent = Math.max(this.extent, Math.abs(x), Math.abs(y), Math.abs(z));
  }

  /**
   * Iterates until the gap of the bounds is within `relativeGap` of the upper bound minus `rounding`, or the minimum
   * norm is proved to be at least `rounding + stopAt`.
   */
  solve(relativeGap: number, rounding: number, stopAt: number): void {
    const { z, s, g, dz, ds, count } = this;
    const floor = roundoff * this.extent;
    this.lower = Number.NEGATIVE_INFINITY;
    this.upper = Number.POSITIVE_INFINITY;
    this.startIterate();
    for (this.iterations = 1; this.iterations < iterationLimit; this.iterations++) {
      this.evaluate();
      if (this.upper - this.lower <= Math.max(floor, relativeGap * (this.upper - rounding))) return;
      if (this.lower >= rounding + stopAt || this.upper <= floor) return;
      let gap = 0;
      for (let i = 0; i < count; i++) gap += z[i] * s[i];
      gap /= count;

      // Predictor: affine step to z s = 0. The remaining gap determines the centering of the corrector.
      for (let i = 0; i < count; i++) g[i] = -s[i];
      this.newton();
      const affineStep = Math.min(1, this.maxStep());
      let remaining = 0;
      for (let i = 0; i < count; i++) remaining += (z[i] + affineStep * dz[i]) * (s[i] + affineStep * ds[i]);
      const ratio = remaining / count / gap;
      const target = ratio * ratio * ratio * gap;
      for (let i = 0; i < count; i++) g[i] = (target - dz[i] * ds[i]) / z[i] - s[i];
      this.newton();
      const step = Math.min(1, STEP_FRACTION * this.maxStep());
      if (!(step > 0)) return;
      for (let i = 0; i < count; i++) {
        z[i] += step * dz[i];
        s[i] += step * ds[i];
      }
    }
  }

  /** Starts with equal weights, and slacks s = p·v − y with y below the minimum of p·v in each group. */
  private startIterate(): void {
    const { p, z, s, v, count, countA } = this;
    for (let i = 0; i < count; i++) z[i] = 1 / (i < countA ? countA : count - countA);
    this.sum(v, 0, count);
    for (const [from, to] of [
      [0, countA],
      [countA, count],
    ]) {
      let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = from; i < to; i++) {
        s[i] = p[3 * i] * v[0] + p[3 * i + 1] * v[1] + p[3 * i + 2] * v[2];
        min = Math.min(min, s[i]);
        max = Math.max(max, s[i]);
      }
      const y = min - 0.1 * (max - min) - 1e-3 * this.extent * this.extent;
      for (let i = from; i < to; i++) s[i] -= y;
    }
  }

  /**
   * Computes the bounds at the current weights, normalised to sum 1: the norm, and the distance of the supporting plane
   * perpendicular to v from 0.
   */
  private evaluate(): void {
    const { p, v, count, countA } = this;
    this.normalizeWeights(0, countA);
    this.normalizeWeights(countA, count);
    this.sum(v, 0, count);
    const length = norm(v);
    if (length < this.upper) {
      this.upper = length;
      for (let k = 0; k < 3; k++) this.best[k] = v[k];
      this.sum(this.meanA, 0, countA);
    }
    let [minA, minB] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = 0; i < count; i++) {
      const along = p[3 * i] * v[0] + p[3 * i + 1] * v[1] + p[3 * i + 2] * v[2];
      if (i < countA) minA = Math.min(minA, along);
      else minB = Math.min(minB, along);
    }
    const lower = (minA + minB) / length;
    if (!(lower > this.lower)) return;
    this.lower = lower;
    scale(this.normal, v, -1 / length);
  }

  private normalizeWeights(from: number, to: number): void {
    const { z } = this;
    let sum = 0;
    for (let i = from; i < to; i++) sum += z[i];
    for (let i = from; i < to; i++) z[i] /= sum;
  }

  /** Computes out = Σ zᵢ pᵢ over the points from `from` to `to`. */
  private sum(out: Vec3, from: number, to: number): void {
    const { p, z } = this;
    out.fill(0);
    for (let i = from; i < to; i++) for (let k = 0; k < 3; k++) out[k] += z[i] * p[3 * i + k];
  }

  /**
   * Computes the Newton step. With D = s/z and p′ = p − (mean of the group, weights 1/D): dz = D⁻¹ (g + y − p′·u),
   * where y keeps the sum of dz in a group at 0, and (I + Σ p′p′ᵀ/D) u = Σ p′ g / D. ds = p′·u − y.
   */
  private newton(): void {
    const { p, z, s, g, dz, ds, mean, shift, rhs, m, u, count, countA } = this;
    this.computeMean(0, 0, countA);
    this.computeMean(1, countA, count);
    m.fill(0);
    m[0] = m[3] = m[5] = 1;
    rhs.fill(0);
    for (let i = 0; i < count; i++) {
      const c = i < countA ? 0 : 3;
      const w = z[i] / s[i];
      const x = p[3 * i] - mean[c],
        y = p[3 * i + 1] - mean[c + 1],
        t = p[3 * i + 2] - mean[c + 2];
      m[0] += w * x * x;
      m[1] += w * x * y;
      m[2] += w * x * t;
      m[3] += w * y * y;
      m[4] += w * y * t;
      m[5] += w * t * t;
      rhs[0] += w * g[i] * x;
      rhs[1] += w * g[i] * y;
      rhs[2] += w * g[i] * t;
    }
    solveSymmetric(u, m, rhs);
    for (let i = 0; i < count; i++) {
      const group = i < countA ? 0 : 1;
      const c = 3 * group;
      const along =
        (p[3 * i] - mean[c]) * u[0] + (p[3 * i + 1] - mean[c + 1]) * u[1] + (p[3 * i + 2] - mean[c + 2]) * u[2];
      dz[i] = (z[i] / s[i]) * (g[i] + shift[group] - along);
      ds[i] = along - shift[group];
    }
  }

  /** Computes the mean of a group of points with weights z/s, and the y that keeps the sum of its dz at 0. */
  private computeMean(group: number, from: number, to: number): void {
    const { p, z, s, g, mean, shift } = this;
    let [total, sum] = [0, 0];
    const c = 3 * group;
    mean[c] = mean[c + 1] = mean[c + 2] = 0;
    for (let i = from; i < to; i++) {
      const w = z[i] / s[i];
      total += w;
      sum += w * g[i];
      for (let k = 0; k < 3; k++) mean[c + k] += w * p[3 * i + k];
    }
    for (let k = 0; k < 3; k++) mean[c + k] /= total;
    shift[group] = -sum / total;
  }

  /** Returns the longest step that keeps all weights and slacks non-negative. */
  private maxStep(): number {
    const { z, s, dz, ds, count } = this;
    let step = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (dz[i] < 0) step = Math.min(step, -z[i] / dz[i]);
      if (ds[i] < 0) step = Math.min(step, -s[i] / ds[i]);
    }
    return step;
  }
}

/** Solves M u = r for the symmetric positive definite M = [m0 m1 m2; · m3 m4; · · m5] by Cholesky. */
function solveSymmetric(u: Vec3, m: Float64Array, r: Vec3): void {
  const a = Math.sqrt(m[0]);
  const b = m[1] / a,
    c = m[2] / a;
  const d = Math.sqrt(Math.max(m[3] - b * b, 1));
  const e = (m[4] - b * c) / d;
  const f = Math.sqrt(Math.max(m[5] - c * c - e * e, 1));
  const x = r[0] / a;
  const y = (r[1] - b * x) / d;
  const z = (r[2] - c * x - e * y) / f;
  u[2] = z / f;
  u[1] = (y - e * u[2]) / d;
  u[0] = (x - b * u[1] - c * u[2]) / a;
}
