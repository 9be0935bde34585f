/** Limit of refinement steps. A flat tetrahedron gains fewer digits per step: six if its flatness is a millionth. */
const MAX_STEPS = 4;
/** Residual, relative to the largest vertex coordinate, that counts as converged: the rounding of the sum itself. */
const CONVERGED_RESIDUAL = 8 * Number.EPSILON;
/** Largest relative residual of valid coordinates: beyond it, points outside a flat tetrahedron would seem inside. */
const MAX_RESIDUAL = 1e-12;

/**
 * Output of `computeResidual`, input of `refinementStep`. Scratch of the functions below, which call only each other.
 */
const residual = new Float64Array(3);

/**
 * Refines the barycentric coordinates λ of the origin in a tetrahedron, Σ λᵢ wᵢ = 0 and Σ λᵢ = 1, to rounding, by
 * iterative refinement: each step solves for the residual of the current coordinates. `w` holds four vertices (x, y, z
 * each). Cramer's rule alone loses as many digits as the tetrahedron is flat, and with them the signs. Returns false if
 * a coordinate is not positive in the end, or if the residual stays too large: the origin is not inside.
 */
export function refineBarycentric(lambda: Float64Array, w: Float64Array): boolean {
  let size = 0;
  for (let i = 0; i < 12; i++) size = Math.max(size, Math.abs(w[i]));
  computeResidual(lambda, w);
  let error = Math.max(Math.abs(residual[0]), Math.abs(residual[1]), Math.abs(residual[2]));
  for (let step = 0; step < MAX_STEPS && error > CONVERGED_RESIDUAL * size; step++) {
    refinementStep(lambda, w);
    computeResidual(lambda, w);
    const nextError = Math.max(Math.abs(residual[0]), Math.abs(residual[1]), Math.abs(residual[2]));
    if (!(nextError < error)) break;
    error = nextError;
  }
  return error <= MAX_RESIDUAL * size && lambda[0] > 0 && lambda[1] > 0 && lambda[2] > 0 && lambda[3] > 0;
}

/** residual ← Σ λᵢ wᵢ */
function computeResidual(lambda: Float64Array, w: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    residual[k] = lambda[0] * w[k] + lambda[1] * w[3 + k] + lambda[2] * w[6 + k] + lambda[3] * w[9 + k];
  }
}

/** Solves a δᵢ + b δⱼ + c δₖ = −residual by Cramer's rule, a, b, c the edges from the base vertex, and adds δ to λ. */
function refinementStep(lambda: Float64Array, w: Float64Array): void {
  const base = baseVertex(w);
  const i = (base + 1) % 4,
    j = (base + 2) % 4,
    k = (base + 3) % 4;
  const x = w[3 * base],
    y = w[3 * base + 1],
    z = w[3 * base + 2];
  const ax = w[3 * i] - x,
    ay = w[3 * i + 1] - y,
    az = w[3 * i + 2] - z;
  const bx = w[3 * j] - x,
    by = w[3 * j + 1] - y,
    bz = w[3 * j + 2] - z;
  const cx = w[3 * k] - x,
    cy = w[3 * k + 1] - y,
    cz = w[3 * k + 2] - z;
  // b × c, c × a, a × b
  const iX = by * cz - bz * cy,
    iY = bz * cx - bx * cz,
    iZ = bx * cy - by * cx;
  const jX = cy * az - cz * ay,
    jY = cz * ax - cx * az,
    jZ = cx * ay - cy * ax;
  const kX = ay * bz - az * by,
    kY = az * bx - ax * bz,
    kZ = ax * by - ay * bx;
  const volume = ax * iX + ay * iY + az * iZ;
  lambda[i] -= (residual[0] * iX + residual[1] * iY + residual[2] * iZ) / volume;
  lambda[j] -= (residual[0] * jX + residual[1] * jY + residual[2] * jZ) / volume;
  lambda[k] -= (residual[0] * kX + residual[1] * kY + residual[2] * kZ) / volume;
  lambda[base] = 1 - lambda[i] - lambda[j] - lambda[k];
}

/** Returns the vertex with the smallest sum of squared edges: if three vertices are close together, one of them. */
function baseVertex(w: Float64Array): number {
  let best = 0;
  let minSum = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 12; i += 3) {
    let sum = 0;
    for (let j = 0; j < 12; j++) {
      const d = w[j] - w[i + (j % 3)];
      sum += d * d;
    }
    if (!(sum < minSum)) continue;
    minSum = sum;
    best = i / 3;
  }
  return best;
}
