import { describe, expect, test } from 'vitest';
import { CubicMotion, type Motion, StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { ArcMotion } from './arcMotion.ts';

const random = new Random(12);
const vector = (reach: number) => Float64Array.from({ length: 3 }, () => random.between(-reach, reach));

function straight(): Motion {
  const motion = new StraightMotion(3);
  motion.qFrom = vector(2);
  motion.qTo = vector(2);
  return motion;
}

const cubic = (): Motion =>
  new CubicMotion(
    0.5,
    0.5 + random.between(0.1, 3),
    Float64Array.from({ length: 12 }, () => random.between(-1, 1)),
  );

/** An arc of radius 0.4 in a random plane. */
function arc(): ArcMotion {
  const x = vector(1);
  const y = vector(1);
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const scaled = (a: Float64Array, factor: number) => a.map((value) => factor * value);
  const unit = scaled(x, 0.4 / Math.sqrt(dot(x, x)));
  const across = y.map((value, i) => value - (dot(y, unit) / dot(unit, unit)) * unit[i]);
  return new ArcMotion(vector(2), unit, scaled(across, 0.4 / Math.sqrt(dot(across, across))), random.between(-3, 3));
}

describe.each([
  ['straight motions', straight],
  ['cubic motions', cubic],
  ['circular blends', arc],
])('%s', (_, create) => {
  test('have the velocity that is the derivative of their positions', () => {
    for (let k = 0; k < 100; k++) {
      const motion = create();
      const t = random.between(motion.start + 1e-3, motion.end - 1e-3);
      const [before, after, velocity] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
      motion.positionAt(before, t - 1e-5);
      motion.positionAt(after, t + 1e-5);
      motion.velocityAt(velocity, t);
      for (let i = 0; i < 3; i++) expect(Math.abs(velocity[i] - (after[i] - before[i]) / 2e-5)).toBeLessThan(1e-7);
    }
  });

  test('satisfy their bounds on velocity and acceleration throughout an interval', () => {
    for (let k = 0; k < 200; k++) {
      const motion = create();
      const [from, to] = [random.between(motion.start, motion.end), random.between(motion.start, motion.end)].sort(
        (a, b) => a - b,
      );
      const [speed, change, velocity, next] = [0, 0, 0, 0].map(() => new Float64Array(3));
      motion.boundsOver(speed, change, from, to);
      for (let s = 0; s < 20; s++) {
        const [t, u] = [from + ((to - from) * s) / 20, from + ((to - from) * (s + 1)) / 20];
        motion.velocityAt(velocity, t);
        motion.velocityAt(next, u);
        for (let i = 0; i < 3; i++) {
          expect(Math.abs(velocity[i])).toBeLessThanOrEqual(speed[i] * (1 + 1e-14) + 1e-15);
          expect(Math.abs(next[i] - velocity[i])).toBeLessThanOrEqual(change[i] * (u - t) + 1e-13);
        }
      }
    }
  });
});

test('a circular blend stays on its circle and ends at its angle', () => {
  const motion = arc();
  const q = new Float64Array(3);
  for (const t of [0, 0.3, 1]) {
    motion.positionAt(q, t);
    expect(Math.hypot(...q.map((value, i) => value - motion.center[i]))).toBeCloseTo(0.4, 14);
  }
  const expected = motion.center.map(
    (c, i) => c + Math.cos(motion.angle) * motion.x[i] + Math.sin(motion.angle) * motion.y[i],
  );
  for (let i = 0; i < 3; i++) expect(q[i]).toBeCloseTo(expected[i], 14);
});
