import { factorize, type QpData, solveLower, solveUpper } from './qpData.ts';

/** A pivot this small, relative to the data, means zero curvature or linearly dependent rows. */
const MIN_PIVOT = 1e-10;
/** Regularisation added in that case, so that derivatives of degenerate programs are finite. */
const RIDGE = 1e-8;

/**
 * The linear system of the active constraints of a program,
 *
 *     P d + G_Aᵀ u = f,   G_A d = g,
 *
 * solved through K = P + G_AᵀG_A = L Lᵀ and S = G_A K⁻¹ G_Aᵀ: S u = G_A K⁻¹ (f + G_Aᵀ g) − g,  K d = f + G_Aᵀ(g − u).
 * Unlike P + Gᵀ(z/s)G its entries stay of the size of the data, so that no digits are lost when the ratio of
 * multipliers and slacks grows.
 */
export class QpActiveSystem {
  /** Rows of the active constraints, and their number. */
  readonly rows: Int32Array;
  count = 0;
  /** True if solution and multipliers are unique. */
  isRegular = false;
  private readonly K: Float64Array;
  private readonly S: Float64Array;
  /** (L⁻¹ G_Aᵀ)ᵀ, one row per active constraint. */
  private readonly Y: readonly Float64Array[];
  private readonly right: Float64Array;
  /** Row starts of S: 0. */
  private readonly full: Int32Array;

  constructor(variables: number, constraints: number) {
    const capacity = Math.min(variables, constraints);
    this.rows = new Int32Array(capacity);
    this.K = new Float64Array(variables * variables);
    this.S = new Float64Array(capacity * capacity);
    this.Y = Array.from({ length: capacity }, () => new Float64Array(variables));
    this.right = new Float64Array(variables);
    this.full = new Int32Array(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds an active constraint; returns false if there are already as many as variables. */
  add(row: number): boolean {
    if (this.count === this.rows.length) return false;
    this.rows[this.count++] = row;
    return true;
  }

  factorize(data: QpData): void {
    const { K, Y, rows, count } = this;
    const { n } = data;
    this.isRegular = this.factorizeCurvature(data, 0);
    if (!this.isRegular) this.factorizeCurvature(data, RIDGE);
    for (let k = 0; k < count; k++) {
      const row = Y[k];
      row.fill(0, 0, n);
      data.addRow(row, rows[k], 1);
      solveLower(K, row, n, data.first);
    }
    if (this.factorizeSchur(n, 0)) return;
    this.isRegular = false;
    this.factorizeSchur(n, RIDGE);
  }

  private factorizeCurvature(data: QpData, ridge: number): boolean {
    const { K, rows, count } = this;
    data.copyP(K, ridge);
    for (let k = 0; k < count; k++) data.addOuter(K, rows[k], 1);
    return factorize(K, data.n, data.first, ridge > 0 ? 0 : MIN_PIVOT);
  }

  private factorizeSchur(n: number, ridge: number): boolean {
    const { S, Y, count } = this;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? ridge : 0;
        for (let k = 0; k < n; k++) sum += Y[i][k] * Y[j][k];
        S[count * i + j] = sum;
      }
    }
    return factorize(S, count, this.full, ridge > 0 ? 0 : MIN_PIVOT);
  }

  /** Solves in place: f is overwritten by d, and the entries of `g` at the active rows by u. */
  solve(data: QpData, f: Float64Array, g: Float64Array): void {
    const { K, S, Y, rows, right, full, count } = this;
    const { n } = data;
    for (let k = 0; k < count; k++) data.addRow(f, rows[k], g[rows[k]]);
    solveLower(K, f, n, data.first);
    for (let k = 0; k < count; k++) {
      let sum = -g[rows[k]];
      for (let j = 0; j < n; j++) sum += Y[k][j] * f[j];
      right[k] = sum;
    }
    solveLower(S, right, count, full);
    solveUpper(S, right, count, full);
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < n; j++) f[j] -= Y[k][j] * right[k];
      g[rows[k]] = right[k];
    }
    solveUpper(K, f, n, data.first);
  }
}
