import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blendedMotion } from '../../../src/core/trajectory/blendedMotion.ts';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { InputError } from '../../../src/errors.ts';
import { distanceToSegment, durationOfPoints, limitsOf, namesOf, pathsAndLimits } from './motions.ts';

const everywhere = (_motion: Trajectory) => true;
const nowhere = () => false;

/** Greatest distance of the curve from the polyline, by samples; 0 for a motion that rests. */
function deviation(motion: Trajectory, path: readonly (readonly number[])[], samples = 12): number {
  const curve = new TrajectoryCurve(motion);
  const q = new Float64Array(curve.dof);
  let greatest = 0;
  for (let k = 0; k < curve.pieces; k++) {
    for (let i = 0; i <= samples; i++) {
      curve.position(q, curve.times[k] + (i / samples) * (curve.times[k + 1] - curve.times[k]));
      const segments = path.map((from, s) => distanceToSegment(q, from, path[Math.min(s + 1, path.length - 1)]));
      greatest = Math.max(greatest, Math.min(...segments));
    }
  }
  return greatest;
}

describe('every blended motion', () => {
  test('satisfies all limits at every instant, by the exact extremes of the written cubics', () => {
    fc.assert(
      fc.property(pathsAndLimits, fc.infiniteStream(fc.boolean()), ({ path, limits }, verdicts) => {
        const isFree = () => verdicts.next().value as boolean;
        const { faults, ratios } = examineMotion(
          blendedMotion(path, namesOf(path[0].length), limits, isFree).trajectory,
          limits,
        );
        expect(faults).toEqual([]);
        for (const ratio of Object.values(ratios)) expect(ratio).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  test('runs from end to end, rests there, runs forward on whole nanoseconds, and is never slower than one that stops', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const names = namesOf(path[0].length);
        const { trajectory, corners, blends } = blendedMotion(path, names, limits, everywhere);
        const { points } = trajectory;
        const times = points.map((point) => point.time_from_start!);
        expect(times[0]).toBe(0);
        for (let i = 1; i < times.length; i++) expect(times[i]).toBeGreaterThan(times[i - 1]);
        for (const t of times) expect(Math.round(t * 1e9) / 1e9).toBe(t);
        for (const [point, q] of [
          [points[0], path[0]],
          [points[points.length - 1], path[path.length - 1]],
        ] as const) {
          expect(point.positions).toEqual(q.map((x) => x + 0)); // −0 is written as 0
          for (const v of point.velocities!) expect(v).toBe(0);
        }
        expect(blends).toBeLessThanOrEqual(corners);
        expect(durationOfPoints(trajectory)).toBeLessThanOrEqual(
          durationOfPoints(timeParameterize(path, names, limits)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('leaves the polyline no farther than the collision-free region allows', () => {
    fc.assert(
      fc.property(pathsAndLimits, fc.double({ min: -5, max: -1, noNaN: true }), ({ path, limits }, exponent) => {
        const room = 10 ** exponent;
        const { trajectory } = blendedMotion(
          path,
          namesOf(path[0].length),
          limits,
          (motion) => deviation(motion, path) <= room,
        );
        expect(deviation(trajectory, path)).toBeLessThanOrEqual(1.1 * room);
      }),
      { numRuns: 100 },
    );
  });

  test('passes every corner without a stop if everything is free and no step is tiny, and is then faster', () => {
    const paths = fc.integer({ min: 1, max: 7 }).chain((dof) => {
      const joint = fc.double({ min: -3, max: 3, noNaN: true });
      return fc.array(fc.array(joint, { minLength: dof, maxLength: dof }), { minLength: 3, maxLength: 12 });
    });
    const isLong = (path: number[][]) =>
      path.slice(1).every((to, i) => Math.max(...to.map((x, j) => Math.abs(x - path[i][j]))) > 0.05);
    fc.assert(
      fc.property(paths.filter(isLong), fc.double({ min: 0.1, max: 10, noNaN: true }), (path, velocity) => {
        const names = namesOf(path[0].length);
        const limits = limitsOf(path[0].length, velocity, 4);
        const { trajectory, corners, blends } = blendedMotion(path, names, limits, everywhere);
        expect(blends).toBe(corners);
        if (corners === 0) return;
        expect(durationOfPoints(trajectory)).toBeLessThan(durationOfPoints(timeParameterize(path, names, limits)));
        const { velocity: v, acceleration: a } = examineMotion(trajectory, limits).ratios;
        expect(Math.max(v, a)).toBeGreaterThan(0.999); // some limit is what keeps it from being faster
      }),
      { numRuns: 300 },
    );
  });

  test('stops at every corner where nothing is free', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path, limits }) => {
        const names = namesOf(path[0].length);
        const { trajectory, blends } = blendedMotion(path, names, limits, nowhere);
        expect(blends).toBe(0);
        expect(trajectory).toEqual(timeParameterize(path, names, limits));
      }),
    );
  });
});

describe('corners', () => {
  const limits = limitsOf(2, 1, 4);
  const blended = (path: number[][], isFree = everywhere) => blendedMotion(path, namesOf(2), limits, isFree);
  const restingPoints = ({ points }: Trajectory) => points.filter((point) => point.velocities!.every((v) => v === 0));

  test('of a right angle, of 1e-9 rad, and straight back are passed without a stop', () => {
    for (const path of [
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      [
        [0, 0],
        [1, 0],
        [2, 1e-9],
      ],
      [
        [0, 0],
        [1, 0],
        [0.5, 0],
      ],
    ]) {
      const { trajectory, corners, blends } = blended(path);
      expect({ corners, blends, rests: restingPoints(trajectory).length }).toEqual({ corners: 1, blends: 1, rests: 2 });
    }
  });

  test('that are as good as straight cost next to nothing', () => {
    const path = [
      [0, 0],
      [1, 0],
      [2, 1e-9],
    ];
    const direct = durationOfPoints(timeParameterize([path[0], path[2]], namesOf(2), limits));
    expect(durationOfPoints(blended(path).trajectory)).toBeLessThanOrEqual(1.0001 * direct);
  });

  test('of a right angle may take as long as the joints one after the other, halfway at once: both at speed 1 in 2.25 s and not 2.5', () => {
    // Each joint speeds up and slows down in 1/4 s; the corner lets the second speed up while the first slows down.
    const path = [
      [0, 0],
      [1, 0],
      [1, 1],
    ];
    expect(durationOfPoints(timeParameterize(path, namesOf(2), limits))).toBeCloseTo(2.5, 4);
    expect(
      durationOfPoints(blended(path, (motion) => deviation(motion, path) <= 0.0625).trajectory),
    ).toBeLessThanOrEqual(2.2501);
  });

  test('a tiny step apart are one corner, where the line between their neighbours is free, and two where it is not', () => {
    const one = [
      [0, 0],
      [1, 0],
      [1, 1],
    ];
    const two = [
      [0, 0],
      [1, 0],
      [1 + 1e-9, 1e-9],
      [1, 1],
    ];
    const { trajectory, corners } = blended(two);
    expect(corners).toBe(1);
    expect(durationOfPoints(trajectory)).toBeCloseTo(durationOfPoints(blended(one).trajectory), 6);
    expect(blended(two, (motion) => motion.points[0].time_from_start !== undefined).corners).toBe(2);
  });

  test('a tiny step from an end are left out, the ends are kept', () => {
    const { trajectory, corners } = blended([
      [0, 0],
      [1e-9, -1e-9],
      [1, 0],
      [1, 1e-9],
    ]);
    expect({ corners, rests: restingPoints(trajectory).length }).toEqual({ corners: 0, rests: 2 });
    expect(trajectory.points[0].positions).toEqual([0, 0]);
    expect(trajectory.points.at(-1)?.positions).toEqual([1, 1e-9]);
  });

  test('where the path has been before are corners all the same', () => {
    const there = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 0],
    ];
    expect(blended(there).corners).toBe(4);
  });

  test('a path that cannot be parameterized is refused as without blends', () => {
    for (const path of [[], [[0, 0], [1]], [[0, Number.NaN]]]) expect(() => blended(path)).toThrow(InputError);
  });

  test('are counted separately: blended, reduced, and stops', () => {
    const path = [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 1],
    ];
    const isFree = (motion: Trajectory) => motion.points[0].positions[1] > 0 && deviation(motion, path) <= 0.01;
    const { corners, blends, shrunk, trajectory } = blended(path, isFree);
    expect({ corners, blends }).toEqual({ corners: 2, blends: 1 });
    expect(shrunk).toBeGreaterThan(2);
    expect(restingPoints(trajectory)).toHaveLength(3);
  });
});

test('the same path gives the same motion, bit by bit', () => {
  fc.assert(
    fc.property(pathsAndLimits, ({ path, limits }) => {
      const once = () => JSON.stringify(blendedMotion(path, namesOf(path[0].length), limits, everywhere));
      expect(once()).toBe(once());
    }),
    { numRuns: 20 },
  );
});

describe('with jerk limits', () => {
  const path = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 2],
  ];
  const limits = limitsOf(2, 1, 4, 400);
  const blended = (isFree: (motion: Trajectory) => boolean) => blendedMotion(path, namesOf(2), limits, isFree);

  test('corners are passed without a stop, in hardly more time than without jerk limits', () => {
    const { trajectory, blends } = blended(everywhere);
    const { faults, ratios } = examineMotion(trajectory, limits);
    expect({ blends, faults }).toEqual({ blends: 2, faults: [] });
    expect(ratios.jerk).toBeLessThanOrEqual(1);
    const without = durationOfPoints(blendedMotion(path, namesOf(2), limitsOf(2, 1, 4), everywhere).trajectory);
    expect(durationOfPoints(trajectory)).toBeLessThan(without + 0.03); // twice the ramp of a/j
    expect(durationOfPoints(trajectory)).toBeLessThan(0.9 * durationOfPoints(blended(nowhere).trajectory));
  });

  test('each blend is certified at its own position, also after stops', () => {
    const isNearFirst = ({ points }: Trajectory) => points.every(({ positions: [x, y] }) => x > 0.5 && y < 0.5);
    const { blends, shrunk } = blended((motion) => !isNearFirst(motion));
    expect(blends).toBe(1);
    expect(shrunk).toBe(5);
  });

  test('and joints without other limits, or whose way is rounding, the limits that there are hold', () => {
    const none = Number.POSITIVE_INFINITY;
    const mixed = { ...limitsOf(3, 1, 1, 20), velocity: [1, 1, none], acceleration: [1, none, 1] };
    const turns = [
      [0, 0, 0],
      [0, 1e-5, -2e-7],
      [-5.6e-309, 1e-5, 1e-5],
    ];
    const { trajectory } = blendedMotion(turns, namesOf(3), mixed, (motion) => motion.points.length > 0);
    expect(examineMotion(trajectory, mixed).faults).toEqual([]);
  });

  test('a blend that is not certified is reduced, finally to a stop, and the whole motion is certified', () => {
    const asked: Trajectory[] = [];
    const { trajectory, blends, shrunk } = blended((motion) => {
      asked.push(motion);
      return motion.points.every(({ positions: [x, y] }) => x < 0.9 || y > 0.9 || x === 1 || y === 0);
    });
    expect(blends).toBe(1);
    expect(shrunk).toBeGreaterThanOrEqual(5);
    expect(asked).toContainEqual(trajectory);
    expect(trajectory.points.filter((point) => point.velocities!.every((v) => v === 0))).toHaveLength(3);
  });
});
