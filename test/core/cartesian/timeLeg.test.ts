import { assert, test } from 'vitest';
import type { LegKnot } from '../../../src/core/cartesian/legKnot.ts';
import { timeLeg } from '../../../src/core/cartesian/timeLeg.ts';
import { Random } from '../../../src/core/math/random.ts';
import { withRoundedTimes } from '../../../src/core/trajectory/roundedTimes.ts';
import { durationOf } from '../../../src/core/trajectory/trajectory.ts';

const SIZES = [0.7, 1.3];

/** Knots of a joint path of two waves. */
const waves = (count: number, scale: number): LegKnot[] =>
  Array.from({ length: count + 1 }, (_, k) => {
    const s = k / count;
    const q = Float64Array.from(SIZES, (size, j) => scale * Math.sin(size * 6 * s + j));
    return { s, q, dq: Float64Array.from(SIZES, (size, j) => scale * size * 6 * Math.cos(size * 6 * s + j)) };
  });

/** Duration of the motion along such knots, with times in whole nanoseconds; undefined if its limits are exceeded. */
function duration(count: number, scale: number, velocity: number, acceleration: number): number | undefined {
  const all = (value: number) => new Float64Array(SIZES.length).fill(value);
  const limits = { lower: all(-9), upper: all(9), velocity: all(velocity), acceleration: all(acceleration) };
  const points = timeLeg(waves(count, scale), { ...limits, jerk: all(Infinity) }, Infinity).map(({ point }) => point);
  const trajectory = { jointNames: ['a', 'b'], points, interpolation: 'cubic' as const };
  const rounded = withRoundedTimes(trajectory, { ...limits, jerk: all(Infinity) });
  return rounded && durationOf(rounded);
}

test('a motion through knots that are 0.7 ms apart takes as long as through few', () => {
  const few = duration(60, 0.002, 3, 5)!;
  const many = duration(Math.round(few / 7e-4), 0.002, 3, 5)!;
  assert.isBelow(many / few, 1.005);
});

test('rounding the times of motions through many knots to nanoseconds keeps their limits', () => {
  const random = new Random(5);
  for (let i = 0; i < 60; i++) {
    const [count, scale] = [100 + random.below(4000), 10 ** (-4 + 4 * random.next())];
    const [velocity, acceleration] = [10 ** (-1 + 2 * random.next()), 10 ** (2 * random.next())];
    assert.isDefined(duration(count, scale, velocity, acceleration), JSON.stringify([count, scale, velocity]));
  }
});
