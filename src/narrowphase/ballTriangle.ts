import type { ConvexShape } from '../shapes/shape.ts';

/** Numbers a corner of a portal has: u, v, t; then the points of A and of B that it is the difference of, each about its centre in its own frame. */
export const STRIDE = 9;
export const POINT_A = 3;
export const POINT_B = 6;
export const SIN_60 = 0.8660254037844386;
/** Corners u, v of an equilateral triangle about the ray. */
const TRIANGLE = Float64Array.of(1, 0, -0.5, SIN_60, -0.5, -SIN_60);

/** The first portal: an equilateral triangle across the ray, its corners on the balls about the centres of A and B; axes as of `fillAxes`. */
export function setBallTriangle(
  corners: Float64Array,
  axesA: Float64Array,
  axesB: Float64Array,
  a: ConvexShape,
  b: ConvexShape,
): void {
  for (let k = 0; k < 3; k++) {
    const u = TRIANGLE[2 * k];
    const v = TRIANGLE[2 * k + 1];
    const at = k * STRIDE;
    for (let i = 0; i < 3; i++) {
      corners[at + POINT_A + i] = a.innerRadius * (u * axesA[i] + v * axesA[3 + i]);
      corners[at + POINT_B + i] = -b.innerRadius * (u * axesB[i] + v * axesB[3 + i]);
    }
    corners[at] = (a.innerRadius + b.innerRadius) * u;
    corners[at + 1] = (a.innerRadius + b.innerRadius) * v;
    corners[at + 2] = 0;
  }
}
