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
  c[at] = x;
  c[at + 1] = v;
  c[at + 2] = (3 * mean - 2 * v - w) / T;
  c[at + 3] = (v + w - 2 * mean) / (T * T);
  c[at + 4] = 0;
  c[at + 5] = 0;
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

/** Order of a derivative of the position. */
export const POSITION = 0;
export const VELOCITY = 1;
export const ACCELERATION = 2;
export const JERK = 3;

/**
 * Maximum number of bisections: finds a zero to the last digit, except zeros so close to u = 0 that the difference is
 * irrelevant.
 */
const MAX_BISECTIONS = 200;

/** Evaluates the derivative of an order from 0 (position) to 4. */
export function derivativeAt(c: Polynomials, at: number, order: number, u: number): number {
  if (order === POSITION) return positionAt(c, at, u);
  if (order === VELOCITY) return velocityAt(c, at, u);
  if (order === ACCELERATION) return accelerationAt(c, at, u);
  if (order === JERK) return jerkAt(c, at, u);
  return 24 * c[at + 4] + 120 * u * c[at + 5];
}

/** Size of the output of `extremeCandidates`: both ends, and at most 15 values from `signChanges`. */
export const MAX_CANDIDATES = 17;
const scratch = new Float64Array(MAX_CANDIDATES);

/**
 * Writes all u in [u0, u1] at which a derivative can have an extreme into `out`: both ends and the zeros of the next
 * derivative (closed form for lines and cubics). May write further values, which are harmless; a double zero that
 * rounding hides is next to one of them. Returns their number.
 */
export function extremeCandidates(
  out: Float64Array,
  c: Polynomials,
  at: number,
  order: number,
  u0: number,
  u1: number,
): number {
  if (!isQuintic(c, at)) return cubicCandidates(out, c, at, order, u0, u1);
  out[0] = u0;
  out[1] = u1;
  let count = 2;
  for (const u of signChanges(c, at, order + 1, u0, u1)) if (u > u0 && u < u1) out[count++] = u;
  return count;
}

/** Returns max |derivative| for u0 <= u <= u1. */
export function maxMagnitude(c: Polynomials, at: number, order: number, u0: number, u1: number): number {
  let max = 0;
  const count = extremeCandidates(scratch, c, at, order, u0, u1);
  for (let i = 0; i < count; i++) max = Math.max(max, Math.abs(derivativeAt(c, at, order, scratch[i])));
  return max;
}

/** True if the polynomial is neither a line nor a cubic. */
const isQuintic = (c: Polynomials, at: number): boolean => c[at + 4] !== 0 || c[at + 5] !== 0;

/**
 * Computes `extremeCandidates` of a line or cubic: both ends, and the zeros of the velocity (by the formula without
 * cancellation) or of the acceleration. Returns their number.
 */
function cubicCandidates(out: Float64Array, c: Polynomials, at: number, order: number, u0: number, u1: number): number {
  out[0] = u0;
  out[1] = u1;
  if (order > VELOCITY) return 2;
  if (order === VELOCITY) {
    const u = -c[at + 2] / (3 * c[at + 3]); // not finite for lines and parabolas
    out[2] = u;
    return u > u0 && u < u1 ? 3 : 2;
  }
  const a = 3 * c[at + 3];
  const b = 2 * c[at + 2];
  const d = c[at + 1];
  const root = Math.sqrt(b * b - 4 * a * d); // NaN if the velocity has no zero
  const sum = -(b < 0 ? b - root : b + root) / 2;
  let count = 2;
  for (let i = 0; i < 2; i++) {
    const u = i === 0 ? sum / a : d / sum; // not finite without that zero
    if (u > u0 && u < u1) out[count++] = u;
  }
  return count;
}

/**
 * Returns values of u, in increasing order, between which the derivative of this order does not change its sign.
 * Between two such values of the next derivative it is monotone and has at most one zero, which is found by bisection.
 * The values of the next derivative are included.
 */
function signChanges(c: Polynomials, at: number, order: number, u0: number, u1: number): number[] {
  if (order > JERK + 1) return [];
  const cuts = [u0, ...signChanges(c, at, order + 1, u0, u1), u1];
  const places: number[] = [];
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1], cuts[i]];
    const isNegative = derivativeAt(c, at, order, from) < 0;
    if (isNegative !== derivativeAt(c, at, order, to) < 0) places.push(zeroBetween(c, at, order, from, to, isNegative));
    if (i < cuts.length - 1) places.push(to);
  }
  return places;
}

/** Finds the zero of a derivative with different signs at u0 and u1 by bisection. */
function zeroBetween(c: Polynomials, at: number, order: number, u0: number, u1: number, isNegative: boolean): number {
  let from = u0;
  let to = u1;
  for (let i = 0; i < MAX_BISECTIONS; i++) {
    const middle = from + 0.5 * (to - from);
    if (!(middle > from && middle < to)) break;
    if (derivativeAt(c, at, order, middle) < 0 === isNegative) from = middle;
    else to = middle;
  }
  return to;
}

/** Maximum magnitudes of the derivatives of a cubic over its duration. */
export interface CubicExtremes {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** Returns the extremes of the cubic from x0 to x1 in T seconds with velocities v0 and v1 at its ends. */
export function cubicExtremes(x0: number, x1: number, v0: number, v1: number, T: number): CubicExtremes {
  const mean = (x1 - x0) / T;
  const a0 = (6 * mean - 4 * v0 - 2 * v1) / T; // accelerations at the ends
  const a1 = (2 * v0 + 4 * v1 - 6 * mean) / T;
  const top = a0 * a1 < 0 ? v0 + (a0 * a0 * T) / (2 * (a0 - a1)) : v0; // velocity where the acceleration is zero
  return {
    velocity: Math.max(Math.abs(v0), Math.abs(v1), Math.abs(top)),
    acceleration: Math.max(Math.abs(a0), Math.abs(a1)),
    jerk: Math.abs(a1 - a0) / T,
  };
}
