/**
 * Rounding error of a point of A ⊖ B, and of sums over such points, relative to the largest coordinate involved.
 * Distances below it cannot be distinguished from contact. A larger value closes narrow gaps; with a smaller one
 * rounding decides.
 */
export const roundoff = 4e-15;

/**
 * Relative to the same coordinates: shapes that a cached plane separates by more than this are also separated by a cold
 * start, whatever its rounding (it needs 4 · `roundoff`). Pairs within this band are checked from a cold start, so that
 * a verdict depends on the poses alone.
 */
export const contactUncertainty = 64 * roundoff;

/**
 * Iterations after which a solver stops with its current bounds. More than a hundred are rare, on shapes a hundred
 * times longer than wide.
 */
export const iterationLimit = 256;
