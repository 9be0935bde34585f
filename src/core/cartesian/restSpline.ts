/**
 * Computes the cubic spline with continuous second derivative that is at rest, with zero acceleration, at both ends.
 * These are two more conditions than a spline through all points can satisfy: the second point and the last but one are
 * moved. `positions` is changed accordingly; returns the velocities at the times.
 * @param times increasing, at least 5
 * @param positions one row of `dof` values per time
 */
export function restSpline(times: Float64Array, positions: Float64Array, dof: number): Float64Array {
  const n = times.length - 1;
  const h = Float64Array.from({ length: n }, (_, k) => times[k + 1] - times[k]);
  const velocities = new Float64Array(positions.length);
  const system = new Moments(h);
  const q = new Float64Array(n + 1);
  for (let j = 0; j < dof; j++) {
    for (let k = 0; k <= n; k++) q[k] = positions[k * dof + j];
    const M = system.of(q);
    // Rest at the ends: q₁ = q₀ + h₀² M₁ / 6, likewise at the end.
    q[1] = q[0] + (h[0] * h[0] * M[1]) / 6;
    q[n - 1] = q[n] + (h[n - 1] * h[n - 1] * M[n - 1]) / 6;
    positions[dof + j] = q[1];
    positions[(n - 1) * dof + j] = q[n - 1];
    for (let k = 1; k < n; k++) velocities[k * dof + j] = (q[k + 1] - q[k]) / h[k] - (h[k] * (2 * M[k] + M[k + 1])) / 6;
  }
  return velocities;
}

/** The tridiagonal system for the second derivatives at the times; those at the ends are 0. */
class Moments {
  private readonly diagonal: Float64Array;
  private readonly above: Float64Array;
  /** Factors of the elimination of each row. */
  private readonly factor: Float64Array;
  private readonly M: Float64Array;

  constructor(private readonly h: Float64Array) {
    const n = h.length;
    const row = () => new Float64Array(n + 1);
    const [below, diagonal, above, factor] = [row(), row(), row(), row()];
    for (let k = 1; k < n; k++) {
      below[k] = h[k - 1];
      diagonal[k] = 2 * (h[k - 1] + h[k]);
      above[k] = h[k];
    }
    // Rows with the points that are moved: q₁ and qₙ₋₁ are replaced by the conditions of rest.
    diagonal[1] += h[0] + (h[0] * h[0]) / h[1];
    below[2] -= (h[0] * h[0]) / h[1];
    diagonal[n - 1] += h[n - 1] + (h[n - 1] * h[n - 1]) / h[n - 2];
    above[n - 2] -= (h[n - 1] * h[n - 1]) / h[n - 2];
    for (let k = 2; k < n; k++) {
      factor[k] = below[k] / diagonal[k - 1];
      diagonal[k] -= factor[k] * above[k - 1];
    }
    this.diagonal = diagonal;
    this.above = above;
    this.factor = factor;
    this.M = row();
  }

  /** Returns the second derivatives for values at the times: a row that the next call overwrites. */
  of(q: Float64Array): Float64Array {
    const { h, diagonal, above, factor, M } = this;
    const n = h.length;
    for (let k = 1; k < n; k++) M[k] = 6 * ((q[k + 1] - q[k]) / h[k] - (q[k] - q[k - 1]) / h[k - 1]);
    M[1] = (6 * (q[2] - q[0])) / h[1];
    M[2] = 6 * ((q[3] - q[2]) / h[2] - (q[2] - q[0]) / h[1]);
    M[n - 1] = (6 * (q[n - 2] - q[n])) / h[n - 2];
    M[n - 2] = 6 * ((q[n] - q[n - 2]) / h[n - 2] - (q[n - 2] - q[n - 3]) / h[n - 3]);
    for (let k = 2; k < n; k++) M[k] -= factor[k] * M[k - 1];
    M[n] = 0;
    for (let k = n - 1; k >= 1; k--) M[k] = (M[k] - above[k] * M[k + 1]) / diagonal[k];
    return M;
  }
}
