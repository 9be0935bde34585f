import { CubicMotion } from '../../src/core/collision/motions/motion.ts';

/**
 * The cubic of two seconds from 0 to 1 of a straight line, or a part of it: at rest at its ends, or with the speeds
 * given as multiples of its mean speed.
 */
export function lineCubic(
  qFrom: ArrayLike<number>,
  qTo: ArrayLike<number>,
  from: number,
  to: number,
  first = 0,
  last = 0,
): CubicMotion {
  const T = 2;
  const coefficients = new Float64Array(4 * qFrom.length);
  for (let j = 0; j < qFrom.length; j++) {
    const way = qTo[j] - qFrom[j];
    const x = qFrom[j] + from * way;
    const mean = ((to - from) * way) / T;
    const [v, w] = [first * mean, last * mean];
    coefficients.set([x, v, (3 * mean - 2 * v - w) / T, (v + w - 2 * mean) / T ** 2], 4 * j);
  }
  return new CubicMotion(0, T, coefficients);
}
