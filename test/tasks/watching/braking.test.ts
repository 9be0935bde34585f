import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { brakingMotion } from '../../../src/tasks/watching/braking.ts';
import { isStartVelocity } from '../../../src/tasks/watching/startedMotion.ts';

const jointNames = ['a', 'b', 'c'];
const far = { lower: [-1e3, -1e3, -1e3], upper: [1e3, 1e3, 1e3] };

test('braking keeps all limits, moves along a straight line, and is about as fast as they allow', () => {
  const random = new Random(8);
  for (let i = 0; i < 200; i++) {
    const draw = (low: number, high: number) => Array.from(jointNames, () => random.between(low, high));
    const jerk = i % 3 === 0 ? [1, 1, 1].map(() => Number.POSITIVE_INFINITY) : draw(1, 200);
    const limits = { ...far, velocity: [9, 9, 9], acceleration: draw(0.5, 20), jerk };
    const [q, v] = [draw(-3, 3), draw(-3, 3)].map((values) => Float64Array.from(values));
    const { points, duration, end } = brakingMotion(q, v, limits);
    const trajectory = { jointNames, points, interpolation: 'cubic' } as const;
    expect(
      motionFaults(trajectory, limits).filter((fault) => !isStartVelocity(fault)),
      `draw ${i}`,
    ).toEqual([]);
    expect([points[0].positions, points[0].velocities]).toEqual([[...q], [...v]]);
    expect(points.at(-1)).toEqual({ time_from_start: duration, positions: end, velocities: [0, 0, 0] });
    const along = end.map((value, j) => (value - q[j]) / v[j]);
    for (const share of along) expect(share).toBeCloseTo(along[0], 9);
    // No motion stops faster than its acceleration limits allow.
    const least = Math.max(...jointNames.map((_, j) => Math.abs(v[j]) / limits.acceleration[j]));
    expect(duration).toBeGreaterThan(least);
    if (jerk[0] === Number.POSITIVE_INFINITY) expect(duration).toBeLessThan(1.01 * least);
  }
});

test('a robot at rest stays there', () => {
  const limits = { ...far, velocity: [1, 1, 1], acceleration: [1, 1, 1], jerk: [1, 1, 1] };
  const q = Float64Array.of(1, 2, 3);
  expect(brakingMotion(q, new Float64Array(3), limits)).toMatchObject({ duration: 0, end: [1, 2, 3] });
});
