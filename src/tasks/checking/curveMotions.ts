import { CubicMotion, type Motion, QuinticMotion } from '../../core/collision/motions/motion.ts';
import { POLYNOMIAL_SIZE } from '../../core/trajectory/polynomial.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Number of coefficients per joint of a `CubicMotion`. */
const CUBIC_SIZE = 4;

/** Converts a curve to motions for the prover: one per piece, in order, with the times of the curve. */
export function curveMotions(curve: TrajectoryCurve): Motion[] {
  const { dof, times, kinds, polynomials } = curve;
  return Array.from({ length: curve.pieces }, (_, k) => {
    const terms = curve.terms.subarray(k * dof, (k + 1) * dof);
    const all = polynomials.subarray(curve.polynomialIndex(k, 0), curve.polynomialIndex(k + 1, 0));
    if (kinds[k] === 'quintic') return new QuinticMotion(times[k], times[k + 1], all, terms);
    const cubics = new Float64Array(dof * CUBIC_SIZE);
    for (let j = 0; j < dof; j++)
      cubics.set(all.subarray(j * POLYNOMIAL_SIZE, j * POLYNOMIAL_SIZE + CUBIC_SIZE), j * CUBIC_SIZE);
    return new CubicMotion(times[k], times[k + 1], cubics, terms);
  });
}
