/** Diagonals of a symmetric matrix, from the main one on: `bands[k][i]` is in row i and column i + k. */
export type Bands = readonly Float64Array[];

/** Factorizes a positive definite matrix into L D Lᵀ, in place: the rows of D Lᵀ. */
export function factorize(bands: Bands): void {
  const [main] = bands;
  for (let i = 0; i < main.length; i++)
    for (let r = 1; r < bands.length && i + r < main.length; r++) {
      const factor = bands[r][i] / main[i];
      for (let k = r; k < bands.length && i + k < main.length; k++) bands[k - r][i + r] -= factor * bands[k][i];
    }
}

/** Solves for the right side x, in place. */
export function solveFactorized(bands: Bands, x: Float64Array): void {
  const [main] = bands;
  for (let i = 0; i < x.length; i++)
    for (let r = 1; r < bands.length && i + r < x.length; r++) x[i + r] -= (bands[r][i] / main[i]) * x[i];
  for (let i = x.length - 1; i >= 0; i--) {
    for (let r = 1; r < bands.length && i + r < x.length; r++) x[i] -= bands[r][i] * x[i + r];
    x[i] /= main[i];
  }
}
