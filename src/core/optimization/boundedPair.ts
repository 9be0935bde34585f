/**
 * Relative to p₀p₂, a smaller determinant is rounding: the cost is flat along a line, which meets the boundary of the
 * box.
 */
const FLAT = 1e-14;

/** Solution of a program of two bounded variables. */
export interface BoundedPair {
  /** Minimizer. */
  readonly x: Float64Array;
  /** Multipliers of x₀ <= 1, x₁ <= 1, −x₀ <= 0, −x₁ <= 0. */
  readonly z: Float64Array;
}

export const createBoundedPair = (): BoundedPair => ({ x: new Float64Array(2), z: new Float64Array(4) });

/**
 * Minimises ½ (p₀ x₀² + 2 p₁ x₀x₁ + p₂ x₁²) + c₀ x₀ + c₁ x₁ with 0 <= x₀, x₁ <= 1, P positive semidefinite: the
 * active-set method for two bounded variables [Tracy22 App. A, algorithms 4 and 5]. The minimum is in the interior, on
 * a side or at a vertex of the box: of nine candidates the feasible one of least cost. The candidate of a side, clamped
 * to the box, covers its vertices, so that five candidates are evaluated. If the cost is flat along a line, one of its
 * minimizers is found. Does not allocate.
 */
export function solveBoundedPair(out: BoundedPair, p0: number, p1: number, p2: number, c0: number, c1: number): void {
  const { x, z } = out;
  let best = Number.POSITIVE_INFINITY;
  const determinant = p0 * p2 - p1 * p1;
  if (determinant > FLAT * p0 * p2) {
    const interior0 = (p1 * c1 - p2 * c0) / determinant;
    const interior1 = (p1 * c0 - p0 * c1) / determinant;
    if (interior0 >= 0 && interior0 <= 1 && interior1 >= 0 && interior1 <= 1) {
      x[0] = interior0;
      x[1] = interior1;
      best = (c0 * interior0 + c1 * interior1) / 2; // ½ xᵀP x = −½ cᵀx there
    }
  }
  for (let side = 0; side < 4; side++) {
    const bound = side & 1;
    const free = side < 2 ? minimizer(p2, c1 + p1 * bound) : minimizer(p0, c0 + p1 * bound);
    const x0 = side < 2 ? bound : free;
    const x1 = side < 2 ? free : bound;
    const cost = x0 * (p0 * x0 + 2 * p1 * x1) * 0.5 + 0.5 * p2 * x1 * x1 + c0 * x0 + c1 * x1;
    if (!(cost < best)) continue;
    best = cost;
    x[0] = x0;
    x[1] = x1;
  }
  // The multipliers of the active bounds balance the gradient.
  const g0 = p0 * x[0] + p1 * x[1] + c0;
  const g1 = p1 * x[0] + p2 * x[1] + c1;
  z[0] = x[0] === 1 ? Math.max(0, -g0) : 0;
  z[1] = x[1] === 1 ? Math.max(0, -g1) : 0;
  z[2] = x[0] === 0 ? Math.max(0, g0) : 0;
  z[3] = x[1] === 0 ? Math.max(0, g1) : 0;
}

/** Minimises ½ p x² + c x with 0 <= x <= 1. */
function minimizer(p: number, c: number): number {
  if (p > 0) return Math.min(1, Math.max(0, -c / p));
  return c < 0 ? 1 : 0;
}
