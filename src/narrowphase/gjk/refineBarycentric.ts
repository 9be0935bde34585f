/** Steps of refinement: each wins as many digits as the tetrahedron has left, and needles of a millionth keep six. */
const MAX_STEPS = 4;
/** What the corners may add up to, relative to the largest of their coordinates: rounding of the sum itself. */
const CONVERGED_RESIDUAL = 8 * Number.EPSILON;
/** More than this, relative, and the shares are none: a tetrahedron so flat seems to hold what lies beside it. */
const MAX_RESIDUAL = 1e-12;

/** What the corners add up to. Scratch of the functions here, which call nobody. */
const residual = new Float64Array(3);

/**
 * Makes the shares λ of four corners (x, y, z each) in the origin, Σ λᵢ wᵢ = 0 and Σ λᵢ = 1, exact to the last digits: in a flat tetrahedron those
 * of Cramer's rule have lost as many as it is flat, and with them the side of its faces that the origin is on. Each step solves for what the
 * corners add up to by the shares so far. False where the shares end below zero or add up to nothing near the origin: it is not inside.
 */
export function refineBarycentric(shares: Float64Array, w: Float64Array): boolean {
  let size = 0;
  for (let i = 0; i < 12; i++) size = Math.max(size, Math.abs(w[i]));
  computeResidual(shares, w);
  let off = Math.max(Math.abs(residual[0]), Math.abs(residual[1]), Math.abs(residual[2]));
  for (let step = 0; step < MAX_STEPS && off > CONVERGED_RESIDUAL * size; step++) {
    newtonStep(shares, w);
    computeResidual(shares, w);
    const left = Math.max(Math.abs(residual[0]), Math.abs(residual[1]), Math.abs(residual[2]));
    if (!(left < off)) break;
    off = left;
  }
  return off <= MAX_RESIDUAL * size && shares[0] > 0 && shares[1] > 0 && shares[2] > 0 && shares[3] > 0;
}

/** rest = Σ λᵢ wᵢ */
function computeResidual(shares: Float64Array, w: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    residual[k] = shares[0] * w[k] + shares[1] * w[3 + k] + shares[2] * w[6 + k] + shares[3] * w[9 + k];
  }
}

/** One step: Cramer's rule for a δ₁ + b δ₂ + c δ₃ = −rest, with a, b, c the edges from the corner that has the shortest ones. */
function newtonStep(shares: Float64Array, w: Float64Array): void {
  const base = bestBaseVertex(w);
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
  shares[i] -= (residual[0] * iX + residual[1] * iY + residual[2] * iZ) / volume;
  shares[j] -= (residual[0] * jX + residual[1] * jY + residual[2] * jZ) / volume;
  shares[k] -= (residual[0] * kX + residual[1] * kY + residual[2] * kZ) / volume;
  shares[base] = 1 - shares[i] - shares[j] - shares[k];
}

/** Of four corners the one with the shortest edges to the others, by the sum of their squares: where three lie together, one of those. */
function bestBaseVertex(w: Float64Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 12; i += 3) {
    let sum = 0;
    for (let j = 0; j < 12; j++) {
      const d = w[j] - w[i + (j % 3)];
      sum += d * d;
    }
    if (!(sum < least)) continue;
    least = sum;
    best = i / 3;
  }
  return best;
}
