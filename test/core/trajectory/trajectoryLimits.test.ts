import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { examineMotion, motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { limitsOf, namesOf, pathsAndLimits } from './motions.ts';

const knot = (time: number, x: number, v: number) => ({ time_from_start: time, positions: [x], velocities: [v] });
const motion = (...points: Trajectory['points']): Trajectory => ({ jointNames: ['a'], points });

describe('limits are checked between the points', () => {
  test('a position out of its limit while both ends are at rest within', () => {
    // In the middle second 1/4 + u(1 − u): up to 1/2 at u = ½.
    const bulge = motion(knot(0, 0, 0), knot(1, 0.25, 1), knot(2, 0.25, -1), knot(3, 0, 0));
    const bounded = { ...limitsOf(1, 5, 10), lower: [-1], upper: [0.4] };
    expect(motionFaults(bulge, bounded)).toEqual([{ kind: 'position', joint: 'a', value: 0.5, limit: 0.4, time: 1.5 }]);
    expect(motionFaults(bulge, { ...bounded, upper: [0.5] })).toEqual([]);
    expect(motionFaults(bulge, { ...bounded, upper: [0.5 - 2e-9] })).toHaveLength(1);
    expect(motionFaults(bulge, { ...bounded, upper: [0.5 - 0.5e-9] })).toEqual([]);
  });

  test('a speed of 3/2 in the middle of a rest-to-rest cubic, and its acceleration of 6 at the ends', () => {
    const cubic = motion(knot(0, 0, 0), knot(1, -1, 0));
    expect(motionFaults(cubic, limitsOf(1, 1.5, 6))).toEqual([]);
    expect(motionFaults(cubic, limitsOf(1, 1.5 / 1.03, 6))).toEqual([
      { kind: 'velocity', joint: 'a', value: -1.5, limit: -1.5 / 1.03, time: 0.5 },
    ]);
    expect(motionFaults(cubic, limitsOf(1, 1.5, 6 / 1.03))).toMatchObject([
      { kind: 'acceleration', value: -6, time: 0 },
    ]);
    expect(motionFaults(cubic, limitsOf(1, 1.5 * (1 - 0.9e-6), 6 * (1 - 0.9e-6)))).toEqual([]);
    expect(motionFaults(cubic, limitsOf(1, 1.5 * (1 - 1.1e-6), 6 * (1 - 1.1e-6)))).toHaveLength(2);
    expect(examineMotion(cubic, limitsOf(1, 3, 8, 24)).ratios).toEqual({
      velocity: 0.5,
      acceleration: 0.75,
      jerk: 0.5,
    });
  });

  test('the jerk within a piece, and a jump in acceleration between two', () => {
    const cubic = motion(knot(0, 0, 0), knot(1, 1, 0));
    expect(motionFaults(cubic, limitsOf(1, 9, 9, 11.9))).toEqual([
      { kind: 'jerk', joint: 'a', value: -12, limit: -11.9, time: 0 },
    ]);
    expect(motionFaults(cubic, limitsOf(1, 9, 9, 12))).toEqual([]);
    const jump = motion(knot(0, 0, 0), knot(1, 1, 0), knot(2, 2, 0));
    expect(motionFaults(jump, limitsOf(1, 9, 9, 12))).toMatchObject([
      { kind: 'jerk', value: Number.POSITIVE_INFINITY, time: 1 },
    ]);
    expect(motionFaults(jump, limitsOf(1, 9, 9))).toEqual([]);
  });
});

test('a motion that begins before 0 is not what a controller executes', () => {
  const early = motion(knot(-1, 0, 0), knot(1, 0.1, 0));
  expect(motionFaults(early, limitsOf(1, 9, 9))).toEqual([{ kind: 'time', value: -1, limit: 0, time: -1 }]);
  expect(motionFaults(motion(knot(-1, 0, 0)), limitsOf(1, 9, 9))).toHaveLength(1);
});

describe('what has no time, or no velocities', () => {
  test('of a path, only positions are checked, also of a single point', () => {
    const bounded = { ...limitsOf(1, 1e-9, 1e-9), lower: [0], upper: [1] };
    expect(motionFaults(motion({ positions: [0] }, { positions: [1] }), bounded)).toEqual([]);
    expect(motionFaults(motion({ positions: [2] }), bounded)).toEqual([
      { kind: 'position', joint: 'a', value: 2, limit: 1, time: 0 },
    ]);
    expect(motionFaults(motion({ positions: [0] }, { positions: [-1] }), bounded)).toMatchObject([
      { value: -1, limit: 0, time: 1 },
    ]);
  });

  test('straight lines with times break no acceleration limit but by the jumps of their speed: at both ends, and the greatest inside', () => {
    const line = motion(
      { time_from_start: 1, positions: [0] },
      { time_from_start: 1.5, positions: [1] },
      { time_from_start: 2, positions: [2] },
      { time_from_start: 3, positions: [1] },
      { time_from_start: 4, positions: [1] },
    );
    const jump = { kind: 'velocity-jump', joint: 'a' };
    const jumps = [
      { ...jump, before: 0, after: 2, time: 1, point: 0, place: 'start' },
      { ...jump, before: 2, after: -1, time: 2, point: 2, place: 'inside' },
    ];
    expect(motionFaults(line, limitsOf(1, 2, 1e-3, 1e-3))).toEqual(jumps);
    expect(examineMotion(line, limitsOf(1, 2, 1e-3)).ratios).toEqual({
      velocity: 1,
      acceleration: Number.POSITIVE_INFINITY,
      jerk: 0,
    });
    expect(motionFaults(line, limitsOf(1, 1.9, 1))).toEqual([
      { kind: 'velocity', joint: 'a', value: 2, limit: 1.9, time: 1 },
      ...jumps,
    ]);
    const still = line.points.map((point) => ({ ...point, positions: [3] }));
    expect(motionFaults(motion(...still), limitsOf(1, 2, 1))).toEqual([]);
  });
});

test('a time that does not increase is the only fault', () => {
  expect(motionFaults(motion(knot(0, 0, 0), knot(0, 9, 0)), limitsOf(1, 1, 1))).toEqual([
    { kind: 'time', value: 0, limit: 0, time: 0 },
  ]);
});

test('one joint too fast is named, the others are not', () => {
  const limits = { ...limitsOf(3, 10, 100), velocity: [10, 0.5, 10] };
  const trajectory = timeParameterize(
    [
      [0, 0, 0],
      [1, 1, 1],
    ],
    namesOf(3),
    limitsOf(3, 1, 4),
  );
  expect(motionFaults(trajectory, limits)).toMatchObject([{ kind: 'velocity', joint: 'joint_2', limit: 0.5 }]);
});

test('a motion run three per cent faster breaks the limit that it used up', () => {
  fc.assert(
    fc.property(pathsAndLimits, ({ path, limits }) => {
      const trajectory = timeParameterize(path, namesOf(path[0].length), limits);
      const faster = {
        ...trajectory,
        points: trajectory.points.map((p) => ({
          ...p,
          time_from_start: p.time_from_start! / 1.03,
          velocities: p.velocities!.map((v) => 1.03 * v),
        })),
      };
      const { velocity, acceleration, jerk } = examineMotion(trajectory, limits).ratios;
      const usedUp = velocity > 0.9709 || acceleration > 0.9426 || jerk > 0.9152;
      fc.pre(Number.isFinite(jerk));
      expect(motionFaults(faster, limits).length > 0).toBe(usedUp);
    }),
  );
});
