import { factorize, factorizeAnyway, type QpData, solveLower, solveUpper } from './qpData.ts';

/** Part of the way to the boundary that a step may go, and the shortest step that is one. */
const STEP = 0.995;
const SHORTEST = 1e-12;
/** Share of the mean product of slack and multiplier that a centred step aims at, and least share that each product keeps. */
const CENTRED = 0.2;
const NEIGHBOURHOOD = 1e-4;
/** Added to the diagonal of the scaled matrix: a step is then the nearest of many where the cost is flat. The fixed point is the same. */
const PROXIMAL = 1e-13;
/** Curvature of P below −this, relative, is no rounding. */
const BENT = 1e-11;
/** Below this a certificate that there is no solution stands, relative. */
const CERTAIN = 1e-10;
/** Slacks and multipliers stay above it, in the units of the scaled program. */
const LEAST = 1e-30;

/**
 * The point of a primal-dual interior point method with Mehrotra's predictor and corrector [Mehrotra92; Mattingley12 §5; Tracy22 §II-B] in a
 * scaled program, and its steps. Each takes one Cholesky factorisation, of P + Gᵀ(z/s)G, for both of its solves.
 */
export class QpPoint {
  readonly x: Float64Array;
  readonly z: Float64Array;
  readonly s: Float64Array;
  /** The greatest residual of the best point so far, relative to the data. */
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

  /** Whether P has no negative eigenvalue, but for rounding. */
  isConvex(): boolean {
    this.data.copyP(this.K, BENT);
    return factorize(this.K, this.data.n, this.data.first, 0);
  }

  /** Slacks of the least squares fit, and their mirror as multipliers, both pushed into the positive [Mattingley12 §5.2]. */
  begin(): void {
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
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < m; i++) {
      s[i] = h[i] - data.rowTimes(i, x);
      least = Math.min(least, s[i]);
      most = Math.max(most, s[i]);
    }
    const liftS = least > 0 ? 0 : 1 - least;
    const liftZ = most < 0 ? 0 : 1 + most;
    for (let i = 0; i < m; i++) {
      z[i] = liftZ - s[i];
      s[i] += liftS;
    }
  }

  /** Fills the residuals, and returns the greatest, relative to the terms that they are sums of. */
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
    let reach = 1;
    let gap = 0;
    for (let i = 0; i < n; i++) reach = Math.max(reach, Math.abs(x[i]));
    for (let i = 0; i < m; i++) {
      rz[i] = data.rowTimes(i, x) + s[i] - h[i];
      primal = Math.max(primal, Math.abs(rz[i]));
      gap = Math.max(gap, s[i] * z[i]);
    }
    return Math.max(dual / size, primal / reach, gap / size);
  }

  /** Remembers the point as the best so far. */
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

  /** Farkas: z >= 0, Gᵀz = 0, hᵀz < 0. */
  hasNoPoint(): boolean {
    const { z, dx, data } = this;
    const { n, m, h } = data;
    let along = 0;
    for (let i = 0; i < m; i++) along -= h[i] * z[i];
    if (!(along > 0)) return false;
    dx.fill(0, 0, n);
    data.addTransposed(dx, z);
    for (let i = 0; i < n; i++) if (!(Math.abs(dx[i]) <= CERTAIN * along)) return false;
    return true;
  }

  /** A way down that nothing ends: P x = 0, G x <= 0, cᵀx < 0. */
  fallsForEver(): boolean {
    const { x, dx, data } = this;
    const { n, m, c } = data;
    let along = 0;
    for (let i = 0; i < n; i++) along -= c[i] * x[i];
    if (!(along > 0)) return false;
    data.timesP(dx, x);
    for (let i = 0; i < n; i++) if (!(Math.abs(dx[i]) <= CERTAIN * along)) return false;
    for (let i = 0; i < m; i++) if (!(data.rowTimes(i, x) <= CERTAIN * along)) return false;
    return true;
  }

  /** One predictor and corrector; false where it can go no farther. */
  step(): boolean {
    const { x, z, s, rc, dx, dz, ds, data } = this;
    const { n, m } = data;
    this.factorize();
    let gap = 0;
    for (let i = 0; i < m; i++) gap += s[i] * z[i];
    // Predictor: straight for z s = 0. What that leaves of the gap says how far the corrector may aim.
    for (let i = 0; i < m; i++) rc[i] = -s[i] * z[i];
    this.newton();
    const reach = Math.min(1, this.reach());
    let left = 0;
    for (let i = 0; i < m; i++) left += (s[i] + reach * ds[i]) * (z[i] + reach * dz[i]);
    const ratio = gap > 0 ? left / gap : 0;
    const aim = m > 0 ? (ratio * ratio * ratio * gap) / m : 0;
    for (let i = 0; i < m; i++) rc[i] = aim - s[i] * z[i] - ds[i] * dz[i];
    this.newton();
    const step = Math.min(1, STEP * this.reach());
    if (!(step > SHORTEST)) return false;
    for (let i = 0; i < n; i++) x[i] += step * dx[i];
    for (let i = 0; i < m; i++) {
      z[i] = Math.max(z[i] + step * dz[i], LEAST);
      s[i] = Math.max(s[i] + step * ds[i], LEAST);
    }
    return true;
  }

  /**
   * One step of the infeasible long-step method [Wright97 §6]: aims at a fixed share of the mean product, and is cut until no product s z is
   * less than NEIGHBOURHOOD of the mean. False if it can go no farther.
   */
  centredStep(): boolean {
    const { x, z, s, rc, dx, dz, ds, data } = this;
    const { n, m } = data;
    this.factorize();
    let gap = 0;
    for (let i = 0; i < m; i++) gap += s[i] * z[i];
    const aim = m > 0 ? (CENTRED * gap) / m : 0;
    for (let i = 0; i < m; i++) rc[i] = aim - s[i] * z[i];
    this.newton();
    let step = Math.min(1, STEP * this.reach());
    while (step > SHORTEST && !this.isCentral(step)) step *= 0.8;
    if (!(step > SHORTEST)) return false;
    for (let i = 0; i < n; i++) x[i] += step * dx[i];
    for (let i = 0; i < m; i++) {
      z[i] = Math.max(z[i] + step * dz[i], LEAST);
      s[i] = Math.max(s[i] + step * ds[i], LEAST);
    }
    return true;
  }

  /** Whether no product s z falls behind the mean of all after such a step. */
  private isCentral(step: number): boolean {
    const { z, s, dz, ds, data } = this;
    let sum = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < data.m; i++) {
      const product = (s[i] + step * ds[i]) * (z[i] + step * dz[i]);
      sum += product;
      least = Math.min(least, product);
    }
    return data.m === 0 || least * data.m >= NEIGHBOURHOOD * sum;
  }

  /** K = L Lᵀ with K = P + Gᵀ(z/s)G. */
  private factorize(): void {
    const { K, s, z, data } = this;
    data.copyP(K, PROXIMAL);
    for (let i = 0; i < data.m; i++) data.addOuter(K, i, z[i] / s[i]);
    factorizeAnyway(K, data.n, data.first);
  }

  /** P dx + Gᵀdz = −rx, G dx + ds = −rz, z ds + s dz = rc, through (P + Gᵀ(z/s)G) dx = −rx − Gᵀ(z rz + rc)/s. */
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

  /** Longest step that leaves all slacks and multipliers positive. */
  private reach(): number {
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
