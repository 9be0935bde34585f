/** Corners as indices of points, edges as pairs of such indices, one after the other. */
export interface Skeleton {
  readonly corners: Int32Array;
  readonly edges: Int32Array;
  readonly volume: number;
}

/** Corners nearer to each other, or to the line through their neighbours, relative to the size, are one corner, or none. */
export const COINCIDENT = 1e-13;

/** How far point i of the points reaches along d. */
export function along(points: Float64Array, i: number, d: Float64Array): number {
  return points[3 * i] * d[0] + points[3 * i + 1] * d[1] + points[3 * i + 2] * d[2];
}
