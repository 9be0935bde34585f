import type { Configuration } from '../math/configuration.ts';

/** A configuration whose tool frame is on a leg, with the derivative of q with respect to s along it. */
export interface LegKnot {
  readonly s: number;
  readonly q: Configuration;
  readonly dq: Float64Array;
  /** True if the joint path is kept from joint limits, by self-motion of a redundant arm. */
  readonly avoidsLimits?: boolean;
  /** True if self-motion was searched for: more knots are on the cubics between the known ones. */
  readonly isSearched?: boolean;
}

/** Evaluates the cubic Hermite interpolation of two knots, and its derivative, at s. */
export function cubicKnot(a: LegKnot, b: LegKnot, s: number): LegKnot {
  const h = b.s - a.s;
  const u = (s - a.s) / h;
  const v = 1 - u;
  const dq = a.q.map((x, j) => (6 * u * v * (b.q[j] - x)) / h + v * (1 - 3 * u) * a.dq[j] + u * (1 - 3 * v) * b.dq[j]);
  return { s, q: cubicPosition(a, b, s), dq };
}

/** Evaluates the cubic Hermite interpolation of two knots at s. */
export function cubicPosition(a: LegKnot, b: LegKnot, s: number): Float64Array {
  const out = new Float64Array(a.q.length);
  setCubicPosition(out, 0, a, b, s);
  return out;
}

/** As `cubicPosition`; writes the position into `out`, from index `at` on. */
export function setCubicPosition(out: Float64Array, at: number, a: LegKnot, b: LegKnot, s: number): void {
  const h = b.s - a.s;
  const u = (s - a.s) / h;
  const v = 1 - u;
  for (let j = 0; j < a.q.length; j++)
    out[at + j] = v * v * (1 + 2 * u) * a.q[j] + u * u * (1 + 2 * v) * b.q[j] + h * u * v * (v * a.dq[j] - u * b.dq[j]);
}
