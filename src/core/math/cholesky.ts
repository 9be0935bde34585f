/**
 * Solves A x = b for a symmetric positive definite A (n × n, row by row); x overwrites b, the lower factor overwrites
 * A. Returns false if A is not numerically positive definite; A and b are then undefined.
 */
export function solveCholesky(A: Float64Array, b: Float64Array, n: number): boolean {
  // A = L Lᵀ
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A[n * i + j];
      for (let k = 0; k < j; k++) sum -= A[n * i + k] * A[n * j + k];
      if (i !== j) A[n * i + j] = sum / A[n * j + j];
      else if (sum > 0) A[n * i + i] = Math.sqrt(sum);
      else return false;
    }
  }
  // L y = b, Lᵀ x = y
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) b[i] -= A[n * i + k] * b[k];
    b[i] /= A[n * i + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= A[n * k + i] * b[k];
    b[i] /= A[n * i + i];
  }
  return true;
}
