import type { Interrupt } from '../math/interrupt.ts';
import type { MotionLimits } from '../trajectory/trajectory.ts';
import type { KnotSpline, Weights } from './knotSpline.ts';
import { QpSolver, type QpStatus } from './quadraticProgram.ts';

/** A close pair at a point of the trajectory: its signed distance, metres, and the gradient by q. */
export interface NearPair {
  readonly piece: number;
  /** Position within the piece, 0 to 1. */
  readonly s: number;
  readonly distance: number;
  readonly gradient: Float64Array;
}

/**
 * Weight in the objective of each metre by which a distance falls short of the margin: a millimetre counts as much as 5
 * % of the duration.
 */
export const SHORTFALL_WEIGHT = 50;
/**
 * Weight of a step of the length of the trust region against the duration: small, so that it only selects between
 * equally good steps.
 */
const STEP_WEIGHT = 2e-3;
/** Tolerance for jumps of the acceleration, relative to its limit, if jerk is limited: covers rounding. */
const JUMP_TOLERANCE = 5e-7;

const variablesOf = (dof: number, pieces: number) => 2 * dof * (pieces - 1) + 2;
const maxRowsOf = (dof: number, pieces: number, maxPairs: number) => dof * pieces * 18 + maxPairs + 4;

/** Returns the number of entries of the largest matrix of a program. */
export function programSize(dof: number, pieces: number, maxPairs: number): number {
  return variablesOf(dof, pieces) * maxRowsOf(dof, pieces, maxPairs);
}

/**
 * The quadratic program of one step of a spline that reduces the duration. Variables: changes of the knots and of the
 * time unit, and the distance shortfall. Limits are linear in the knots (and, for acceleration and jerk, linearised
 * conservatively in the time unit); distances are linearised by their gradients.
 */
export class SplineProgram {
  private readonly solver: QpSolver;
  private readonly P: Float64Array;
  private readonly c: Float64Array;
  private readonly G: Float64Array;
  private readonly h: Float64Array;
  private readonly n: number;
  private rows = 0;
  private readonly weights: Weights = new Float64Array(4);

  constructor(
    private readonly spline: KnotSpline,
    private readonly limits: MotionLimits,
    private readonly maxPairs: number,
    interrupt: Interrupt,
  ) {
    const { dof, pieces } = spline;
    this.n = variablesOf(dof, pieces);
    const maxRows = maxRowsOf(dof, pieces, maxPairs);
    this.solver = new QpSolver(this.n, maxRows, interrupt);
    this.P = new Float64Array(this.n * this.n);
    this.c = new Float64Array(this.n);
    this.G = new Float64Array(this.n * maxRows);
    this.h = new Float64Array(maxRows);
  }

  /** Solution of the last `solve`: knot changes as in `variableOf`, then the change of the unit, then the shortfall. */
  get step(): Float64Array {
    return this.solver.x;
  }

  /**
   * Assembles and solves the program.
   * @param trust trust region: maximum change of a position, rad or m; @param margin required distance of every pair,
   *   metres
   */
  solve(pairs: readonly NearPair[], margin: number, trust: number): QpStatus {
    const { P, c, n, spline, solver } = this;
    P.fill(0);
    c.fill(0);
    this.G.fill(0);
    this.rows = 0;
    const weight = STEP_WEIGHT / (trust * trust * spline.pieces);
    for (let i = 0; i < n - 2; i++) P[(n + 1) * i] = weight;
    P[(n + 1) * (n - 2)] = STEP_WEIGHT / (spline.unit * spline.unit);
    P[(n + 1) * (n - 1)] = STEP_WEIGHT;
    c[n - 2] = 1 / spline.unit;
    c[n - 1] = SHORTFALL_WEIGHT;
    this.limitUnit();
    this.limitPositions(trust);
    for (let k = 0; k < spline.pieces; k++) this.limitRates(k);
    if (this.hasJerkLimits()) for (let k = 1; k < spline.pieces; k++) this.limitAccelerationJumps(k);
    for (const pair of pairs.slice(0, this.maxPairs)) this.limitDistance(pair, margin);
    return solver.solve(P, c, this.G, this.h, n, this.rows);
  }

  /** Writes the spline advanced by the step to `out`, which has the same knots. */
  advance(out: KnotSpline): void {
    const { spline, n } = this;
    const { dof, pieces } = spline;
    const x = this.step;
    out.copy(spline);
    for (let k = 1; k < pieces; k++) {
      for (let j = 0; j < dof; j++) {
        out.positions[dof * k + j] += x[this.variableOf(k, 0, j)];
        out.velocities[dof * k + j] += x[this.variableOf(k, 1, j)];
      }
    }
    out.unit += x[n - 2];
  }

  /**
   * Returns the variable of joint j at knot k: position (kind 0) or velocity (1). The first and the last knot are
   * fixed.
   */
  private variableOf(k: number, kind: number, j: number): number {
    return 2 * this.spline.dof * (k - 1) + kind * this.spline.dof + j;
  }

  /** Adds `factor` times the weighted knots of joint j in piece k to the current row. */
  private addWeighted(k: number, j: number, factor: number): void {
    const { G, n, rows, weights, spline } = this;
    for (let end = 0; end < 2; end++) {
      if (k + end === 0 || k + end === spline.pieces) continue;
      for (let kind = 0; kind < 2; kind++) {
        G[n * rows + this.variableOf(k + end, kind, j)] += factor * weights[2 * end + kind];
      }
    }
  }

  private finishRow(bound: number): void {
    this.h[this.rows++] = bound;
  }

  /** Limits the unit to decrease by at most a third; the shortfall is non-negative. */
  private limitUnit(): void {
    const { G, n, spline } = this;
    G[n * this.rows + n - 2] = -1;
    this.finishRow(spline.unit / 3);
    G[n * this.rows + n - 1] = -1;
    this.finishRow(0);
  }

  private limitPositions(trust: number): void {
    const { G, n, spline, limits } = this;
    const { dof, pieces, positions } = spline;
    for (let k = 1; k < pieces; k++) {
      for (let j = 0; j < dof; j++) {
        const q = positions[dof * k + j];
        const variable = this.variableOf(k, 0, j);
        G[n * this.rows + variable] = 1;
        this.finishRow(Math.min(trust, Math.max(0, limits.upper[j] - q)));
        G[n * this.rows + variable] = -1;
        this.finishRow(Math.min(trust, Math.max(0, q - limits.lower[j])));
      }
    }
  }

  /** Limits |velocity| at both ends of a piece and at its quarters, |acceleration| at both ends, and |jerk|. */
  private limitRates(k: number): void {
    const { spline, weights, limits } = this;
    const { unit } = spline;
    for (const s of [0, 0.25, 0.5, 0.75]) {
      if (k === 0 && s === 0) continue;
      spline.velocityWeights(weights, k, s);
      this.bound(k, limits.velocity, unit, 1);
    }
    for (const s of [0, 1]) {
      spline.accelerationWeights(weights, k, s);
      this.bound(k, limits.acceleration, unit * unit, 2 * unit);
    }
    spline.jerkWeights(weights, k);
    this.bound(k, limits.jerk, unit * unit * unit, 3 * unit * unit);
  }

  /** Adds |weighted knots| <= limit · (power + slope · change of the unit) for each joint. */
  private bound(k: number, limit: ArrayLike<number>, power: number, slope: number): void {
    const { spline, n, G, weights } = this;
    for (let j = 0; j < spline.dof; j++) {
      if (limit[j] === Number.POSITIVE_INFINITY) continue;
      const value = spline.apply(weights, k, j);
      for (const sign of [1, -1]) {
        this.addWeighted(k, j, sign);
        G[n * this.rows + n - 2] = -limit[j] * slope;
        this.finishRow(limit[j] * power - sign * value);
      }
    }
  }

  private hasJerkLimits(): boolean {
    return Array.from(this.limits.jerk).some((limit) => limit < Number.POSITIVE_INFINITY);
  }

  /** Makes the acceleration continuous at knot k. */
  private limitAccelerationJumps(k: number): void {
    const { spline, weights, limits } = this;
    for (let j = 0; j < spline.dof; j++) {
      if (limits.jerk[j] === Number.POSITIVE_INFINITY) continue;
      const allowed = JUMP_TOLERANCE * Math.min(limits.acceleration[j], 1e6) * spline.unit * spline.unit;
      let jump = 0;
      for (const sign of [1, -1]) {
        spline.accelerationWeights(weights, k - 1, 1);
        jump = spline.apply(weights, k - 1, j);
        this.addWeighted(k - 1, j, sign);
        spline.accelerationWeights(weights, k, 0);
        jump -= spline.apply(weights, k, j);
        this.addWeighted(k, j, -sign);
        this.finishRow(allowed - sign * jump);
      }
    }
  }

  /** Adds distance + gradient · change of q + shortfall >= margin. */
  private limitDistance({ piece, s, distance, gradient }: NearPair, margin: number): void {
    const { spline, weights, G, n } = this;
    spline.positionWeights(weights, piece, s);
    for (let j = 0; j < spline.dof; j++) this.addWeighted(piece, j, -gradient[j]);
    G[n * this.rows + n - 1] = -1;
    this.finishRow(distance - margin);
  }
}
