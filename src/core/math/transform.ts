import { create as createVec3, type Vec3 } from './vec3.ts';

/**
 * Rigid transform: the upper three rows of a homogeneous matrix, row-major: r00 r01 r02 tx  r10 r11 r12 ty  r20 r21 r22
 * tz. `T_world_link` maps link coordinates to world coordinates: p_world = T_world_link · p_link. Outputs may alias
 * inputs.
 */
export type Transform = Float64Array;

export const TRANSFORM_SIZE = 12;

export function create(): Transform {
  const T = new Float64Array(TRANSFORM_SIZE); // Float64Array.of takes longer
  T[0] = 1;
  T[5] = 1;
  T[10] = 1;
  return T;
}

/** True if the transform is exactly the identity. */
export function isIdentity(T: Transform): boolean {
  for (let i = 0; i < TRANSFORM_SIZE; i++) if (T[i] !== (i % 5 === 0 ? 1 : 0)) return false;
  return true;
}

export function copy(out: Transform, T: Transform): void {
  for (let i = 0; i < TRANSFORM_SIZE; i++) out[i] = T[i];
}

/** T_a_c = T_a_b · T_b_c */
export function compose(T_a_c: Transform, T_a_b: Transform, T_b_c: Transform): void {
  const b0 = T_b_c[0],
    b1 = T_b_c[1],
    b2 = T_b_c[2],
    b3 = T_b_c[3];
  const b4 = T_b_c[4],
    b5 = T_b_c[5],
    b6 = T_b_c[6],
    b7 = T_b_c[7];
  const b8 = T_b_c[8],
    b9 = T_b_c[9],
    b10 = T_b_c[10],
    b11 = T_b_c[11];
  for (let row = 0; row < TRANSFORM_SIZE; row += 4) {
    const x = T_a_b[row],
      y = T_a_b[row + 1],
      z = T_a_b[row + 2],
      t = T_a_b[row + 3];
    T_a_c[row] = x * b0 + y * b4 + z * b8;
    T_a_c[row + 1] = x * b1 + y * b5 + z * b9;
    T_a_c[row + 2] = x * b2 + y * b6 + z * b10;
    T_a_c[row + 3] = x * b3 + y * b7 + z * b11 + t;
  }
}

/** Returns a new transform T_a_b · T_b_c. */
export function composed(T_a_b: Transform, T_b_c: Transform): Transform {
  const T_a_c = create();
  compose(T_a_c, T_a_b, T_b_c);
  return T_a_c;
}

/** Returns a new transform T_a_b⁻¹. */
export function inverted(T_a_b: Transform): Transform {
  const T_b_a = create();
  invert(T_b_a, T_a_b);
  return T_b_a;
}

/** Returns the origin of b in a, a new vector. */
export const originOf = (T_a_b: Transform): Vec3 => createVec3(T_a_b[3], T_a_b[7], T_a_b[11]);

/** Returns a new point T_a_b · p_b. */
export function transformedPoint(T_a_b: Transform, p_b: Vec3): Vec3 {
  const p_a = createVec3();
  transformPoint(p_a, T_a_b, p_b);
  return p_a;
}

/** Returns a new direction R_a_b · d_b. */
export function rotated(T_a_b: Transform, d_b: Vec3): Vec3 {
  const d_a = createVec3();
  rotate(d_a, T_a_b, d_b);
  return d_a;
}

/** T_b_c = T_a_b⁻¹ · T_a_c: translations are subtracted first, which avoids cancellation far from the origin. */
export function relative(T_b_c: Transform, T_a_b: Transform, T_a_c: Transform): void {
  const x = T_a_c[3] - T_a_b[3],
    y = T_a_c[7] - T_a_b[7],
    z = T_a_c[11] - T_a_b[11];
  const c0 = T_a_c[0],
    c1 = T_a_c[1],
    c2 = T_a_c[2];
  const c4 = T_a_c[4],
    c5 = T_a_c[5],
    c6 = T_a_c[6];
  const c8 = T_a_c[8],
    c9 = T_a_c[9],
    c10 = T_a_c[10];
  const b0 = T_a_b[0],
    b1 = T_a_b[1],
    b2 = T_a_b[2];
  const b4 = T_a_b[4],
    b5 = T_a_b[5],
    b6 = T_a_b[6];
  const b8 = T_a_b[8],
    b9 = T_a_b[9],
    b10 = T_a_b[10];
  T_b_c[0] = b0 * c0 + b4 * c4 + b8 * c8;
  T_b_c[1] = b0 * c1 + b4 * c5 + b8 * c9;
  T_b_c[2] = b0 * c2 + b4 * c6 + b8 * c10;
  T_b_c[3] = b0 * x + b4 * y + b8 * z;
  T_b_c[4] = b1 * c0 + b5 * c4 + b9 * c8;
  T_b_c[5] = b1 * c1 + b5 * c5 + b9 * c9;
  T_b_c[6] = b1 * c2 + b5 * c6 + b9 * c10;
  T_b_c[7] = b1 * x + b5 * y + b9 * z;
  T_b_c[8] = b2 * c0 + b6 * c4 + b10 * c8;
  T_b_c[9] = b2 * c1 + b6 * c5 + b10 * c9;
  T_b_c[10] = b2 * c2 + b6 * c6 + b10 * c10;
  T_b_c[11] = b2 * x + b6 * y + b10 * z;
}

/** T_b_a = T_a_b⁻¹ */
export function invert(T_b_a: Transform, T_a_b: Transform): void {
  const [r00, r01, r02, x, r10, r11, r12, y, r20, r21, r22, z] = T_a_b;
  T_b_a.set([r00, r10, r20, -(r00 * x + r10 * y + r20 * z)], 0);
  T_b_a.set([r01, r11, r21, -(r01 * x + r11 * y + r21 * z)], 4);
  T_b_a.set([r02, r12, r22, -(r02 * x + r12 * y + r22 * z)], 8);
}

/** p_a = T_a_b · p_b */
export function transformPoint(p_a: Vec3, T_a_b: Transform, p_b: Vec3): void {
  const x = p_b[0],
    y = p_b[1],
    z = p_b[2];
  p_a[0] = T_a_b[0] * x + T_a_b[1] * y + T_a_b[2] * z + T_a_b[3];
  p_a[1] = T_a_b[4] * x + T_a_b[5] * y + T_a_b[6] * z + T_a_b[7];
  p_a[2] = T_a_b[8] * x + T_a_b[9] * y + T_a_b[10] * z + T_a_b[11];
}

/** Rotates a direction: d_a = R_a_b · d_b */
export function rotate(d_a: Vec3, T_a_b: Transform, d_b: Vec3): void {
  const x = d_b[0],
    y = d_b[1],
    z = d_b[2];
  d_a[0] = T_a_b[0] * x + T_a_b[1] * y + T_a_b[2] * z;
  d_a[1] = T_a_b[4] * x + T_a_b[5] * y + T_a_b[6] * z;
  d_a[2] = T_a_b[8] * x + T_a_b[9] * y + T_a_b[10] * z;
}

/** Rotates a direction by the inverse: d_b = R_a_bᵀ · d_a */
export function rotateBack(d_b: Vec3, T_a_b: Transform, d_a: Vec3): void {
  const x = d_a[0],
    y = d_a[1],
    z = d_a[2];
  d_b[0] = T_a_b[0] * x + T_a_b[4] * y + T_a_b[8] * z;
  d_b[1] = T_a_b[1] * x + T_a_b[5] * y + T_a_b[9] * z;
  d_b[2] = T_a_b[2] * x + T_a_b[6] * y + T_a_b[10] * z;
}
