import { type Interrupt, never } from '../math/interrupt.ts';
import { QpActiveSystem } from './qpActiveSystem.ts';
import { QpData } from './qpData.ts';
import { QpPoint } from './qpPoint.ts';

/**
 * Status of a program: `optimal`, solved, with derivatives; `degenerate`, solved, but the solution is not unique or not
 * differentiable: a constraint is active with multiplier 0, or the active constraints are linearly dependent.
 * `infeasible`: no x satisfies the constraints; `unbounded`: the cost has no lower bound (both are also returned if the
 * solution is farther than 1e9 times the size of the data). `not-convex`: P has a negative eigenvalue. `undecided`: the
 * iteration limit was reached, or the solver was interrupted.
 */
export type QpStatus = 'optimal' | 'degenerate' | 'infeasible' | 'unbounded' | 'not-convex' | 'undecided';

/** Derivatives of a scalar by the data of a program, with the layout of the data. */
export interface QpGradient {
  /** Derivatives with respect to P. */
  readonly P: Float64Array;
  /** Derivatives with respect to c. */
  readonly c: Float64Array;
  /** Derivatives with respect to G. */
  readonly G: Float64Array;
  /** Derivatives with respect to h. */
  readonly h: Float64Array;
}

/** Iteration limit of Mehrotra steps; ten iterations are typical. */
const ITERATION_LIMIT = 100;
/** Iteration limit of centred steps, which follow if the first limit is reached: slow, but they do not cycle. */
const CENTRED_ITERATION_LIMIT = 400;
/** Relative residual at which a program counts as solved, and target residual of the iteration. */
const SOLVED = 1e-9;
const TARGET = 1e-13;
/** Number of iterations without improvement after which the iteration stops. */
const PATIENCE = 5;
/**
 * Residual at which the active set is known except for a few constraints, and limit on the corrections of the active
 * set [Hintermueller02 §2].
 */
const ACTIVE_SET_RESIDUAL = 1e-6;
const MAX_CORRECTIONS = 5;
/** A constraint is weakly active if slack and multiplier are both below this, relative to the data. */
const WEAKLY_ACTIVE = 1e-5;
/**
 * Minimises ½ xᵀP x + cᵀx with G x <= h, P symmetric and positive semidefinite, by a primal-dual interior point method
 * with Mehrotra's predictor-corrector steps [Mehrotra92; Mattingley12 §5; Tracy22 §II-B]. Mehrotra's steps may cycle:
 * then the program is solved again with centred steps, which keep the products of slack and multiplier close to each
 * other [Wright97 §5, §6]. Each step takes one Cholesky factorisation of P + Gᵀ(z/s)G for its two solves. The data may
 * have any units: they are scaled first.
 *
 * Allocates buffers for programs up to a size in the constructor, and nothing afterwards. Matrices are dense, row by
 * row; zeros are skipped: rows of G are stored sparsely, and the factor has the profile of the matrix, so that the
 * order of the variables matters.
 */
export class QpSolver {
  /**
   * Solution, its multipliers z >= 0 and slacks s = h − G x; the first entries if the program is smaller than the
   * buffers.
   */
  readonly x: Float64Array;
  /** Multipliers of the constraints. */
  readonly z: Float64Array;
  /** Slacks of the constraints. */
  readonly s: Float64Array;
  /** Status of the last program. */
  status: QpStatus = 'undecided';
  /** Number of iterations of the last program. */
  iterations = 0;
  /** Largest KKT residual (stationarity, primal and dual feasibility, complementarity), relative to the data. */
  residual = Number.POSITIVE_INFINITY;
  private readonly data: QpData;
  private readonly point: QpPoint;
  private readonly active: QpActiveSystem;
  private readonly dx: Float64Array;
  private readonly dz: Float64Array;

  /**
   * Allocates the buffers.
   * @param variables maximum number of entries of x; @param constraints maximum number of rows of G
   * @param interrupt ends the iteration, whose status then is `undecided`
   */
  constructor(
    variables: number,
    constraints: number,
    private readonly interrupt: Interrupt = never,
  ) {
    this.data = new QpData(variables, constraints);
    this.point = new QpPoint(this.data);
    this.active = new QpActiveSystem(variables, constraints);
    this.dx = new Float64Array(variables);
    this.dz = new Float64Array(constraints);
    ({ x: this.x, z: this.z, s: this.s } = this.point);
  }

  /**
   * Solves a program and returns its status.
   * @param n entries of x, @param m rows of G; P: n × n, c: n, G: m × n, h: m. Constraints with infinite h are ignored.
   */
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

  /** Runs the iteration from the start, with Mehrotra's or centred steps, then corrects the active set. */
  private attempt(isCentred: boolean): QpStatus {
    const { point, active } = this;
    const failure = this.iterate(isCentred);
    this.residual = point.residual;
    if (failure !== undefined && (failure !== 'undecided' || this.residual > ACTIVE_SET_RESIDUAL)) return failure;
    point.restoreBest();
    let isStrict = this.findActive();
    for (let i = 0; i < MAX_CORRECTIONS && active.isRegular; i++) {
      this.polish();
      if (this.residual <= SOLVED) break;
      isStrict = this.findActive();
    }
    if (this.residual <= SOLVED) return isStrict && active.isRegular ? 'optimal' : 'degenerate';
    point.restoreBest();
    return 'undecided';
  }

  /**
   * Iterates until the point is good enough, which returns undefined, or the program is proved infeasible or unbounded.
   */
  private iterate(isCentred: boolean): 'infeasible' | 'unbounded' | 'undecided' | undefined {
    const { point } = this;
    point.initialize();
    let best = this.iterations;
    const limit = this.iterations + (isCentred ? CENTRED_ITERATION_LIMIT : ITERATION_LIMIT);
    while (this.iterations < limit) {
      if (this.interrupt()) return 'undecided';
      this.iterations++;
      const merit = point.evaluate();
      if (merit < point.residual) {
        point.keepBest(merit);
        best = this.iterations;
      }
      if (merit <= TARGET || (point.residual <= SOLVED && this.iterations > best + PATIENCE)) break;
      if (point.isInfeasible()) return 'infeasible';
      if (point.isUnbounded()) return 'unbounded';
      if (!(isCentred ? point.centredStep() : point.step())) break;
    }
    return point.residual <= SOLVED ? undefined : 'undecided';
  }

  /**
   * Determines and factorises the active constraints; returns false if one is weakly active, or if there are more than
   * variables.
   */
  private findActive(): boolean {
    const { z, s, active, data } = this;
    active.clear();
    let isStrict = true;
    for (let i = 0; i < data.m; i++) {
      if (z[i] > s[i] && !active.add(i)) isStrict = false;
      if (Math.max(z[i], s[i]) < WEAKLY_ACTIVE) isStrict = false;
    }
    active.factorize(data);
    return isStrict;
  }

  /**
   * Computes the solution to the last digits from the equations of the active constraints. Rejected if the point before
   * was solved and better; otherwise kept: negative slacks and multipliers then indicate constraints with the wrong
   * activity.
   */
  private polish(): void {
    const { x, z, s, active, data, point } = this;
    const { n, m, c, h } = data;
    for (let i = 0; i < n; i++) x[i] = -c[i];
    for (let i = 0; i < m; i++) z[i] = 0;
    for (let k = 0; k < active.count; k++) z[active.rows[k]] = h[active.rows[k]];
    active.solve(data, x, z);
    let violation = 0;
    for (let i = 0; i < m; i++) {
      s[i] = z[i] !== 0 ? 0 : h[i] - data.rowTimes(i, x);
      violation = Math.max(violation, -s[i], -z[i]);
    }
    const merit = Math.max(violation, point.evaluate());
    if (merit < this.residual) this.residual = merit;
    else if (this.residual <= SOLVED) point.restoreBest();
  }

  /** Converts the result to the units of the given data. */
  private finish(status: QpStatus): QpStatus {
    this.status = status;
    this.data.unscale(this.x, this.z, this.s);
    return status;
  }

  /**
   * Computes the derivatives of a scalar ℓ by P, c, G and h from those by x (and by z): vector-Jacobian product of the
   * implicit function theorem on the KKT conditions [Tracy22 eqs. 12–16; Amos17 eq. 8]. Exact after `optimal`; after
   * `degenerate` it is finite and refers to the constraints whose multipliers exceed their slacks. Derivatives by P are
   * those by a symmetric matrix.
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
   * Computes the changes of x and z with the data: Jacobian-vector product [Tracy22 eqs. 10–11]. Fills `outX` and
   * `outZ` for changes of P (symmetric), c, G and h; missing ones are 0.
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

/** Result of one program. */
export interface QpResult {
  /** Status of the program. */
  readonly status: QpStatus;
  /** Solution. */
  readonly x: Float64Array;
  /** Multipliers of the constraints. */
  readonly z: Float64Array;
  /** Number of iterations. */
  readonly iterations: number;
  /** Largest KKT residual, relative to the data. */
  readonly residual: number;
  /** The solver, with the factors for derivatives. */
  readonly solver: QpSolver;
}

/** Minimises ½ xᵀP x + cᵀx with G x <= h once, with a new `QpSolver`. Matrices row by row. */
export function solveQp(
  P: ArrayLike<number>,
  c: ArrayLike<number>,
  G: ArrayLike<number>,
  h: ArrayLike<number>,
): QpResult {
  const solver = new QpSolver(c.length, h.length);
  const status = solver.solve(P, c, G, h);
  return { status, x: solver.x, z: solver.z, iterations: solver.iterations, residual: solver.residual, solver };
}
