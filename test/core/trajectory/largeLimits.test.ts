import { expect, test } from 'vitest';
import { velocityJump } from '../../../src/core/trajectory/retiming/arc.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';

const limitsOf = (velocity: number, acceleration: number, jerk: number) => ({
  lower: [-10],
  upper: [10],
  velocity: [velocity],
  acceleration: [acceleration],
  jerk: [jerk],
});
const at = (time_from_start: number, position: number, velocity: number) => ({
  time_from_start,
  positions: [position],
  velocities: [velocity],
});
const kinds = (points: readonly object[], limits: ReturnType<typeof limitsOf>) =>
  motionFaults({ jointNames: ['a'], points: points as never }, limits).map((fault) =>
    'place' in fault ? `${fault.kind} ${fault.place}` : fault.kind,
  );

test('a velocity limit that is never reached does not excuse jumps of the velocity', () => {
  const line = [0, 1].map((x) => ({ time_from_start: x, positions: [x] })); // 1 rad/s at once
  for (const limit of [10, 1e4, 1e6, 1e9])
    expect(kinds(line, limitsOf(limit, 5, Number.POSITIVE_INFINITY)), `${limit}`).toEqual([
      'velocity-jump start',
      'velocity-jump end',
    ]);
  expect(velocityJump([0], [1e-3], [1e6])).toBe(true);
  expect(velocityJump([0], [1e-6], [1e6])).toBe(false);
});

test('an acceleration limit that is never reached does not excuse jumps of the acceleration of a joint with a jerk limit', () => {
  // from rest at 1 rad/s², then at once at −1 rad/s²
  const points = [at(0, 0, 0), at(1, 0.5, 1), at(2, 1, 0)];
  for (const limit of [10, 1e4, 1e7]) expect(kinds(points, limitsOf(5, limit, 20)), `${limit}`).toEqual(['jerk']);
});

test('rounding errors of fast motions are no jumps', () => {
  const [before, after] = [at(1, 0, 1e5), at(2, 1e5, 1e5 * (1 + 1e-12))];
  expect(velocityJump(before.velocities, after.velocities, [1e6])).toBe(false);
});
