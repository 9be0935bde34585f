import { sinCos } from './trigonometry.ts';

/** Point or direction in the plane. */
export type Vec2 = Float64Array;

/**
 * Planar rigid transform: cos φ, sin φ, x, y. `T_world_body` maps body coordinates to world coordinates:
 * p_world = (cos φ · p_x − sin φ · p_y + x, sin φ · p_x + cos φ · p_y + y). Outputs may alias inputs.
 */
export type PlanarTransform = Float64Array;

export function createPlanarTransform(x = 0, y = 0, angle = 0): PlanarTransform {
  const out = new Float64Array(4);
  setPlanarPose(out, x, y, angle);
  return out;
}

/** Creates the transform of a pose: x, y in metres, angle in radians. */
function setPlanarPose(out: PlanarTransform, x: number, y: number, angle: number): void {
  sinCos(out, angle); // writes sine, cosine
  const sine = out[0];
  out[0] = out[1];
  out[1] = sine;
  out[2] = x;
  out[3] = y;
}

/**
 * T_b_c = T_a_b⁻¹ · T_a_c: translations are subtracted first, which avoids cancellation far from the origin; equal
 * rotations cancel exactly, so that shapes given in one frame touch exactly if their coordinates do.
 */
export function relativePlanar(T_b_c: PlanarTransform, T_a_b: PlanarTransform, T_a_c: PlanarTransform): void {
  const c = T_a_b[0],
    s = T_a_b[1];
  const cosine = T_a_c[0],
    sine = T_a_c[1];
  const x = T_a_c[2] - T_a_b[2],
    y = T_a_c[3] - T_a_b[3];
  const equal = c === cosine && s === sine;
  T_b_c[0] = equal ? 1 : c * cosine + s * sine;
  T_b_c[1] = equal ? 0 : c * sine - s * cosine;
  T_b_c[2] = c * x + s * y;
  T_b_c[3] = c * y - s * x;
}

/** p_a = T_a_b · p_b */
export function transformPlanarPoint(p_a: Float64Array, T_a_b: PlanarTransform, p_b: Float64Array): void {
  const x = p_b[0],
    y = p_b[1];
  p_a[0] = T_a_b[0] * x - T_a_b[1] * y + T_a_b[2];
  p_a[1] = T_a_b[1] * x + T_a_b[0] * y + T_a_b[3];
}

/** Rotates a direction: d_a = R_a_b · d_b */
export function rotatePlanar(d_a: Float64Array, T_a_b: PlanarTransform, d_b: Float64Array): void {
  const x = d_b[0],
    y = d_b[1];
  d_a[0] = T_a_b[0] * x - T_a_b[1] * y;
  d_a[1] = T_a_b[1] * x + T_a_b[0] * y;
}
