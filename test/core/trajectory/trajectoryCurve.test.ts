import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { pathLength, trajectoryLength } from '../../../src/core/trajectory/trajectoryLength.ts';
import { namesOf } from './motions.ts';

const value = fc.double({ min: -4, max: 4, noNaN: true });

/** Any cubic spline of one to three joints. */
const splines: fc.Arbitrary<Trajectory> = fc.integer({ min: 1, max: 3 }).chain((dof) => {
  const vector = fc.array(value, { minLength: dof, maxLength: dof });
  const point = fc.record({
    step: fc.double({ min: 0.01, max: 2, noNaN: true }),
    positions: vector,
    velocities: vector,
  });
  return fc.array(point, { minLength: 2, maxLength: 6 }).map((list) => {
    let time = -list[0].step;
    const points = list.map(({ step, positions, velocities }) => {
      time += step;
      return { time_from_start: time, positions, velocities };
    });
    return { jointNames: namesOf(dof), points };
  });
});
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the curve of a motion with velocities', () => {
  test('passes through every point with its velocity, from both sides', () => {
    fc.assert(
      fc.property(splines, (trajectory) => {
        const curve = new TrajectoryCurve(trajectory);
        const out = new Float64Array(curve.dof);
        for (const { time_from_start: t, positions, velocities } of trajectory.points) {
          for (const side of [-1e-12, 0, 1e-12]) {
            curve.position(out, t! + side);
            for (const [j, x] of positions.entries()) expect(out[j]).toBeCloseTo(x, 8);
            curve.velocity(out, t! + side);
            // Accelerations of up to 1e6 act for 1e-12 s.
            for (const [j, v] of velocities!.entries()) expect(Math.abs(out[j] - v)).toBeLessThan(1e-5);
          }
        }
      }),
    );
  });

  test('never leaves its bounds of position, speed and acceleration over an interval, and comes near them', () => {
    fc.assert(
      fc.property(splines, share, share, (trajectory, a, b) => {
        const curve = new TrajectoryCurve(trajectory);
        const [t0, t1] = [a, b].sort((x, y) => x - y).map((x) => curve.start + x * (curve.end - curve.start));
        const make = () => new Float64Array(curve.dof);
        const [lower, upper, speed, acceleration, q, v, before] = Array.from({ length: 7 }, make);
        const [least, greatest, fastest] = [make().fill(Infinity), make().fill(-Infinity), make()];
        curve.positionBounds(lower, upper, t0, t1);
        curve.speedBounds(speed, t0, t1);
        curve.accelerationBounds(acceleration, t0, t1);
        const samples = 400;
        const step = (t1 - t0) / samples;
        for (let i = 0; i <= samples; i++) {
          curve.position(q, Math.min(t1, t0 + i * step));
          curve.velocity(v, Math.min(t1, t0 + i * step));
          for (let j = 0; j < curve.dof; j++) {
            expect(q[j]).toBeGreaterThanOrEqual(lower[j] - 1e-11);
            expect(q[j]).toBeLessThanOrEqual(upper[j] + 1e-11);
            expect(Math.abs(v[j])).toBeLessThanOrEqual(speed[j] * (1 + 1e-9) + 1e-9);
            if (i > 0)
              expect(Math.abs(v[j] - before[j])).toBeLessThanOrEqual(step * acceleration[j] * (1 + 1e-9) + 1e-9);
            least[j] = Math.min(least[j], q[j]);
            greatest[j] = Math.max(greatest[j], q[j]);
            fastest[j] = Math.max(fastest[j], Math.abs(v[j]));
          }
          before.set(v);
        }
        for (let j = 0; j < curve.dof; j++) {
          // between two samples a joint gains no more than its bounds allow
          expect(lower[j]).toBeGreaterThanOrEqual(least[j] - step * speed[j] - 1e-9);
          expect(upper[j]).toBeLessThanOrEqual(greatest[j] + step * speed[j] + 1e-9);
          expect(speed[j]).toBeLessThanOrEqual(fastest[j] + step * acceleration[j] + 1e-6);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the curve of straight pieces', () => {
  const points = [{ positions: [0, 0] }, { positions: [3, 4] }, { positions: [3, 4] }];
  const q = new Float64Array(2);

  test('counts waypoints for a path', () => {
    const curve = new TrajectoryCurve({ jointNames: namesOf(2), points });
    expect([curve.start, curve.end, curve.pieces, curve.straight]).toEqual([0, 2, 2, true]);
    curve.position(q, 0.5);
    expect([...q]).toEqual([1.5, 2]);
  });

  test('is what points without velocities make, and what interpolation linear makes of any', () => {
    const timed = points.map((point, k) => ({ time_from_start: 2 * k + 1, ...point }));
    const linear = timed.map((point) => ({ ...point, velocities: [9, 9] }));
    for (const trajectory of [
      { jointNames: namesOf(2), points: timed },
      { jointNames: namesOf(2), points: linear, interpolation: 'linear' as const },
    ]) {
      const curve = new TrajectoryCurve(trajectory);
      curve.position(q, 2);
      expect([...q]).toEqual([1.5, 2]);
      curve.velocity(q, 2);
      expect([...q]).toEqual([1.5, 2]);
      curve.accelerationBounds(q, 1, 5);
      expect([...q]).toEqual([0, 0]);
    }
  });

  test('stays before its start, after its end, and at a single point', () => {
    const curve = new TrajectoryCurve({ jointNames: namesOf(2), points: points.slice(1, 2) });
    expect([curve.start, curve.end]).toEqual([0, 0]);
    for (const t of [-1, 0, 5]) {
      curve.position(q, t);
      expect([...q]).toEqual([3, 4]);
      curve.velocity(q, t);
      expect([...q]).toEqual([0, 0]);
    }
  });
});

describe('lengths', () => {
  test('of a polyline are the sum of its sides', () => {
    expect(
      pathLength([
        [0, 0],
        [3, 4],
        [3, 4],
        [3, 5],
      ]),
    ).toBe(6);
    expect(pathLength([[1]])).toBe(0);
  });

  test('of a spline of one joint are what the joint travels, there and back', () => {
    // Velocity 1 − 2u over 2 s: a quarter forward, back through the start to −2.
    const there = {
      jointNames: ['a'],
      points: [
        { time_from_start: 0, positions: [0], velocities: [1] },
        { time_from_start: 2, positions: [-2], velocities: [-3] },
      ],
    };
    expect(trajectoryLength(there)).toBeCloseTo(2.5, 9);
  });

  test('of a parabola are the closed form', () => {
    // (u, u²) for 0 <= u <= 1: √5/2 + asinh(2)/4.
    const parabola = {
      jointNames: namesOf(2),
      points: [
        { time_from_start: 0, positions: [0, 0], velocities: [1, 0] },
        { time_from_start: 1, positions: [1, 1], velocities: [1, 2] },
      ],
    };
    expect(trajectoryLength(parabola)).toBeCloseTo(Math.sqrt(5) / 2 + Math.asinh(2) / 4, 10);
  });

  test('of a spline are never shorter than its polyline', () => {
    fc.assert(
      fc.property(splines, (trajectory) => {
        // Below 1e-150 rad the squares underflow, and no length means anything.
        const polyline = pathLength(trajectory.points.map((p) => p.positions));
        expect(trajectoryLength(trajectory)).toBeGreaterThanOrEqual(polyline * (1 - 1e-9) - 1e-150);
      }),
    );
  });
});
