import { QpActiveSystem } from './qpActiveSystem.ts';
import { QpData } from './qpData.ts';
import { QpPoint } from './qpPoint.ts';

/**
 * What is known of a program: `optimal` is solved, with derivatives; `degenerate` is solved too, but its solution is not the only one,
 * or has no derivative: a constraint holds with equality and a multiplier of 0, or those that hold depend on each other. `infeasible`: no x
 * keeps the constraints; `unbounded`: the cost falls for ever (either one is told for what lies 1e9 sizes of the data away, too).
 * `not-convex`: P has a negative eigenvalue. `undecided`: the iterations ended first.
 */
export type QpStatus = 'optimal' | 'degenerate' | 'infeasible' | 'unbounded' | 'not-convex' | 'undecided';

/** Derivatives of a number by the data of a program, laid out like the data. */
export interface QpGradient {
  readonly P: Float64Array;
  readonly c: Float64Array;
  readonly G: Float64Array;
  readonly h: Float64Array;
}

/** Iterations after which it stops with what it has; ten are usual. */
const ITERATION_LIMIT = 100;
/** The same for the centred steps, which follow when those run out: slow, but they do not cycle. */
const CENTRED_LIMIT = 400;
/** Residuals, relative to the data, at which a program counts as solved, and those that the iteration aims at. */
const SOLVED = 1e-9;
const AIM = 1e-13;
/** Iterations without a better point after which it stops. */
const PATIENCE = 5;
/** A residual from which the active constraints can be told but for a few, and how often those may change sides [Hintermueller02 §2]. */
const NEAR = 1e-6;
const CORRECTIONS = 5;
/** Slack and multiplier both below this, relative to the data: a constraint that is neither active nor idle. */
const WEAK = 1e-5;
/**
 * min ½ xᵀP x + cᵀx  with  G x <= h,  P symmetric and positive semidefinite, by a primal-dual interior point method with Mehrotra's
 * predictor and corrector [Mehrotra92; Mattingley12 §5; Tracy22 §II-B]. Mehrotra's steps may cycle: then the program is solved again
 * with centred steps, whose products of slack and multiplier stay near each other [Wright97 §5, §6]. Each step takes one Cholesky factorisation, of P + Gᵀ(z/s)G, for both
 * of its solves. Data of any unit: they are scaled first.
 *
 * Holds room for programs up to a size and allocates nothing after that. Matrices are given whole, row by row; zeros cost nothing: rows of G
 * are kept without them, and the factor keeps to the profile of the matrix, so that order of the variables counts.
 */
export class QpSolver {
  /** Solution, and its multipliers z >= 0 and slacks s = h − G x; the first entries, where the program is smaller than the room. */
  readonly x: Float64Array;
  readonly z: Float64Array;
  readonly s: Float64Array;
  status: QpStatus = 'undecided';
  iterations = 0;
  /** Greatest of the KKT residuals (stationarity, both kinds of feasibility, complementarity), relative to the data. */
  residual = Number.POSITIVE_INFINITY;
  private readonly data: QpData;
  private readonly point: QpPoint;
  private readonly active: QpActiveSystem;
  private readonly dx: Float64Array;
  private readonly dz: Float64Array;

  /** @param variables most entries of x; @param constraints most rows of G */
  constructor(variables: number, constraints: number) {
    this.data = new QpData(variables, constraints);
    this.point = new QpPoint(this.data);
    this.active = new QpActiveSystem(variables, constraints);
    this.dx = new Float64Array(variables);
    this.dz = new Float64Array(constraints);
    ({ x: this.x, z: this.z, s: this.s } = this.point);
  }

  /** @param n entries of x, @param m rows of G; P: n × n, c: n, G: m × n, h: m. Infinite entries of h are constraints that are not there. */
  solve(
    P: ArrayLike<number>,
    c: ArrayLike<number>,
    G: ArrayLike<number>,
    h: ArrayLike<number>,
    n = c.length,
    m = h.length,
  ): QpStatus {
    this.data.load(P, c, G, h, n, m);
    this.iterations = 0;
    if (!this.point.isConvex()) return this.finish('not-convex');
    const status = this.attempt(false);
    return this.finish(status === 'undecided' ? this.attempt(true) : status);
  }

  /** One run from the start, with Mehrotra's steps or with centred ones, and the correction of its active constraints. */
  private attempt(isCentred: boolean): QpStatus {
    const { point, active } = this;
    const failure = this.iterate(isCentred);
    this.residual = point.residual;
    if (failure !== undefined && (failure !== 'undecided' || this.residual > NEAR)) return failure;
    point.restoreBest();
    let isStrict = this.findActive();
    for (let i = 0; i < CORRECTIONS && active.isRegular; i++) {
      this.polish();
      if (this.residual <= SOLVED) break;
      isStrict = this.findActive();
    }
    if (this.residual <= SOLVED) return isStrict && active.isRegular ? 'optimal' : 'degenerate';
    point.restoreBest();
    return 'undecided';
  }

  /** Steps until the point is good, or it is known that there is none; undefined where it is good. */
  private iterate(isCentred: boolean): 'infeasible' | 'unbounded' | 'undecided' | undefined {
    const { point } = this;
    point.begin();
    let best = this.iterations;
    const limit = this.iterations + (isCentred ? CENTRED_LIMIT : ITERATION_LIMIT);
    while (this.iterations < limit) {
      this.iterations++;
      const merit = point.evaluate();
      if (merit < point.residual) {
        point.keepBest(merit);
        best = this.iterations;
      }
      if (merit <= AIM || (point.residual <= SOLVED && this.iterations > best + PATIENCE)) break;
      if (point.hasNoPoint()) return 'infeasible';
      if (point.fallsForEver()) return 'unbounded';
      if (!(isCentred ? point.centredStep() : point.step())) break;
    }
    return point.residual <= SOLVED ? undefined : 'undecided';
  }

  /** Lists the constraints that hold with equality, and factorises; false if one is neither active nor idle, or there are more than variables. */
  private findActive(): boolean {
    const { z, s, active, data } = this;
    active.clear();
    let isStrict = true;
    for (let i = 0; i < data.m; i++) {
      if (z[i] > s[i] && !active.add(i)) isStrict = false;
      if (Math.max(z[i], s[i]) < WEAK) isStrict = false;
    }
    active.factorize(data);
    return isStrict;
  }

  /**
   * The solution to the last digits, from the equations of the active constraints. Not kept where a good one is known that is better; kept
   * where none is: its slacks and multipliers below 0 are those of constraints on the wrong side.
   */
  private polish(): void {
    const { x, z, s, active, data, point } = this;
    const { n, m, c, h } = data;
    for (let i = 0; i < n; i++) x[i] = -c[i];
    for (let i = 0; i < m; i++) z[i] = 0;
    for (let k = 0; k < active.count; k++) z[active.rows[k]] = h[active.rows[k]];
    active.solve(data, x, z);
    let worst = 0;
    for (let i = 0; i < m; i++) {
      s[i] = z[i] !== 0 ? 0 : h[i] - data.rowTimes(i, x);
      worst = Math.max(worst, -s[i], -z[i]);
    }
    const merit = Math.max(worst, point.evaluate());
    if (merit < this.residual) this.residual = merit;
    else if (this.residual <= SOLVED) point.restoreBest();
  }

  /** Back to the units of the data as they were given. */
  private finish(status: QpStatus): QpStatus {
    this.status = status;
    this.data.unscale(this.x, this.z, this.s);
    return status;
  }

  /**
   * Derivatives of a number ℓ by P, c, G and h from those by x (and by z): the vector-Jacobian form of the implicit function theorem on the
   * KKT conditions [Tracy22 eqs. 12–16; Amos17 eq. 8]. Means something after `optimal`; after `degenerate` it is finite, and belongs to the
   * constraints whose multipliers exceed their slacks. P's derivatives are those by a symmetric matrix.
   */
  pullBack(out: QpGradient, byX: ArrayLike<number>, byZ?: ArrayLike<number>): void {
    const { x, z, dx, dz, active, data } = this;
    const { n, m } = data;
    // P d + G_Aᵀ u = −∂ℓ/∂x,  G_A d = −∂ℓ/∂z_A, in the units of the scaled program
    for (let i = 0; i < n; i++) dx[i] = -byX[i] * data.unitX;
    dz.fill(0, 0, m);
    if (byZ)
      for (let k = 0; k < active.count; k++) dz[active.rows[k]] = -byZ[active.rows[k]] * data.unitZ(active.rows[k]);
    active.solve(data, dx, dz);
    for (let i = 0; i < n; i++) dx[i] *= data.unitForce;
    for (let i = 0; i < m; i++) dz[i] *= data.unitSlack(i);
    for (let i = 0; i < n; i++) {
      out.c[i] = dx[i];
      for (let j = 0; j < n; j++) out.P[n * i + j] = (dx[i] * x[j] + x[i] * dx[j]) / 2;
    }
    for (let i = 0; i < m; i++) {
      out.h[i] = -dz[i];
      for (let j = 0; j < n; j++) out.G[n * i + j] = dz[i] * x[j] + z[i] * dx[j];
    }
  }

  /**
   * How x and z change with the data: the Jacobian form [Tracy22 eqs. 10–11]. Fills `outX` and `outZ` for changes of P (symmetric), c, G and h;
   * missing ones are 0.
   */
  pushForward(outX: Float64Array, outZ: Float64Array, change: Partial<QpGradient>): void {
    const { x, z, dx, dz, active, data } = this;
    const { n, m } = data;
    const { P, c, G, h } = change;
    // P dx + G_Aᵀ dz_A = −(dP x + dc + dGᵀz),  G_A dx = dh_A − dG_A x
    for (let i = 0; i < n; i++) {
      let force = c ? c[i] : 0;
      if (P) for (let j = 0; j < n; j++) force += P[n * i + j] * x[j];
      if (G) for (let k = 0; k < m; k++) force += G[n * k + i] * z[k];
      dx[i] = -force * data.unitForce;
    }
    dz.fill(0, 0, m);
    for (let k = 0; k < active.count; k++) {
      const i = active.rows[k];
      let slack = h ? h[i] : 0;
      if (G) for (let j = 0; j < n; j++) slack -= G[n * i + j] * x[j];
      dz[i] = slack * data.unitSlack(i);
    }
    active.solve(data, dx, dz);
    for (let i = 0; i < n; i++) outX[i] = dx[i] * data.unitX;
    for (let i = 0; i < m; i++) outZ[i] = dz[i] * data.unitZ(i);
  }
}

/** The answer about one program. */
export interface QpAnswer {
  readonly status: QpStatus;
  readonly x: Float64Array;
  /** Multipliers of the constraints. */
  readonly z: Float64Array;
  readonly iterations: number;
  /** Greatest KKT residual, relative to the data. */
  readonly residual: number;
  /** Keeps the factors that derivatives need. */
  readonly solver: QpSolver;
}

/** min ½ xᵀP x + cᵀx with G x <= h, for once: `QpSolver` without its room. Matrices row by row. */
export function solveQp(
  P: ArrayLike<number>,
  c: ArrayLike<number>,
  G: ArrayLike<number>,
  h: ArrayLike<number>,
): QpAnswer {
  const solver = new QpSolver(c.length, h.length);
  const status = solver.solve(P, c, G, h);
  return { status, x: solver.x, z: solver.z, iterations: solver.iterations, residual: solver.residual, solver };
}
