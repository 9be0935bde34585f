import type { PlanarTransform } from '../../src/core/math/planar.ts';

/** T_a_c = T_a_b · T_b_c */
export function composePlanar(T_a_c: PlanarTransform, T_a_b: PlanarTransform, T_b_c: PlanarTransform): void {
  const c = T_a_b[0],
    s = T_a_b[1],
    x = T_a_b[2],
    y = T_a_b[3];
  const cosine = T_b_c[0],
    sine = T_b_c[1],
    bx = T_b_c[2],
    by = T_b_c[3];
  T_a_c[0] = c * cosine - s * sine;
  T_a_c[1] = s * cosine + c * sine;
  T_a_c[2] = c * bx - s * by + x;
  T_a_c[3] = s * bx + c * by + y;
}
