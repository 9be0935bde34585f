import { describe, expect, test } from 'vitest';
import { boundingSphere, supportHeight } from '../../../src/core/certificate/supportHeight.ts';
import { Random } from '../../../src/core/math/random.ts';
import { createShape, shapes } from '../../../src/core/shapes/index.ts';

const bounded = Object.entries(shapes).filter(([type]) => type !== 'halfspace');

describe.each(bounded)('%s', (type, { samples }) => {
  test.each(samples)('is as high as its support point, along directions of any length: %j', (spec) => {
    const shape = createShape(spec);
    const { center, radius } = boundingSphere(shape);
    const random = new Random(type.length);
    const p = new Float64Array(3);
    for (let i = 0; i < 100; i++) {
      const d = Float64Array.from([0, 1, 2], () => random.between(-3, 3));
      if (i < 6) d.set([0, 0, 0].map((_, k) => (k === i >> 1 ? 2 * (i & 1) - 1 : 0)));
      shape.support(p, shape, d, -1);
      const height = p[0] * d[0] + p[1] * d[1] + p[2] * d[2] + shape.margin * Math.hypot(...d);
      expect(supportHeight(shape, d[0], d[1], d[2])).toBeCloseTo(height, 12);
      expect(Math.hypot(...p.map((x, k) => x - center[k])) + shape.margin).toBeLessThanOrEqual(radius * (1 + 1e-14));
    }
  });
});

test('a half-space is infinitely high', () => {
  const ground = createShape({ type: 'halfspace', normal: [0, 0, 1] });
  expect(supportHeight(ground, 0, 0, 1)).toBe(Number.POSITIVE_INFINITY);
});
