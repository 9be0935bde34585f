import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion, motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { distanceToSegment, durationOfPoints, limitsOf, namesOf, pathsAndLimits } from './motions.ts';

/** Three microseconds of rounding up for each stop, and the millionth of a limit that is left unused. */
const expectDuration = (actual: number, closedForm: number) => {
  expect(actual).toBeGreaterThanOrEqual(closedForm);
  expect(actual).toBeLessThanOrEqual(closedForm * (1 + 2e-6) + 8e-6);
};

describe('the fastest motion of one joint', () => {
  const timed = (way: number, velocity: number, acceleration: number, jerk?: number) =>
    durationOfPoints(timeParameterize([[0.3], [0.3 + way]], ['a'], limitsOf(1, velocity, acceleration, jerk)));

  test.each([
    [2, 1, 4],
    [-2.7, 3, 5],
    [0.01, 0.1, 10],
  ])('over %d at speed %d and acceleration %d cruises: d/v + v/a', (d, v, a) => {
    expectDuration(timed(d, v, a), Math.abs(d) / v + v / a);
  });

  test.each([
    [0.2, 1, 4],
    [-1e-3, 3, 5],
    [1, 100, 1],
  ])('over %d at speed %d and acceleration %d never cruises: 2 √(d/a)', (d, v, a) => {
    expectDuration(timed(d, v, a), 2 * Math.sqrt(Math.abs(d) / a));
  });

  test.each([
    [2, 1, 4, 40],
    [-3, 1.5, 3, 12],
  ])('over %d at speed %d, acceleration %d and jerk %d reaches all three: d/v + v/a + a/j', (d, v, a, j) => {
    expectDuration(timed(d, v, a, j), Math.abs(d) / v + v / a + a / j);
  });

  test('over a short way with a jerk limit takes four ramps: 4 ∛(d/2j)', () => {
    expectDuration(timed(0.001, 1, 4, 10), 4 * Math.cbrt(0.001 / 20));
  });

  test('with jerk and speed limits alone takes d/v + 2 √(v/j)', () => {
    expectDuration(timed(2, 1, 1000, 10), 2 + 2 * Math.sqrt(0.1));
  });

  test('with jerk and acceleration limits alone solves a·(T/2 − a/j)·T/2 = d', () => {
    const [d, a, j] = [2, 1, 10];
    const half = (a / j + Math.sqrt((a / j) ** 2 + (4 * d) / a)) / 2;
    expectDuration(timed(d, 1000, a, j), 2 * half);
  });
});

describe('every motion', () => {
  test('satisfies all limits at every instant, by the exact extremes of the written cubics', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const { faults, ratios } = examineMotion(timeParameterize(path, namesOf(path[0].length), limits), limits);
        expect(faults).toEqual([]);
        for (const ratio of Object.values(ratios)) expect(ratio).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps velocity and acceleration limits at every dense sample, by differences of positions alone', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const curve = new TrajectoryCurve(timeParameterize(path, namesOf(path[0].length), limits));
        const [p, q] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
        for (let i = 0; i < 400 && curve.end > 0; i++) {
          const [t0, t1] = [(i * curve.end) / 400, ((i + 1) * curve.end) / 400];
          curve.position(p, t0);
          curve.position(q, t1);
          for (let j = 0; j < curve.dof; j++) {
            const rounding = 1e-14 / (t1 - t0);
            expect(Math.abs(q[j] - p[j]) / (t1 - t0)).toBeLessThanOrEqual(limits.velocity[j] + rounding);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('stays on the polyline to 1e-12, in order, and visits its corners', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const trajectory = timeParameterize(path, namesOf(path[0].length), limits);
        const curve = new TrajectoryCurve(trajectory);
        const q = new Float64Array(curve.dof);
        let segment = 0;
        for (let k = 0; k < curve.pieces; k++) {
          for (let i = 0; i <= 20; i++) {
            curve.position(q, curve.times[k] + (i / 20) * (curve.times[k + 1] - curve.times[k]));
            // The first segment from here on that it lies on: the motion never goes back along the path.
            while (segment < path.length - 2 && distanceToSegment(q, path[segment], path[segment + 1]) > 1e-12)
              segment++;
            expect(
              distanceToSegment(q, path[segment], path[Math.min(segment + 1, path.length - 1)]),
            ).toBeLessThanOrEqual(1e-12);
          }
        }
        const withoutSign = (values: number[]) => values.map((x) => x + 0); // −0 is written as 0
        expect(trajectory.points[0].positions).toEqual(withoutSign(path[0]));
        expect(trajectory.points.at(-1)?.positions).toEqual(withoutSign(path[path.length - 1]));
      }),
      { numRuns: 300 },
    );
  });

  test('begins at 0, runs forward on whole microseconds and rests at both ends', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const { points } = timeParameterize(path, namesOf(path[0].length), limits);
        const times = points.map((point) => point.time_from_start!);
        expect(times[0]).toBe(0);
        for (let i = 1; i < times.length; i++) expect(times[i]).toBeGreaterThan(times[i - 1]);
        for (const t of times) expect(Math.round(t * 1e6) / 1e6).toBe(t);
        for (const end of [points[0], points[points.length - 1]]) {
          for (const v of end.velocities!) expect(v).toBe(0);
        }
      }),
    );
  });

  test('with a jerk limit has no jump in acceleration', () => {
    const limits = limitsOf(2, 1, 4, 40);
    const { points } = timeParameterize(
      [
        [0, 0],
        [1, 0.2],
        [1, -1],
      ],
      namesOf(2),
      limits,
    );
    expect(motionFaults({ jointNames: namesOf(2), points }, limits)).toEqual([]);
    const jumping = timeParameterize(
      [
        [0, 0],
        [1, 0.2],
      ],
      namesOf(2),
      limitsOf(2, 1, 4),
    );
    expect(motionFaults(jumping, limits)).toMatchObject([
      { kind: 'jerk', value: Number.NEGATIVE_INFINITY },
      { kind: 'jerk' },
    ]);
  });
});

describe('where there is little to do', () => {
  const limits = limitsOf(2, 1, 4);

  test('a path of one point, or of one point many times, is that point at time 0', () => {
    const rest = { time_from_start: 0, positions: [1, 2], velocities: [0, 0] };
    for (const path of [
      [[1, 2]],
      [
        [1, 2],
        [1, 2],
      ],
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ]) {
      expect(timeParameterize(path, namesOf(2), limits)).toEqual({ jointNames: namesOf(2), points: [rest] });
    }
  });

  test('a straight point, a repeated point and one that rounding moved are passed without a stop', () => {
    const direct = timeParameterize(
      [
        [0, 0],
        [3, 0.3],
      ],
      namesOf(2),
      limits,
    );
    for (const between of [
      [[1, 0.1]],
      [
        [1, 0.1],
        [1, 0.1],
        [2, 0.2],
      ],
      [
        [0, 0],
        [1 + 1e-15, 0.1 - 1e-16],
        [3, 0.3 + 4e-16],
      ],
    ]) {
      expect(timeParameterize([[0, 0], ...between, [3, 0.3]], namesOf(2), limits)).toEqual(direct);
    }
  });

  test('a turn of 1e-9 rad and a way straight back are stops', () => {
    const stops = (path: number[][]) =>
      timeParameterize(path, namesOf(2), limits).points.filter((p) => p.velocities!.every((v) => v === 0)).length;
    expect(
      stops([
        [0, 0],
        [1, 0],
        [2, 1e-9],
      ]),
    ).toBe(3);
    expect(
      stops([
        [0, 0],
        [1, 0],
        [0.5, 0],
      ]),
    ).toBe(3);
  });

  test('many points of a slow turn are not taken for a straight line', () => {
    const path = Array.from({ length: 2001 }, (_, k) => [k * 1e-3, (k * 1e-3) ** 2 * 1e-7]);
    const { points } = timeParameterize(path, namesOf(2), limits);
    const curve = new TrajectoryCurve({ jointNames: namesOf(2), points });
    const q = new Float64Array(2);
    for (let i = 0; i <= 5000; i++) {
      curve.position(q, (i / 5000) * curve.end);
      expect(Math.min(...path.slice(1).map((to, k) => distanceToSegment(q, path[k], to)))).toBeLessThanOrEqual(1e-12);
    }
  }, 120_000);

  test('a step of 1e-9 rad takes two phases of a millisecond', () => {
    expect(
      timeParameterize(
        [
          [1, 1],
          [1 + 1e-9, 1],
        ],
        namesOf(2),
        limits,
      ).points.map((p) => p.time_from_start),
    ).toEqual([0, 0.001, 0.002]);
  });

  test('without any limit a motion is two phases of a millisecond', () => {
    const none = limitsOf(2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    expect(
      durationOfPoints(
        timeParameterize(
          [
            [0, 0],
            [1, 2],
          ],
          namesOf(2),
          none,
        ),
      ),
    ).toBe(0.002);
  });

  test('with a speed limit alone a motion speeds up in a millisecond', () => {
    const { points } = timeParameterize(
      [
        [0, 0],
        [1, 2],
      ],
      namesOf(2),
      limitsOf(2, 1, Number.POSITIVE_INFINITY),
    );
    expect(points.map((p) => p.time_from_start)).toEqual(
      [0, 0.001, 2.001003, 2.002003].map((t) => expect.closeTo(t, 5)),
    );
  });
});
