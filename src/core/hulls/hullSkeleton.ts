/** Vertices as indices of points; edges as pairs of such indices in a flat list. */
export interface Skeleton {
  readonly vertices: Int32Array;
  readonly edges: Int32Array;
  readonly volume: number;
}

/**
 * Relative to the size: vertices closer together are merged; vertices closer to the line through their neighbors are
 * removed.
 */
export const COINCIDENT = 1e-13;

/** Computes the coordinate of point i along d. */
export function along(points: Float64Array, i: number, d: Float64Array): number {
  return points[3 * i] * d[0] + points[3 * i + 1] * d[1] + points[3 * i + 2] * d[2];
}
