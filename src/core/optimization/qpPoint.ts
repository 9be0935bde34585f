import { factorize, factorizeRobust, type QpData, solveLower, solveUpper } from './qpData.ts';

/** Fraction of the step to the boundary that is taken, and the minimum useful step. */
const STEP_FRACTION = 0.995;
const MIN_STEP = 1e-12;
/**
 * Centred steps: target of the products of slack and multiplier relative to their mean, and lower bound of each product
 * relative to the mean.
 */
const CENTERING = 0.2;
const NEIGHBOURHOOD = 1e-4;
/**
 * Regularisation added to the diagonal of the scaled matrix: selects the shortest step if the cost is flat. The fixed
 * point is unchanged.
 */
const PROXIMAL = 1e-13;
/** Relative curvature of P below minus this is not rounding. */
const CURVATURE_TOLERANCE = 1e-11;
/** Relative tolerance of certificates of infeasibility and unboundedness. */
const CERTIFICATE_TOLERANCE = 1e-10;
/** Lower bound of slacks and multipliers, in the units of the scaled program. */
const MIN_VALUE = 1e-30;

/**
 * The iterate of a primal-dual interior point method with Mehrotra's predictor-corrector steps [Mehrotra92;
 * Mattingley12 §5; Tracy22 §II-B] in a scaled program. Each step takes one Cholesky factorisation of P + Gᵀ(z/s)G for
 * its two solves.
 */
export class QpPoint {
  readonly x: Float64Array;
  readonly z: Float64Array;
  readonly s: Float64Array;
  /** Largest residual of the best iterate so far, relative to the data. */
  residual = Number.POSITIVE_INFINITY;
  private readonly K: Float64Array;
  private readonly rx: Float64Array;
  private readonly rz: Float64Array;
  private readonly rc: Float64Array;
  private readonly dx: Float64Array;
  private readonly dz: Float64Array;
  private readonly ds: Float64Array;
  private readonly bestX: Float64Array;
  private readonly bestZ: Float64Array;
  private readonly bestS: Float64Array;

  constructor(private readonly data: QpData) {
    const { variables, constraints } = data;
    const vector = () => new Float64Array(variables);
    const rows = () => new Float64Array(constraints);
    this.K = new Float64Array(variables * variables);
    [this.x, this.rx, this.dx, this.bestX] = [vector(), vector(), vector(), vector()];
    [this.z, this.s, this.rz, this.rc, this.dz, this.ds, this.bestZ, this.bestS] = Array.from({ length: 8 }, rows);
  }

  /** Returns true if P has no negative eigenvalue up to rounding. */
  isConvex(): boolean {
    this.data.copyP(this.K, CURVATURE_TOLERANCE);
    return factorize(this.K, this.data.n, this.data.first, 0);
  }

  /**
   * Sets the start point: slacks of the least squares fit, negated as multipliers, both shifted to be positive
   * [Mattingley12 §5.2].
   */
  initialize(): void {
    this.residual = Number.POSITIVE_INFINITY;
    const { x, z, s, rx, data } = this;
    const { n, m, c, h } = data;
    s.fill(1, 0, m);
    z.fill(1, 0, m);
    this.factorize();
    for (let i = 0; i < n; i++) rx[i] = -c[i];
    data.addTransposed(rx, h);
    for (let i = 0; i < n; i++) x[i] = rx[i];
    solveLower(this.K, x, n, data.first);
    solveUpper(this.K, x, n, data.first);
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < m; i++) {
      s[i] = h[i] - data.rowTimes(i, x);
      min = Math.min(min, s[i]);
      max = Math.max(max, s[i]);
    }
    const liftS = min > 0 ? 0 : 1 - min;
    const liftZ = max < 0 ? 0 : 1 + max;
    for (let i = 0; i < m; i++) {
      z[i] = liftZ - s[i];
      s[i] += liftS;
    }
  }

  /** Computes the residuals, and returns the largest, relative to the terms that they are sums of. */
  evaluate(): number {
    const { x, z, s, rx, rz, data } = this;
    const { n, m, c, h } = data;
    data.timesP(rx, x);
    let size = 1;
    for (let i = 0; i < n; i++) {
      size = Math.max(size, Math.abs(rx[i]));
      rx[i] += c[i];
    }
    data.addTransposed(rx, z);
    let dual = 0;
    for (let i = 0; i < n; i++) dual = Math.max(dual, Math.abs(rx[i]));
    let primal = 0;
    let sizeX = 1;
    let gap = 0;
    for (let i = 0; i < n; i++) sizeX = Math.max(sizeX, Math.abs(x[i]));
    for (let i = 0; i < m; i++) {
      rz[i] = data.rowTimes(i, x) + s[i] - h[i];
      primal = Math.max(primal, Math.abs(rz[i]));
      gap = Math.max(gap, s[i] * z[i]);
    }
    return Math.max(dual / size, primal / sizeX, gap / size);
  }

  /** Stores the iterate as the best so far. */
  keepBest(merit: number): void {
    this.residual = merit;
    copyInto(this.bestX, this.x, this.data.n);
    copyInto(this.bestZ, this.z, this.data.m);
    copyInto(this.bestS, this.s, this.data.m);
  }

  restoreBest(): void {
    copyInto(this.x, this.bestX, this.data.n);
    copyInto(this.z, this.bestZ, this.data.m);
    copyInto(this.s, this.bestS, this.data.m);
  }

  /** Returns true if z is a Farkas certificate of infeasibility: z >= 0, Gᵀz = 0, hᵀz < 0. */
  isInfeasible(): boolean {
    const { z, dx, data } = this;
    const { n, m, h } = data;
    let along = 0;
    for (let i = 0; i < m; i++) along -= h[i] * z[i];
    if (!(along > 0)) return false;
    dx.fill(0, 0, n);
    data.addTransposed(dx, z);
    for (let i = 0; i < n; i++) if (!(Math.abs(dx[i]) <= CERTIFICATE_TOLERANCE * along)) return false;
    return true;
  }

  /** Returns true if x is a certificate of unboundedness: P x = 0, G x <= 0, cᵀx < 0. */
  isUnbounded(): boolean {
    const { x, dx, data } = this;
    const { n, m, c } = data;
    let along = 0;
    for (let i = 0; i < n; i++) along -= c[i] * x[i];
    if (!(along > 0)) return false;
    data.timesP(dx, x);
    for (let i = 0; i < n; i++) if (!(Math.abs(dx[i]) <= CERTIFICATE_TOLERANCE * along)) return false;
    for (let i = 0; i < m; i++) if (!(data.rowTimes(i, x) <= CERTIFICATE_TOLERANCE * along)) return false;
    return true;
  }

  /** Takes one predictor-corrector step; returns false if the step is too short. */
  step(): boolean {
    const { z, s, rc, dz, ds, data } = this;
    const { m } = data;
    this.factorize();
    let gap = 0;
    for (let i = 0; i < m; i++) gap += s[i] * z[i];
    // Predictor: affine step to z s = 0. The remaining gap determines the centering of the corrector.
    for (let i = 0; i < m; i++) rc[i] = -s[i] * z[i];
    this.newton();
    const affineStep = Math.min(1, this.maxStep());
    let remaining = 0;
    for (let i = 0; i < m; i++) remaining += (s[i] + affineStep * ds[i]) * (z[i] + affineStep * dz[i]);
    const ratio = gap > 0 ? remaining / gap : 0;
    const target = m > 0 ? (ratio * ratio * ratio * gap) / m : 0;
    for (let i = 0; i < m; i++) rc[i] = target - s[i] * z[i] - ds[i] * dz[i];
    this.newton();
    const step = Math.min(1, STEP_FRACTION * this.maxStep());
    if (!(step > MIN_STEP)) return false;
    this.advance(step);
    return true;
  }

  /**
   * Takes one step of the infeasible long-step method [Wright97 §6]: its target is a fixed fraction of the mean
   * product, and it is shortened until no product s z is less than NEIGHBOURHOOD of the mean. Returns false if the step
   * is too short.
   */
  centredStep(): boolean {
    const { z, s, rc, data } = this;
    const { m } = data;
    this.factorize();
    let gap = 0;
    for (let i = 0; i < m; i++) gap += s[i] * z[i];
    const target = m > 0 ? (CENTERING * gap) / m : 0;
    for (let i = 0; i < m; i++) rc[i] = target - s[i] * z[i];
    this.newton();
    let step = Math.min(1, STEP_FRACTION * this.maxStep());
    while (step > MIN_STEP && !this.isCentral(step)) step *= 0.8;
    if (!(step > MIN_STEP)) return false;
    this.advance(step);
    return true;
  }

  /** Moves by `step` along the current direction; z and s stay positive. */
  private advance(step: number): void {
    const { x, z, s, dx, dz, ds, data } = this;
    for (let i = 0; i < data.n; i++) x[i] += step * dx[i];
    for (let i = 0; i < data.m; i++) {
      z[i] = Math.max(z[i] + step * dz[i], MIN_VALUE);
      s[i] = Math.max(s[i] + step * ds[i], MIN_VALUE);
    }
  }

  /** Returns true if after such a step every product s z is at least NEIGHBOURHOOD of the mean. */
  private isCentral(step: number): boolean {
    const { z, s, dz, ds, data } = this;
    let sum = 0;
    let minProduct = Number.POSITIVE_INFINITY;
    for (let i = 0; i < data.m; i++) {
      const product = (s[i] + step * ds[i]) * (z[i] + step * dz[i]);
      sum += product;
      minProduct = Math.min(minProduct, product);
    }
    return data.m === 0 || minProduct * data.m >= NEIGHBOURHOOD * sum;
  }

  /** Factorises K = L Lᵀ with K = P + Gᵀ(z/s)G. */
  private factorize(): void {
    const { K, s, z, data } = this;
    data.copyP(K, PROXIMAL);
    for (let i = 0; i < data.m; i++) data.addOuter(K, i, z[i] / s[i]);
    factorizeRobust(K, data.n, data.first);
  }

  /** Solves P dx + Gᵀdz = −rx, G dx + ds = −rz, z ds + s dz = rc through (P + Gᵀ(z/s)G) dx = −rx − Gᵀ(z rz + rc)/s. */
  private newton(): void {
    const { z, s, rx, rz, rc, dx, dz, ds, data } = this;
    const { n, m } = data;
    for (let i = 0; i < n; i++) dx[i] = -rx[i];
    for (let i = 0; i < m; i++) ds[i] = -(z[i] * rz[i] + rc[i]) / s[i];
    data.addTransposed(dx, ds);
    solveLower(this.K, dx, n, data.first);
    solveUpper(this.K, dx, n, data.first);
    for (let i = 0; i < m; i++) {
      const along = data.rowTimes(i, dx);
      ds[i] = -rz[i] - along;
      dz[i] = (rc[i] - z[i] * ds[i]) / s[i];
    }
  }

  /** Returns the longest step that keeps all slacks and multipliers non-negative. */
  private maxStep(): number {
    const { z, s, dz, ds, data } = this;
    let step = Number.POSITIVE_INFINITY;
    for (let i = 0; i < data.m; i++) {
      if (dz[i] < 0) step = Math.min(step, -z[i] / dz[i]);
      if (ds[i] < 0) step = Math.min(step, -s[i] / ds[i]);
    }
    return step;
  }
}

function copyInto(to: Float64Array, from: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}
