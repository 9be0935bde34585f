import { extremeCandidates, MAX_CANDIDATES, POLYNOMIAL_SIZE } from '../../trajectory/polynomial.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';

/**
 * Motion of one planned joint about the middle of an interval: position, its derivatives 1 to 5 there, bounds on
 * derivatives 1 to 4 over the interval, the least and the greatest velocity, the signs of the least and the greatest
 * friction, and bounds on the rounding errors of derivatives 1 and 2.
 */
export interface JointTaylor {
  readonly derivatives: Float64Array;
  readonly bounds: Float64Array;
  readonly velocities: Float64Array;
  readonly signs: Float64Array;
  readonly errors: Float64Array;
}

/** Rounding error of a derivative, relative to the sum of the terms of its coefficients. */
const RATE_ROUNDING = 256 * 2 ** -53;
/** Relative: values of the other sign up to this leave a derivative monotonic, with a range that is larger for it. */
const NEGLIGIBLE = 1e-9;
/** Sign of a velocity: known beyond this many rounding errors, of its own and of the derivatives that bound it. */
const UNSURE = 4;

/** n (n − 1) … (n − k + 1): factor of the coefficient of uⁿ in the derivative of order k. */
const FALLING = Array.from({ length: 6 }, (_, k) =>
  Array.from({ length: POLYNOMIAL_SIZE }, (__, n) => {
    let product = 1;
    for (let i = 0; i < k; i++) product *= n - i;
    return product;
  }),
);

const candidates = new Float64Array(MAX_CANDIDATES);

/** Sets the derivatives of a joint in the middle of an interval, and their bounds within `half` of it. */
export function setTaylor(
  { derivatives: d, bounds, velocities, signs, errors }: JointTaylor,
  curve: TrajectoryCurve,
  piece: number,
  j: number,
  from: number,
  to: number,
  half: number,
): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(piece, j);
  const start = curve.times[piece];
  const u = from + 0.5 * (to - from) - start;
  const derivative = (order: number, x: number) => derivativeOf(c, at, order, x);
  for (let order = 0; order < 6; order++) d[order] = derivative(order, u);
  for (let order = 1; order < 6; order++) {
    let bound = 0;
    for (let n = 5; n >= order; n--) bound = Math.abs(d[n]) + (bound * half) / (n - order + 1);
    bounds[order] = bound;
  }
  // A derivative is monotonic, so that its ends are extreme, unless the sign of the next one changes; one whose values
  // of the other sign are at most r leaves them by at most r times the length.
  let [least, most] = [d[5], d[5]];
  for (let order = 4; order > 0; order--) {
    const first = derivative(order, from - start);
    const last = derivative(order, to - start);
    const rounding = NEGLIGIBLE * bounds[order + 1];
    const isMonotonic = least >= -rounding || most <= rounding;
    least = isMonotonic ? Math.min(first, last) - 2 * half * rounding : d[order] - half * bounds[order + 1];
    most = isMonotonic ? Math.max(first, last) + 2 * half * rounding : d[order] + half * bounds[order + 1];
  }
  velocities[0] = least;
  velocities[1] = most;
  setRateErrors(errors, curve, piece, j);
  setFrictionSigns(signs, least, most, errors[1], isResting(curve, piece, j));
  const before = curve.rests[2 * (piece * curve.dof + j)];
  const after = curve.rests[2 * (piece * curve.dof + j) + 1];
  if (before + after === 0 || !(signs[0] < 0 && signs[1] > 0)) return;
  const T = curve.times[piece + 1] - start;
  const signOver = (zeros: number, u0: number, u1: number) => {
    if (zeros === 0) return 0;
    const count = extremeCandidates(candidates, c, at, zeros + 1, u0, u1);
    const values = Array.from(candidates.subarray(0, count), (x) => derivative(zeros + 1, x));
    const doubt = UNSURE * (zeros === 1 ? errors[2] : (2 * errors[2]) / T);
    return Math.min(...values) > doubt ? 1 : Math.max(...values) < -doubt ? -1 : 0;
  };
  // Beside an exact rest, the velocity has the sign of the first derivative that is not 0; before it, times (−1)ⁿ.
  const sign = signOver(before, 0, to - start) || (after === 1 ? -1 : 1) * signOver(after, from - start, T);
  if (sign !== 0) signs.set([Math.min(0, sign), Math.max(0, sign)]);
}

/** Returns true if a joint does not move at all on a piece of a curve. */
export function isResting(curve: TrajectoryCurve, piece: number, j: number): boolean {
  const at = curve.polynomialIndex(piece, j);
  for (let n = 1; n < POLYNOMIAL_SIZE; n++) if (curve.polynomials[at + n] !== 0) return false;
  return true;
}

/**
 * Sets the signs of the least and the greatest friction. A velocity within the rounding error has both signs, unless
 * the joint does not move at all.
 */
export function setFrictionSigns(
  signs: Float64Array,
  slowest: number,
  fastest: number,
  error: number,
  isAtRest: boolean,
): void {
  signs[0] = isAtRest ? 0 : slowest > UNSURE * error ? 1 : -1;
  signs[1] = isAtRest ? 0 : fastest < -UNSURE * error ? -1 : 1;
}

/** Evaluates the derivative of a polynomial, of any order up to 5. */
function derivativeOf(c: ArrayLike<number>, at: number, order: number, x: number): number {
  const falling = FALLING[order];
  let value = 0;
  for (let n = POLYNOMIAL_SIZE - 1; n >= order; n--) value = value * x + falling[n] * c[at + n];
  return value;
}

/** Returns the motion of a joint, not yet set. */
export const createTaylor = (): JointTaylor => ({
  derivatives: new Float64Array(6),
  bounds: new Float64Array(6),
  velocities: new Float64Array(2),
  signs: new Float64Array(2),
  errors: new Float64Array(3),
});

/** Sets bounds on the rounding errors of the first and the second derivative of a joint on a piece of a curve. */
export function setRateErrors(errors: Float64Array, curve: TrajectoryCurve, piece: number, j: number): void {
  const c = curve.polynomials;
  const at = curve.polynomialIndex(piece, j);
  const T = curve.times[piece + 1] - curve.times[piece];
  if (!(T > 0)) return void errors.fill(0);
  const [v, w] = [Math.abs(c[at + 1]), Math.abs(derivativeOf(c, at, 1, T))];
  const mean = Math.abs(derivativeOf(c, at, 0, T) - c[at]) / T;
  const [a, b] = [Math.abs(derivativeOf(c, at, 2, 0)), Math.abs(derivativeOf(c, at, 2, T))];
  const terms = 120 * mean + 66 * v + 55 * w + T * (14 * a + 8 * b);
  errors[1] = RATE_ROUNDING * terms;
  errors[2] = (2 * RATE_ROUNDING * terms) / T; // with that of the third derivative over half of the piece
}
