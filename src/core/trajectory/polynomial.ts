/**
 * Coefficients of the position of one joint over one segment, six numbers in a flat array: x(u) = c₀ + c₁u + … + c₅u⁵,
 * u in seconds from the start of the segment. `at` is the index of c₀. The higher coefficients of lines and cubics are
 * zero, which does not change rounding.
 */
export type Polynomials = Float64Array;

export const POLYNOMIAL_SIZE = 6;

/** Sets the straight line from x to y in T seconds; constant x if T is 0. */
export function setLine(c: Polynomials, at: number, T: number, x: number, y: number): void {
  c.fill(0, at, at + POLYNOMIAL_SIZE);
  c[at] = x;
  c[at + 1] = T > 0 ? (y - x) / T : 0;
}

/** Sets the cubic from x to y with velocities v and w at the ends, in T seconds. */
export function setCubic(c: Polynomials, at: number, T: number, x: number, y: number, v: number, w: number): void {
  const mean = (y - x) / T;
  c.fill(0, at, at + POLYNOMIAL_SIZE);
  c[at] = x;
  c[at + 1] = v;
  c[at + 2] = (3 * mean - 2 * v - w) / T;
  c[at + 3] = (v + w - 2 * mean) / (T * T);
}

/** Position, velocity and acceleration of a joint at one end of a segment. */
export interface JointState {
  readonly position: number;
  readonly velocity: number;
  readonly acceleration: number;
}

/**
 * Sets the quintic from one state to another in T seconds. With m = (y − x)/T:
 *   c₃ = (10m − 6v − 4w − (3a − b)T/2)/T²   c₄ = (8v + 7w − 15m + (3a − 2b)T/2)/T³
 *   c₅ = (6m − 3v − 3w − (a − b)T/2)/T⁴
 */
export function setQuintic(c: Polynomials, at: number, T: number, from: JointState, to: JointState): void {
  const { position: x, velocity: v, acceleration: a } = from;
  const { position: y, velocity: w, acceleration: b } = to;
  const mean = (y - x) / T;
  c[at] = x;
  c[at + 1] = v;
  c[at + 2] = a / 2;
  c[at + 3] = (10 * mean - 6 * v - 4 * w - (3 * a - b) * (T / 2)) / T / T;
  c[at + 4] = (8 * v + 7 * w - 15 * mean + (3 * a - 2 * b) * (T / 2)) / T / T / T;
  c[at + 5] = (6 * mean - 3 * v - 3 * w - (a - b) * (T / 2)) / T / T / T / T;
}

/**
 * Returns a bound on the sum of the terms of a position on the cubic or quintic, including the terms of its
 * coefficients; rounding errors are relative to it. Cubic: |c₂|T² + |c₃|T³ <= 5|Δ| + 3|v|T + 2|w|T, Δ = y − x. Quintic:
 * |c₃|T³ + |c₄|T⁴ + |c₅|T⁵ <= 31|Δ| + 17|v|T + 14|w|T + (7|a| + 4|b|)T²/2, with |c₁|T = |v|T and |c₂|T² = |a|T²/2 in
 * addition; one bound covers both.
 */
export function termsOf(T: number, x: number, y: number, v: number, w: number, a: number, b: number): number {
  const bent = 18 * Math.abs(v) + 14 * Math.abs(w) + T * (4 * Math.abs(a) + 2 * Math.abs(b));
  return Math.max(Math.abs(x), Math.abs(y)) + 31 * Math.abs(y - x) + T * bent;
}

export function positionAt(c: Polynomials, at: number, u: number): number {
  return c[at] + u * (c[at + 1] + u * (c[at + 2] + u * (c[at + 3] + u * (c[at + 4] + u * c[at + 5]))));
}

export function velocityAt(c: Polynomials, at: number, u: number): number {
  return c[at + 1] + u * (2 * c[at + 2] + 3 * u * c[at + 3] + u * u * (4 * c[at + 4] + 5 * u * c[at + 5]));
}

export function accelerationAt(c: Polynomials, at: number, u: number): number {
  return 2 * c[at + 2] + 6 * u * c[at + 3] + u * u * (12 * c[at + 4] + 20 * u * c[at + 5]);
}

export function jerkAt(c: Polynomials, at: number, u: number): number {
  return 6 * c[at + 3] + u * (24 * c[at + 4] + 60 * u * c[at + 5]);
}
