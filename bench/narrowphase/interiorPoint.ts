const VARIABLES = 6;
const STRIDE = VARIABLES + 1;
/** Fraction of the step to the boundary of the feasible set that is taken. */
const STAY_INSIDE = 0.995;
/** Weight of ‖z‖², which makes the matrix of ‖x − y‖² regular; far below the required gap. */
const REGULAR = 1e-12;

/**
 * Minimises ‖x − y‖² over z = (x, y) in R⁶ with G z <= h by Mehrotra's predictor-corrector method: a generic quadratic
 * programming solver applied to two hulls. Each iteration passes over all facets several times, which is why it is a
 * baseline only.
 */
export class InteriorPoint {
  iterations = 0;
  private readonly count: number;
  private readonly slack: Float64Array;
  private readonly dual: Float64Array;
  private readonly slackStep: Float64Array;
  private readonly dualStep: Float64Array;
  private readonly right: Float64Array;
  private readonly z = new Float64Array(VARIABLES);
  private readonly step = new Float64Array(VARIABLES);
  private readonly matrix = new Float64Array(VARIABLES * VARIABLES);

  /** @param rows G and h, seven numbers per row */
  constructor(private readonly rows: Float64Array) {
    this.count = rows.length / STRIDE;
    this.slack = new Float64Array(this.count);
    this.dual = new Float64Array(this.count);
    this.slackStep = new Float64Array(this.count);
    this.dualStep = new Float64Array(this.count);
    this.right = new Float64Array(this.count);
  }

  /** Returns the distance when the complementarity per row is below the gap (m²). */
  solve(gap: number): number {
    const { z, slack, dual, count } = this;
    z.fill(0);
    for (let i = 0; i < count; i++) {
      slack[i] = Math.max(0.1, this.rows[STRIDE * i + VARIABLES] - this.along(i, z));
      dual[i] = 0.1;
    }
    for (this.iterations = 1; this.iterations < 60; this.iterations++) {
      const mean = this.complementarity(0);
      const infeasible = this.infeasibility();
      if (mean * count <= gap && infeasible <= gap) break;
      this.factor();
      // Predictor: affine step to complementarity 0. Corrector: centering and second-order term.
      for (let i = 0; i < count; i++) this.right[i] = slack[i] * dual[i];
      this.direction();
      const reach = Math.min(1, this.reach());
      const left = this.complementarity(reach);
      const aim = mean * (left / mean) ** 3;
      for (let i = 0; i < count; i++) this.right[i] = slack[i] * dual[i] + this.slackStep[i] * this.dualStep[i] - aim;
      this.direction();
      this.advance(Math.min(1, STAY_INSIDE * this.reach()));
    }
    return Math.sqrt((z[0] - z[3]) ** 2 + (z[1] - z[4]) ** 2 + (z[2] - z[5]) ** 2);
  }

  private along(row: number, v: Float64Array): number {
    const o = STRIDE * row;
    const { rows } = this;
    let sum = 0;
    for (let k = 0; k < VARIABLES; k++) sum += rows[o + k] * v[k];
    return sum;
  }

  private complementarity(reach: number): number {
    const { slack, dual, slackStep, dualStep, count } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += (slack[i] + reach * slackStep[i]) * (dual[i] + reach * dualStep[i]);
    return sum / count;
  }

  private infeasibility(): number {
    let max = 0;
    for (let i = 0; i < this.count; i++) {
      max = Math.max(max, Math.abs(this.along(i, this.z) + this.slack[i] - this.rows[STRIDE * i + VARIABLES]));
    }
    return max;
  }

  /** Computes the Cholesky factor of P + Gᵀ (λ / s) G. */
  private factor(): void {
    const { matrix: M, rows, slack, dual, count } = this;
    M.fill(0);
    for (let k = 0; k < VARIABLES; k++) {
      M[VARIABLES * k + k] = 1 + REGULAR;
      M[VARIABLES * k + ((k + 3) % VARIABLES)] = -1;
    }
    for (let i = 0; i < count; i++) {
      const weight = dual[i] / slack[i];
      const o = STRIDE * i;
      for (let r = 0; r < VARIABLES; r++) {
        const scaled = weight * rows[o + r];
        for (let c = 0; c <= r; c++) M[VARIABLES * r + c] += scaled * rows[o + c];
      }
    }
    for (let r = 0; r < VARIABLES; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = M[VARIABLES * r + c];
        for (let k = 0; k < c; k++) sum -= M[VARIABLES * r + k] * M[VARIABLES * c + k];
        M[VARIABLES * r + c] = r === c ? Math.sqrt(sum) : sum / M[VARIABLES * c + c];
      }
    }
  }

  /** Computes the Newton step for the complementarity in `right`. */
  private direction(): void {
    const { matrix: M, rows, slack, dual, slackStep, dualStep, right, step, z, count } = this;
    for (let k = 0; k < VARIABLES; k++) step[k] = z[(k + 3) % VARIABLES] - (1 + REGULAR) * z[k];
    for (let i = 0; i < count; i++) {
      const rest = this.along(i, z) + slack[i] - rows[STRIDE * i + VARIABLES];
      const pull = dual[i] + (dual[i] * rest - right[i]) / slack[i];
      for (let k = 0; k < VARIABLES; k++) step[k] -= pull * rows[STRIDE * i + k];
    }
    for (let r = 0; r < VARIABLES; r++) {
      for (let k = 0; k < r; k++) step[r] -= M[VARIABLES * r + k] * step[k];
      step[r] /= M[VARIABLES * r + r];
    }
    for (let r = VARIABLES - 1; r >= 0; r--) {
      for (let k = r + 1; k < VARIABLES; k++) step[r] -= M[VARIABLES * k + r] * step[k];
      step[r] /= M[VARIABLES * r + r];
    }
    for (let i = 0; i < count; i++) {
      const rest = this.along(i, z) + slack[i] - rows[STRIDE * i + VARIABLES];
      slackStep[i] = -rest - this.along(i, step);
      dualStep[i] = -(right[i] + dual[i] * slackStep[i]) / slack[i];
    }
  }

  /** Returns the longest step that keeps slacks and duals non-negative. */
  private reach(): number {
    const { slack, dual, slackStep, dualStep, count } = this;
    let reach = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (slackStep[i] < 0) reach = Math.min(reach, -slack[i] / slackStep[i]);
      if (dualStep[i] < 0) reach = Math.min(reach, -dual[i] / dualStep[i]);
    }
    return reach;
  }

  private advance(reach: number): void {
    const { slack, dual, slackStep, dualStep, step, z, count } = this;
    for (let k = 0; k < VARIABLES; k++) z[k] += reach * step[k];
    for (let i = 0; i < count; i++) {
      slack[i] += reach * slackStep[i];
      dual[i] += reach * dualStep[i];
    }
  }
}
