import { CubicMotion } from '../collision/motion.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/** A curve as a prover takes it: one motion for each piece, in order, over the curve's own times. */
export function curveMotions(curve: TrajectoryCurve): CubicMotion[] {
  return Array.from({ length: curve.pieces }, (_, k) => {
    const coefficients = curve.cubics.subarray(curve.place(k, 0), curve.place(k + 1, 0));
    return new CubicMotion(curve.times[k], curve.times[k + 1], coefficients);
  });
}
