import { expect, test } from 'vitest';
import type { MotionLimits, Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { fullTurnFaults, motionFaults, unwrapped } from '../../../src/core/trajectory/trajectoryLimits.ts';

const TURN = 2 * Math.PI;
const limits: MotionLimits = {
  lower: [-9, -9],
  upper: [9, 9],
  velocity: [1, 1],
  acceleration: [4, 4],
  jerk: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  isContinuous: [true, false],
};
const motion = (times: readonly number[], angles: readonly number[], joint: 0 | 1 = 0): Trajectory => ({
  jointNames: ['a', 'b'],
  points: times.map((time_from_start, k) => ({
    time_from_start,
    positions: joint === 0 ? [angles[k], 0] : [0, angles[k]],
    velocities: [0, 0],
  })),
});

test('a jump of a continuous joint by full turns is named instead of the velocity, and unwrapped', () => {
  const jumping = motion([0, 1, 1.1, 3], [2.9, 3.1, 3.1 - TURN, 3.4 - TURN]);
  expect(motionFaults(jumping, limits)).toEqual([
    { kind: 'full-turn', joint: 'a', turns: -1, point: 2, time: 1.1, count: 1 },
  ]);
  const { points } = unwrapped(jumping, limits);
  expect(points.map(({ positions }) => positions[0])).toEqual([
    2.9,
    3.1,
    expect.closeTo(3.1, 12),
    expect.closeTo(3.4, 12),
  ]);
});

test('a turn that is not too fast, and one of a joint with ends, are none', () => {
  const slow = motion([0, 20], [0, TURN]);
  expect(unwrapped(slow, limits)).toBe(slow);
  const other = motion([0, 1], [0, TURN], 1);
  expect(fullTurnFaults(other, limits)).toEqual([]);
  expect(motionFaults(other, limits).map(({ kind }) => kind)).toContain('velocity');
});

test('too high a speed beside a jump is still reported', () => {
  const faults = motionFaults(motion([0, 1, 1.1, 1.3], [0, 0.2, 0.2 + TURN, 0.7 + TURN]), limits);
  expect(faults.map(({ kind }) => kind)).toContain('full-turn');
  const { points } = unwrapped(motion([0, 1, 1.1, 1.3], [0, 0.2, 0.2 + TURN, 0.7 + TURN]), limits);
  expect(motionFaults({ jointNames: ['a', 'b'], points }, limits).map(({ kind }) => kind)).toContain('velocity');
});
