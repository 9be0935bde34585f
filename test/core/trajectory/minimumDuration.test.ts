import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minimumDuration } from '../../../src/core/trajectory/restToRest.ts';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import { durationOfPoints, limitsOf, namesOf, pathsAndLimits } from './motions.ts';

test('of one joint is what its trapezoid takes: d/v + v/a', () => {
  expect(minimumDuration([0], [2], limitsOf(1, 1, 4))).toBeCloseTo(2.25, 12);
});

test('of several joints is that of the slowest, by whatever limit', () => {
  const limits = { ...limitsOf(3, 1, 4), velocity: [1, 0.1, 1], acceleration: [4, 4, 0.01] };
  expect(minimumDuration([0, 0, 0], [2, 0, 0], limits)).toBeCloseTo(2.25, 12);
  expect(minimumDuration([0, 0, 0], [2, -1, 0], limits)).toBeCloseTo(10.025, 12);
  expect(minimumDuration([0, 0, 0], [2, -1, 1], limits)).toBeCloseTo(20, 12);
});

test('is 0 for a joint that stays, whatever its limits', () => {
  expect(minimumDuration([1, 2], [1, 2], limitsOf(2, 0, 0))).toBe(0);
});

test('is no more than any motion between the ends takes', () => {
  fc.assert(
    fc.property(pathsAndLimits, ({ path, limits }) => {
      const motion = timeParameterize(path, namesOf(path[0].length), limits);
      expect(minimumDuration(path[0], path[path.length - 1], limits)).toBeLessThanOrEqual(durationOfPoints(motion));
    }),
  );
});
