import { factorize, solveFactorized } from '../../math/bandedSystem.ts';
import { log } from '../../math/trigonometry.ts';
import { cubeRoot } from '../../trajectory/restToRest.ts';
import type { PathSpline } from './pathSpline.ts';

/** Factor by which the weight of the duration grows from one barrier problem to the next. */
const GROWTH = 6;
/** Relative gaps between the duration and its local minimum: of the first barrier problem and of the last one. */
const FIRST_GAP = 0.3;
const GAP = 3e-3;
/** Limit of the Newton steps of one barrier problem, and the decrement at which it has converged. */
const MAX_STEPS = 12;
const CONVERGED = 0.05;
/** Share of the predicted decrease that a step must achieve, and the smallest step. */
const ARMIJO = 0.1;
const MIN_STEP = 1e-6;
/** Factor by which the first duration is longer than the shortest one that keeps the limits. */
const SLACK = 1.05;
/** Factors of a product whose logarithm is taken are collected while it is larger, so that it does not vanish. */
const TINY = 1e-100;
/** Diagonals of the matrix above the main one. */
const BANDS = 3;
/** Differences of control points: weights, and the power of the time between them. */
const DIFFERENCES = [
  [-1, 1],
  [1, -2, 1],
  [-1, 3, -3, 1],
] as const;

/** Limits of differences of consecutive control values of one joint, or of the parameter of the path itself. */
interface Series {
  readonly values: Float64Array;
  readonly tangents: Float64Array | undefined;
  readonly stride: number;
  readonly offset: number;
  /** Limits of the first, second and third differences that begin at each control point. */
  readonly limits: readonly (Float64Array | undefined)[];
}

/**
 * Moves the control points of a spline along its path such that its duration within all limits is a local minimum, for
 * a fixed number of pieces of equal duration: a barrier method with Newton steps in the control values and in the
 * factor of the duration. Differences of control points limit velocity, acceleration and jerk of the whole spline.
 * Returns the factor of the duration with which the limits hold.
 */
export function optimizeSpline(spline: PathSpline): number {
  new Optimum(spline).solve();
  return new Optimum(spline).shortest();
}

class Optimum {
  private readonly series: readonly Series[];
  private readonly count: number;
  private barriers = 0;
  private readonly gradient: Float64Array;
  private readonly bands: readonly Float64Array[];
  /** Derivatives of the gradient by the factor of the duration. */
  private readonly border: Float64Array;
  private corner = 0;
  private slope = 0;

  constructor(private readonly spline: PathSpline) {
    const { marks, control, tangents, dof, path, pieces, duration } = spline;
    const h = duration / pieces;
    const n = marks.length;
    this.count = n;
    // a first difference belongs to the points before and after it, a second one to a point
    const around = (least: Float64Array) =>
      Float64Array.from({ length: n - 1 }, (_, m) => Math.min(least[Math.max(0, m - 1)], least[Math.min(pieces, m)]));
    const speeds = around(spline.leastAt(({ speed }) => speed));
    const scales = spline.leastAt(({ acceleration }) => acceleration);
    const whole = new Float64Array(pieces).fill(1);
    const { velocity, acceleration, jerk } = path.limits;
    const bounds = (limit: number, factors: Float64Array) =>
      limit < Number.POSITIVE_INFINITY ? factors.map((factor) => limit * factor) : undefined;
    const joints = Array.from({ length: dof }, (_, j): Series => {
      const limits = [
        bounds(velocity[j] * h, speeds),
        bounds(acceleration[j] * h * h, scales),
        bounds(jerk[j] * h * h * h, whole),
      ];
      return { values: control, tangents, stride: dof, offset: j, limits };
    });
    const along = around(spline.markSpeeds()).map((speed) => speed * h);
    this.series = [...joints, { values: marks, tangents: undefined, stride: 1, offset: 0, limits: [along] }];
    for (const { limits } of this.series)
      for (const values of limits)
        this.barriers += 2 * (values?.filter((x) => x < Number.POSITIVE_INFINITY).length ?? 0);
    this.gradient = new Float64Array(n);
    this.border = new Float64Array(n);
    this.bands = Array.from({ length: BANDS + 1 }, () => new Float64Array(n));
  }

  solve(): void {
    const { spline, count, barriers } = this;
    let factor = SLACK * this.shortest();
    if (!(this.cost(factor, 0) < Number.POSITIVE_INFINITY)) return;
    const marks = spline.marks.slice();
    const next = marks.slice();
    for (let weight = barriers / FIRST_GAP / factor; ; weight *= GROWTH) {
      let steps = 0;
      for (; steps < MAX_STEPS; steps++) {
        this.linearise(factor, weight);
        const { step, change } = this.newton();
        const before = this.cost(factor, weight);
        let predicted = -change * this.slope;
        for (let m = 0; m < count; m++) predicted -= this.gradient[m] * step[m];
        let size = 1;
        let after = before;
        for (; size > MIN_STEP; size *= 0.5) {
          for (let m = 0; m < count; m++) next[m] = marks[m] + size * step[m];
          spline.moveTo(next);
          after = this.cost(factor + size * change, weight);
          if (after <= before - ARMIJO * size * predicted) break;
        }
        if (!(size > MIN_STEP)) {
          spline.moveTo(marks);
          break;
        }
        marks.set(next);
        factor += size * change;
        if (before - after < CONVERGED) break;
      }
      if (barriers < GAP * weight * factor) break;
    }
    spline.moveTo(marks);
  }

  /** Returns the factor of the duration with which the limits hold. */
  shortest(): number {
    const ratios = [0, 0, 0];
    for (const [order, weights] of DIFFERENCES.entries())
      for (const { values, stride, offset, limits } of this.series)
        for (const [m, bound] of limits[order]?.entries() ?? [])
          ratios[order] = Math.max(
            ratios[order],
            Math.abs(differenceAt(values, weights, m * stride + offset, stride)) / bound,
          );
    return Math.max(ratios[0], Math.sqrt(ratios[1]), cubeRoot(ratios[2]));
  }

  /** Value of the barrier problem; infinite outside of the limits. */
  private cost(factor: number, weight: number): number {
    if (!(factor > 0)) return Number.POSITIVE_INFINITY;
    let sum = weight * factor;
    let power = 1;
    for (const [order, weights] of DIFFERENCES.entries()) {
      power /= factor;
      let product = 1;
      for (const { values, stride, offset, limits } of this.series) {
        const bounds = limits[order];
        if (!bounds) continue;
        for (let m = 0; m < bounds.length; m++) {
          const x = (differenceAt(values, weights, m * stride + offset, stride) * power) / bounds[m];
          const room = (1 - x) * (1 + x);
          if (!(room > 0)) return Number.POSITIVE_INFINITY;
          product *= room;
          if (product > TINY) continue;
          sum -= log(product);
          product = 1;
        }
      }
      sum -= log(product);
    }
    return sum;
  }

  /** Computes the gradient and the matrix. */
  private linearise(factor: number, weight: number): void {
    const { gradient, border, bands } = this;
    gradient.fill(0);
    border.fill(0);
    for (const band of bands) band.fill(0);
    this.slope = weight;
    this.corner = 0;
    let power = 1;
    for (const [order, weights] of DIFFERENCES.entries()) {
      power /= factor;
      const fall = -(order + 1) / factor;
      const p = new Float64Array(weights.length);
      for (const { values, tangents, stride, offset, limits } of this.series) {
        const bounds = limits[order];
        if (!bounds) continue;
        for (let m = 0; m < bounds.length; m++) {
          const at = m * stride + offset;
          const unit = power / bounds[m];
          if (!(unit > 0)) continue;
          const x = differenceAt(values, weights, at, stride) * unit;
          const room = (1 - x) * (1 + x);
          const first = (2 * x) / room;
          const second = (2 * (1 + x * x)) / (room * room);
          for (let i = 0; i < p.length; i++) p[i] = weights[i] * unit * (tangents ? tangents[at + i * stride] : 1);
          const t = x * fall;
          this.slope += first * t;
          this.corner += second * t * t;
          for (let i = 0; i < p.length; i++) {
            gradient[m + i] += first * p[i];
            border[m + i] += second * p[i] * t;
            for (let k = i; k < p.length; k++) bands[k - i][m + i] += second * p[i] * p[k];
          }
        }
      }
    }
  }

  /** Solves for the Newton step; the control points at both ends do not move. */
  private newton(): { step: Float64Array; change: number } {
    const { gradient, border, bands, count, corner, slope } = this;
    for (let m = 0; m < count; m++) {
      if (m >= 3 && m < count - 3) continue;
      for (let k = 0; k <= BANDS; k++) {
        bands[k][m] = 0;
        if (m >= k) bands[k][m - k] = 0;
      }
      bands[0][m] = 1;
      gradient[m] = 0;
      border[m] = 0;
    }
    factorize(bands);
    const [a, b] = [gradient.slice(), border.slice()];
    for (const x of [a, b]) solveFactorized(bands, x);
    let [ga, gb] = [0, 0];
    for (let m = 0; m < count; m++) {
      ga += border[m] * a[m];
      gb += border[m] * b[m];
    }
    const change = -(slope - ga) / (corner - gb);
    return { step: a.map((value, m) => -value - change * b[m]), change };
  }
}

function differenceAt(values: Float64Array, weights: readonly number[], at: number, stride: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] * values[at + i * stride];
  return sum;
}
