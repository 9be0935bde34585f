import type { LegKnot } from './followLeg.ts';

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
  const h = b.s - a.s;
  const u = (s - a.s) / h;
  const v = 1 - u;
  return a.q.map(
    (x, j) => v * v * (1 + 2 * u) * x + u * u * (1 + 2 * v) * b.q[j] + h * u * v * (v * a.dq[j] - u * b.dq[j]),
  );
}
