/**
 * Vector notation of the kernels in this folder. These functions run as they are, slowly; what the package contains are
 * the files `*.generated.ts`, in which `node scripts/kernels.mjs` has expanded them to scalars: scalars in registers
 * double the speed of a kernel. A test compares both.
 */
export type V = readonly [number, number, number];

export const vec = (x: number, y: number, z: number): V => [x, y, z];

/** Three numbers of an array, from offset `at`. */
export const load = (from: ArrayLike<number>, at = 0): V => [from[at], from[at + 1], from[at + 2]];

/** Writes v to three numbers of an array, from offset `at`. */
export function store(to: Float64Array, at: number, v: V): void {
  to[at] = v[0];
  to[at + 1] = v[1];
  to[at + 2] = v[2];
}

export const neg = (v: V): V => [-v[0], -v[1], -v[2]];
export const add = (a: V, b: V): V => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (s: number, v: V): V => [s * v[0], s * v[1], s * v[2]];
export const over = (v: V, s: number): V => [v[0] / s, v[1] / s, v[2] / s];

/** a × b */
export const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** M v, of which the rows of M are given. */
export const rotated = (r0: V, r1: V, r2: V, v: V): V => [dot(r0, v), dot(r1, v), dot(r2, v)];

/** Mᵀ v = v₀ r₀ + v₁ r₁ + v₂ r₂, of which the rows of M are given. */
export const combined = (v: V, r0: V, r1: V, r2: V): V => [
  v[0] * r0[0] + v[1] * r1[0] + v[2] * r2[0],
  v[0] * r0[1] + v[1] * r1[1] + v[2] * r2[1],
  v[0] * r0[2] + v[1] * r1[2] + v[2] * r2[2],
];

export const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** |x| + |y| + |z| */
export const size = (v: V): number => Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2]);

export const areEqual = (a: V, b: V): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
