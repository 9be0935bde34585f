/**
 * Rounding of a point of A ⊖ B and of what is summed from it, relative to the largest coordinate that takes part. What lies nearer to
 * contact than this cannot be told apart from contact; larger calls slits closed, smaller lets rounding decide.
 */
export const roundoff = 4e-15;

/**
 * Relative to the same coordinates: bodies that a cached plane separates by more than this are separated for a cold start, too, whatever
 * its rounding (it needs 4 · `roundoff`). Pairs within the band are checked from a cold start, so that a verdict depends on the poses alone.
 */
export const contactUncertainty = 64 * roundoff;

/** Iterations after which a solver stops with the bounds it has; a hundred are rare, on bodies a hundred times longer than wide. */
export const iterationLimit = 256;
