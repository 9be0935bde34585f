/**
 * Computes the cubic spline with continuous second derivative that is at rest, with zero acceleration, at both ends.
 * These are two more conditions than a spline through all points can satisfy: the second point and the last but one are
 * moved. `positions` is changed accordingly; returns the velocities at the times.
 * @param times increasing, at least 5
 * @param positions one array of values per time
 */
export function restSpline(times: Float64Array, positions: readonly Float64Array[]): Float64Array[] {
  const n = times.length - 1;
  const dof = positions[0].length;
  const h = Float64Array.from({ length: n }, (_, k) => times[k + 1] - times[k]);
  const velocities = positions.map(() => new Float64Array(dof));
  for (let j = 0; j < dof; j++) {
    const q = Float64Array.from(positions, (row) => row[j]);
    const M = moments(q, h);
    // Rest at the ends: q₁ = q₀ + h₀² M₁ / 6, likewise at the end.
    q[1] = q[0] + (h[0] * h[0] * M[1]) / 6;
    q[n - 1] = q[n] + (h[n - 1] * h[n - 1] * M[n - 1]) / 6;
    positions[1][j] = q[1];
    positions[n - 1][j] = q[n - 1];
    for (let k = 1; k < n; k++) velocities[k][j] = (q[k + 1] - q[k]) / h[k] - (h[k] * (2 * M[k] + M[k + 1])) / 6;
  }
  return velocities;
}

/** Solves the tridiagonal system for the second derivatives at the times; those at the ends are 0. */
function moments(q: Float64Array, h: Float64Array): Float64Array {
  const n = h.length;
  const below = new Float64Array(n + 1);
  const diagonal = new Float64Array(n + 1);
  const above = new Float64Array(n + 1);
  const right = new Float64Array(n + 1);
  for (let k = 1; k < n; k++) {
    below[k] = h[k - 1];
    diagonal[k] = 2 * (h[k - 1] + h[k]);
    above[k] = h[k];
    right[k] = 6 * ((q[k + 1] - q[k]) / h[k] - (q[k] - q[k - 1]) / h[k - 1]);
  }
  // Rows with the points that are moved: q₁ and qₙ₋₁ are replaced by the conditions of rest.
  diagonal[1] += h[0] + (h[0] * h[0]) / h[1];
  right[1] = (6 * (q[2] - q[0])) / h[1];
  below[2] -= (h[0] * h[0]) / h[1];
  right[2] = 6 * ((q[3] - q[2]) / h[2] - (q[2] - q[0]) / h[1]);
  diagonal[n - 1] += h[n - 1] + (h[n - 1] * h[n - 1]) / h[n - 2];
  right[n - 1] = (6 * (q[n - 2] - q[n])) / h[n - 2];
  above[n - 2] -= (h[n - 1] * h[n - 1]) / h[n - 2];
  right[n - 2] = 6 * ((q[n] - q[n - 2]) / h[n - 2] - (q[n - 2] - q[n - 3]) / h[n - 3]);
  const M = new Float64Array(n + 1);
  for (let k = 2; k < n; k++) {
    const factor = below[k] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    right[k] -= factor * right[k - 1];
  }
  for (let k = n - 1; k >= 1; k--) M[k] = (right[k] - above[k] * M[k + 1]) / diagonal[k];
  return M;
}
