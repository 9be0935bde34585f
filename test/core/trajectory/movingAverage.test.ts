import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movingAverage } from '../../../src/core/trajectory/smoothBlends.ts';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { durationOfPoints, limitsOf, namesOf } from './motions.ts';

const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
const motions = fc
  .record({
    path: fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 5 }),
    jerk: fc.double({ min: 5, max: 500, noNaN: true }),
  })
  .map(({ path, jerk }) => ({ jerk, motion: timeParameterize(path, namesOf(2), limitsOf(2, 1, 4)) }))
  .filter(({ motion }) => motion.points.length > 1);

describe('the moving average', () => {
  test('keeps the limits that the motion keeps, and those of jerk', () => {
    fc.assert(
      fc.property(motions, ({ motion, jerk }) => {
        const points = movingAverage(motion.points, [jerk, jerk]);
        const { faults, ratios } = examineMotion({ jointNames: namesOf(2), points }, limitsOf(2, 1, 4, jerk));
        expect(faults).toEqual([]);
        for (const ratio of Object.values(ratios)) expect(ratio).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test('is the average of the motion over the window before, by sums over dense samples', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: 0, max: 1, noNaN: true }), ({ motion, jerk }, share) => {
        const average = { jointNames: namesOf(2), points: movingAverage(motion.points, [jerk, jerk]) };
        const [before, after] = [new TrajectoryCurve(motion), new TrajectoryCurve(average)];
        const window = after.end - before.end;
        const samples = 2000;
        const [q, sum] = [new Float64Array(2), new Float64Array(2)];
        for (let i = 0; i < samples; i++) {
          before.position(q, Math.max(0, share * after.end - ((i + 0.5) / samples) * window));
          for (let j = 0; j < 2; j++) sum[j] += q[j] / samples;
        }
        after.position(q, share * after.end);
        for (let j = 0; j < 2; j++) expect(q[j]).toBeCloseTo(sum[j], 5);
      }),
      { numRuns: 50 },
    );
  });

  test('of a trapezoid is the double S of the textbook: d/v + v/a + a/j', () => {
    const { points } = timeParameterize([[0], [2]], ['a'], limitsOf(1, 1, 4));
    expect(durationOfPoints({ jointNames: ['a'], points: movingAverage(points, [40]) })).toBeCloseTo(2 + 0.25 + 0.1, 4);
  });

  test('ends where the motion ends, to the last digit, at rest', () => {
    fc.assert(
      fc.property(motions, ({ motion, jerk }) => {
        const points = movingAverage(motion.points, [jerk, jerk]);
        expect(points[0].positions).toEqual(motion.points[0].positions);
        expect(points.at(-1)?.positions).toEqual(motion.points.at(-1)?.positions);
        for (const point of [points[0], points.at(-1)]) for (const v of point!.velocities!) expect(v).toBe(0);
      }),
    );
  });
});
