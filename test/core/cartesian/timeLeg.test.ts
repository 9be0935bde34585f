import { assert, test } from 'vitest';
import type { LegKnot } from '../../../src/core/cartesian/legKnot.ts';
import { timeLeg } from '../../../src/core/cartesian/timeLeg.ts';
import { Random } from '../../../src/core/math/random.ts';
import { withRoundedTimes } from '../../../src/core/trajectory/roundedTimes.ts';
import { durationOf } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';

const SIZES = [0.7, 1.3];

/** Knots of a joint path of two waves. */
const waves = (count: number, scale: number): LegKnot[] =>
  Array.from({ length: count + 1 }, (_, k) => {
    const s = k / count;
    const q = Float64Array.from(SIZES, (size, j) => scale * Math.sin(size * 6 * s + j));
    return { s, q, dq: Float64Array.from(SIZES, (size, j) => scale * size * 6 * Math.cos(size * 6 * s + j)) };
  });

/** The fastest motion along such knots, and the same with times in whole nanoseconds if that keeps its limits. */
function motions(count: number, scale: number, velocity: number, acceleration: number) {
  const all = (value: number) => new Float64Array(SIZES.length).fill(value);
  const limits = { lower: all(-9), upper: all(9), velocity: all(velocity), acceleration: all(acceleration) };
  const points = timeLeg(waves(count, scale), { ...limits, jerk: all(Infinity) }, Infinity).map(({ point }) => point);
  const trajectory = { jointNames: ['a', 'b'], points, interpolation: 'cubic' as const };
  return { trajectory, rounded: withRoundedTimes(trajectory, { ...limits, jerk: all(Infinity) }) };
}

/** Duration of the motion with times in whole nanoseconds; undefined if its limits are exceeded. */
function duration(...given: Parameters<typeof motions>): number | undefined {
  const { rounded } = motions(...given);
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

test.each([
  [1695, 0.24494309990567448, 2.501270601686434, 2.829858734889336],
  [2657, 0.8636857733009102, 4.315595727036113, 3.2681070032826836],
  [3120, 0.5096453215526345, 0.9323853038180361, 1.1979262508118964],
])('%i knots 1 ms apart keep their limits, and the motion', (count, scale, velocity, acceleration) => {
  const { trajectory, rounded } = motions(count, scale, velocity, acceleration);
  const [exact, curve] = [trajectory, rounded!].map((one) => new TrajectoryCurve(one));
  const [q, other] = [new Float64Array(2), new Float64Array(2)];
  const factor = exact.end / curve.end;
  assert.isAbove(factor, 0.998);
  let [worst, fastest] = [0, 0];
  for (let k = 0; k <= 20 * count; k++) {
    const time = (k / (20 * count)) * curve.end;
    exact.position(q, time * factor);
    curve.position(other, time);
    worst = Math.max(worst, ...q.map((value, j) => Math.abs(value - other[j])));
    const step = 1e-5;
    if (time < step || time > curve.end - step) continue;
    for (const [j, value] of other.entries()) {
      curve.position(q, time - step);
      const before = q[j];
      curve.position(q, time + step);
      fastest = Math.max(fastest, Math.abs(q[j] - 2 * value + before) / (step * step));
    }
  }
  assert.isBelow(worst, 1e-8 * velocity);
  assert.isBelow(fastest, acceleration * 1.0001);
  for (const { time_from_start: time } of rounded!.points) assert.equal(time, Math.round(time! * 1e9) / 1e9);
});
