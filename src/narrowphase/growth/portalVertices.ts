import type { ConvexShape } from '../../shapes/shape.ts';

/** Numbers a corner of a portal along a ray has: u, v, t; then the points of A and of B that it is the difference of, each about its centre in its own frame. */
export const STRIDE = 9;
export const POINT_A = 3;
export const POINT_B = 6;
const SIN_60 = 0.8660254037844386;
/** Corners u, v of an equilateral triangle about the ray. */
const TRIANGLE = Float64Array.of(1, 0, -0.5, SIN_60, -0.5, -SIN_60);

/**
 * The first portal: an equilateral triangle across the ray, its corners on the balls about the centres of A and B; axes as of `fillAxes`. `sides` are
 * twice the areas of the triangles that the ray makes with its sides.
 */
export function setInnerTriangle(
  corners: Float64Array,
  sides: Float64Array,
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
    sides[k] = SIN_60 * (a.innerRadius + b.innerRadius) * (a.innerRadius + b.innerRadius);
  }
}

/** Fills u, v, t of the corner at an offset from its points. */
export function updateRayCoordinates(corners: Float64Array, at: number, axesA: Float64Array, axesB: Float64Array): void {
  const a = at + POINT_A;
  const b = at + POINT_B;
  const px = corners[a],
    py = corners[a + 1],
    pz = corners[a + 2];
  const qx = corners[b],
    qy = corners[b + 1],
    qz = corners[b + 2];
  for (let i = 0; i < 3; i++) {
    const j = 3 * i;
    corners[at + i] =
      axesA[j] * px + axesA[j + 1] * py + axesA[j + 2] * pz - (axesB[j] * qx + axesB[j + 1] * qy + axesB[j + 2] * qz);
  }
}

/** Takes the points of corner k (0 to 2) out of a cache, in which three of A stand before three of B. */
export function loadPoints(corners: Float64Array, at: number, stored: Float64Array, k: number): void {
  for (let i = 0; i < 3; i++) {
    corners[at + POINT_A + i] = stored[3 * k + i];
    corners[at + POINT_B + i] = stored[9 + 3 * k + i];
  }
}

/** Leaves them there. */
export function storePoints(corners: Float64Array, at: number, stored: Float64Array, k: number): void {
  for (let i = 0; i < 3; i++) {
    stored[3 * k + i] = corners[at + POINT_A + i];
    stored[9 + 3 * k + i] = corners[at + POINT_B + i];
  }
}
