import { solveCholesky } from '../math/cholesky.ts';

/** Robots with more planned joints solve the 6 × 6 system J Jᵀ + μ I instead of Jᵀ J + μ I: linear work per step. */
const MOST_JOINTS_OF_NORMAL = 32;

/** Damped normal equations (Jᵀ J + μ I) Δq = Jᵀ e of a 6 × dof Jacobian J [Madsen04 §3.2]. One per thread. */
export class NormalEquations {
  /** Δq of the last `solve`; 0 if the matrix was singular. */
  readonly step: Float64Array;
  /** Order of the linear system: the planned joints, or 6 for robots with many. */
  private readonly order: number;
  private readonly matrix: Float64Array;
  private readonly factor: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly gradient: Float64Array;
  private readonly error = new Float64Array(6);
  /** Solution of the 6 × 6 system. */
  private readonly dual = new Float64Array(6);

  constructor(private readonly dof: number) {
    this.order = dof > MOST_JOINTS_OF_NORMAL ? 6 : dof;
    this.matrix = new Float64Array(this.order * this.order);
    this.factor = new Float64Array(this.order * this.order);
    this.jacobian = new Float64Array(6 * dof);
    this.gradient = new Float64Array(dof);
    this.step = new Float64Array(dof);
  }

  /**
   * Sets J (row by row), Jᵀ e and e, which are copied.
   * @returns the largest diagonal entry of Jᵀ J
   */
  set(jacobian: Float64Array, gradient: Float64Array, error: Float64Array): number {
    this.jacobian.set(jacobian);
    this.gradient.set(gradient);
    this.error.set(error);
    return this.order === this.dof ? this.setPrimal() : this.setDual();
  }

  /** Computes Jᵀ J; returns its largest diagonal entry. */
  private setPrimal(): number {
    const { matrix, dof, jacobian: J } = this;
    let largest = 0;
    for (let j = 0; j < dof; j++) {
      for (let k = 0; k <= j; k++) {
        let sum = 0;
        for (let row = 0; row < 6; row++) sum += J[row * dof + j] * J[row * dof + k];
        matrix[dof * j + k] = sum;
      }
      largest = Math.max(largest, matrix[dof * j + j]);
    }
    return largest;
  }

  /** Computes J Jᵀ; returns the largest diagonal entry of Jᵀ J. */
  private setDual(): number {
    const { matrix, dof, jacobian: J } = this;
    for (let row = 0; row < 6; row++) {
      for (let other = 0; other <= row; other++) {
        let sum = 0;
        for (let j = 0; j < dof; j++) sum += J[row * dof + j] * J[other * dof + j];
        matrix[6 * row + other] = sum;
      }
    }
    let largest = 0;
    for (let j = 0; j < dof; j++) {
      let sum = 0;
      for (let row = 0; row < 6; row++) sum += J[row * dof + j] * J[row * dof + j];
      largest = Math.max(largest, sum);
    }
    return largest;
  }

  /** Solves for `step`; for robots with many joints as Δq = Jᵀ (J Jᵀ + μ I)⁻¹ e, which is the same. */
  solve(damping: number): void {
    const { factor, matrix, step, gradient, dof, order, jacobian: J, dual } = this;
    factor.set(matrix);
    for (let j = 0; j < order; j++) factor[(order + 1) * j] += damping;
    if (order === dof) {
      step.set(gradient);
      if (!solveCholesky(factor, step, dof)) step.fill(0);
      return;
    }
    dual.set(this.error);
    if (!solveCholesky(factor, dual, order)) dual.fill(0);
    for (let j = 0; j < dof; j++) {
      let sum = 0;
      for (let row = 0; row < 6; row++) sum += J[row * dof + j] * dual[row];
      step[j] = sum;
    }
  }
}
