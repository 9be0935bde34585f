import { type MoveSet, walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { MotionLimits } from '../../../core/trajectory/trajectory.ts';

/** States of a line from which the derivatives of the joints are computed. */
const SAMPLES = 128;
/** Speeds that are tried, and ratio between accelerations that are. */
const SPEEDS = 32;
const RATIO = 1.02;
/** Least acceleration that is tried, as a fraction of the largest; share of the limits that is used. */
const LEAST = 1e-3;
const USED = 0.998;
/** Rates are written with four decimals; m/s² of lines along which no joint accelerates. */
const [ROUND, UNLIMITED] = [1e4, 100];

/** Rates of the tool along a line, m/s and m/s², and the duration of the profile, seconds. */
interface LineRates {
  readonly speed: number;
  readonly acceleration: number;
  readonly duration: number;
}

/** First and second derivatives of the joints with respect to the fraction of a line. */
interface Derivatives {
  readonly share: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** Returns the duration of a trapezoidal profile from rest to rest, seconds. */
export const trapezoid = (length: number, speed: number, acceleration: number): number =>
  length * acceleration >= speed * speed ? length / speed + speed / acceleration : 2 * Math.sqrt(length / acceleration);

/**
 * Returns the rates of the fastest trapezoidal profile along a line or arc that keeps the limits of the joints at
 * sampled states; rotation and translation have the same progress. Undefined if the states cannot be followed.
 * @param q state at its beginning
 * @param length of the path of the tool, metres
 * @param most highest speed of the tool, m/s
 */
export function lineRates(
  set: MoveSet,
  q: Configuration,
  length: number,
  most: number,
  { velocity, acceleration: allowed }: MotionLimits,
): LineRates | undefined {
  const samples = derivativesOf(set, q);
  if (samples === undefined) return undefined;
  const isKept = (v: number, a: number) =>
    samples.every(({ share, first, second }) => {
      const way = Math.min(share, 1 - share) * length;
      const isRamp = 2 * a * way < v * v;
      const squared = (isRamp ? 2 * a * way : v * v) / (length * length);
      const rate = Math.sqrt(squared);
      const change = isRamp || 2 * a * (way - length / SAMPLES) < v * v ? a / length : 0;
      return first.every(
        (value, j) =>
          Math.abs(value) * rate <= USED * velocity[j] &&
          Math.abs(second[j]) * squared + Math.abs(value) * change <= USED * allowed[j],
      );
    });
  const strongest = samples.reduce(
    (least, { first }) => first.reduce((a, value, j) => Math.min(a, (allowed[j] * length) / Math.abs(value)), least),
    UNLIMITED,
  );
  let best: LineRates | undefined;
  for (let k = SPEEDS; k > 0; k--) {
    const speed = Math.floor((ROUND * most * k) / SPEEDS) / ROUND;
    for (let a = strongest; speed > 0 && a > LEAST * strongest; a /= RATIO) {
      const acceleration = Math.floor(ROUND * a) / ROUND;
      if (!(acceleration > 0)) break;
      const duration = trapezoid(length, speed, acceleration);
      if (best && duration >= best.duration) break;
      if (!isKept(speed, acceleration)) continue;
      best = { speed, acceleration, duration };
      break;
    }
  }
  return best;
}

function derivativesOf(set: MoveSet, q: Configuration): Derivatives[] | undefined {
  const states = [q];
  for (let k = 1; k <= SAMPLES; k++) {
    const [from, to] = [k - 1, k].map((i) => set.origin.map(() => i / SAMPLES));
    const next = walk(set, states[k - 1], from, to);
    if (next === undefined) return undefined;
    states.push(next);
  }
  return states.map((_, k): Derivatives => {
    const [a, b, c] = [-1, 0, 1].map((i) => states[Math.min(SAMPLES - 1, Math.max(1, k)) + i]);
    return {
      share: k / SAMPLES,
      first: c.map((value, j) => 0.5 * SAMPLES * (value - a[j])),
      second: c.map((value, j) => SAMPLES * SAMPLES * (value - 2 * b[j] + a[j])),
    };
  });
}
