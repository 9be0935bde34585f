import { expect, test } from 'vitest';
import { jointRates, motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { Random } from '../../../src/core/math/random.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';

test('the pieces of a motion are its curve, and the bounds over a part of a piece hold there and are reached', () => {
  const random = new Random(11);
  for (let round = 0; round < 60; round++) {
    const value = () => random.between(-2, 2);
    const duration = 10 ** random.between(-2, 1);
    const points = [0, duration].map((time_from_start) => {
      return { time_from_start, positions: [value(), value()], velocities: [value(), value()] };
    });
    const curve = new TrajectoryCurve({ jointNames: ['a', 'b'], points });
    const [piece] = motionPieces({ jointNames: ['a', 'b'], points });
    const from = duration * random.between(0, 0.7);
    const to = from + (duration - from) * random.next();
    const bounds = jointRates(piece, from, from, to);
    const [q, v] = [new Float64Array(2), new Float64Array(2)];
    const [fastest, hardest] = [new Float64Array(2), new Float64Array(2)];
    curve.accelerationBounds(hardest, from, to);
    for (let i = 0; i <= 50; i++) {
      const t = Math.min(to, from + ((to - from) * i) / 50);
      const now = jointRates(piece, from, t, to);
      curve.position(q, t);
      curve.velocity(v, t);
      for (let j = 0; j < 2; j++) {
        expect(now.position[j]).toBeCloseTo(q[j], 12);
        expect(Math.abs(now.velocity[j] - v[j])).toBeLessThan(1e-12 * (1 + 4 / duration));
        expect(Math.abs(v[j])).toBeLessThanOrEqual(bounds.speed[j]);
        expect(Math.abs(q[j])).toBeLessThanOrEqual(piece.terms[j]);
        fastest[j] = Math.max(fastest[j], Math.abs(v[j]));
      }
    }
    for (let j = 0; j < 2; j++) {
      expect(fastest[j]).toBeGreaterThan(bounds.speed[j] - (bounds.acceleration[j] * (to - from)) / 50 - 1e-9);
      expect(hardest[j]).toBeLessThanOrEqual(bounds.acceleration[j]);
      expect(hardest[j]).toBeGreaterThan((1 - 1e-9) * bounds.acceleration[j] - 1e-9);
    }
  }
});
