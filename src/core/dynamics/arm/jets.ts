/**
 * A vector as a function of time in an interval of half length h: value and derivative at the middle (x, y, z each),
 * then bounds on the lengths of itself, its first and its second derivative in the interval. Taylor's theorem with
 * these bounds encloses it: it differs from value + derivative · t by at most b₂ h²/2.
 */
export type Jet = Float64Array;

export const JET_SIZE = 9;
const [B0, B1, B2] = [6, 7, 8];

export const createJet = (): Jet => new Float64Array(JET_SIZE);

/** out += factor · a */
export function addScaled(out: Jet, a: Jet, factor: number): void {
  const size = Math.abs(factor);
  for (let i = 0; i < 6; i++) out[i] += factor * a[i];
  for (let i = B0; i < JET_SIZE; i++) out[i] += size * a[i];
}

/** out = a × b; `out` is neither. */
export function cross(out: Jet, a: Jet, b: Jet): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[3] = a[4] * b[2] - a[5] * b[1] + a[1] * b[5] - a[2] * b[4];
  out[4] = a[5] * b[0] - a[3] * b[2] + a[2] * b[3] - a[0] * b[5];
  out[5] = a[3] * b[1] - a[4] * b[0] + a[0] * b[4] - a[1] * b[3];
  setProductBounds(out, a[B0], a[B1], a[B2], b);
}

/** out = S a with a symmetric matrix (xx, yy, zz, xy, xz, yz); `size` bounds its norm. `out` is not a. */
export function multiply(out: Jet, S: Float64Array, size: number, a: Jet): void {
  for (let o = 0; o < 6; o += 3) {
    out[o] = S[0] * a[o] + S[3] * a[o + 1] + S[4] * a[o + 2];
    out[o + 1] = S[3] * a[o] + S[1] * a[o + 1] + S[5] * a[o + 2];
    out[o + 2] = S[4] * a[o] + S[5] * a[o + 1] + S[2] * a[o + 2];
  }
  for (let i = B0; i < JET_SIZE; i++) out[i] = size * a[i];
}

/** A scalar: value, derivative, and bounds on itself and its first two derivatives; 5 numbers. */
export type Scalar = Float64Array;

/** out += e · s for a constant unit vector e */
export function addAlong(out: Jet, e: Float64Array, s: Scalar): void {
  for (let i = 0; i < 3; i++) {
    out[i] += e[i] * s[0];
    out[3 + i] += e[i] * s[1];
  }
  for (let i = 0; i < 3; i++) out[B0 + i] += s[2 + i];
}

/** out += factor · s · (a × e) for a constant unit vector e */
export function addCrossAlong(out: Jet, a: Jet, e: Float64Array, s: Scalar, factor: number): void {
  const value = factor * s[0];
  const x = a[1] * e[2] - a[2] * e[1];
  const y = a[2] * e[0] - a[0] * e[2];
  const z = a[0] * e[1] - a[1] * e[0];
  out[0] += value * x;
  out[1] += value * y;
  out[2] += value * z;
  out[3] += factor * (s[1] * x + s[0] * (a[4] * e[2] - a[5] * e[1]));
  out[4] += factor * (s[1] * y + s[0] * (a[5] * e[0] - a[3] * e[2]));
  out[5] += factor * (s[1] * z + s[0] * (a[3] * e[1] - a[4] * e[0]));
  out[B0] += factor * s[2] * a[B0];
  out[B1] += factor * (s[3] * a[B0] + s[2] * a[B1]);
  out[B2] += factor * (s[4] * a[B0] + 2 * s[3] * a[B1] + s[2] * a[B2]);
}

/**
 * Replaces the bounds on a vector and its derivative by what value, derivative and second derivative imply, if that is
 * less: products of bounds grow along a chain, values at the middle do not.
 */
export function tighten(a: Jet, half: number): void {
  const b2 = a[B2];
  const speed = Math.sqrt(a[3] * a[3] + a[4] * a[4] + a[5] * a[5]);
  const size = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  a[B1] = Math.min(a[B1], ROUND_UP * (speed + half * b2));
  a[B0] = Math.min(a[B0], ROUND_UP * (size + half * (speed + 0.5 * half * b2)));
}

/** Factor by which bounds are enlarged for rounding errors of the few operations that compute them. */
const ROUND_UP = 1 + 1e-12;

/** Sets the bounds of a product by Leibniz: |(a b)''| <= |a''| |b| + 2 |a'| |b'| + |a| |b''|. */
function setProductBounds(out: Jet, a0: number, a1: number, a2: number, b: Jet): void {
  out[B0] = a0 * b[B0];
  out[B1] = a1 * b[B0] + a0 * b[B1];
  out[B2] = a2 * b[B0] + 2 * a1 * b[B1] + a0 * b[B2];
}

/** Turns between a joint's parent and child: a constant rotation, then one about a unit vector of the child. */
export interface Turn {
  /** Rotation matrix from child to parent at the middle, row-major. */
  readonly R: Float64Array;
  /** Unit vector in the child, and in the parent at every time. */
  readonly axis: Float64Array;
  readonly axisInParent: Float64Array;
  /** Angle; constant if all of its derivatives are 0. Rate at the middle, and bounds on rate and acceleration. */
  rate: number;
  most: number;
  mostChange: number;
}

/** out = Rᵀ a, from parent to child; `out` is not a. With y = Rᵀ a: y' = Rᵀ a' − θ' e × y. */
export function toChild(out: Jet, { R, axis, rate, most, mostChange }: Turn, a: Jet): void {
  for (let o = 0; o < 6; o += 3) {
    out[o] = R[0] * a[o] + R[3] * a[o + 1] + R[6] * a[o + 2];
    out[o + 1] = R[1] * a[o] + R[4] * a[o + 1] + R[7] * a[o + 2];
    out[o + 2] = R[2] * a[o] + R[5] * a[o + 1] + R[8] * a[o + 2];
  }
  addSpin(out, axis, -rate);
  setTurnBounds(out, a, most, mostChange);
}

/** out = R a, from child to parent; `out` is not a. With y = R a: y' = R a' + θ' e × y. */
export function toParent(out: Jet, { R, axisInParent, rate, most, mostChange }: Turn, a: Jet): void {
  for (let o = 0; o < 6; o += 3) {
    out[o] = R[0] * a[o] + R[1] * a[o + 1] + R[2] * a[o + 2];
    out[o + 1] = R[3] * a[o] + R[4] * a[o + 1] + R[5] * a[o + 2];
    out[o + 2] = R[6] * a[o] + R[7] * a[o + 1] + R[8] * a[o + 2];
  }
  addSpin(out, axisInParent, rate);
  setTurnBounds(out, a, most, mostChange);
}

/** Adds s · e × value to the derivative. */
function addSpin(out: Jet, e: Float64Array, s: number): void {
  out[3] += s * (e[1] * out[2] - e[2] * out[1]);
  out[4] += s * (e[2] * out[0] - e[0] * out[2]);
  out[5] += s * (e[0] * out[1] - e[1] * out[0]);
}

/** |y''| <= |a''| + 2 |θ'| |a'| + (|θ''| + θ'²) |a| */
function setTurnBounds(out: Jet, a: Jet, most: number, mostChange: number): void {
  out[B0] = a[B0];
  out[B1] = a[B1] + most * a[B0];
  out[B2] = a[B2] + 2 * most * a[B1] + (mostChange + most * most) * a[B0];
}
