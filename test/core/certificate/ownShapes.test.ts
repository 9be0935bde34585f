import { expect, test } from 'vitest';
import { supportHeight } from '../../../src/core/certificate/supportHeight.ts';
import { createShape, shapes } from '../../../src/core/shapes/index.ts';
import { InputError } from '../../../src/errors.ts';

test('the verifier supports every shape of scene files, and refuses a user-defined support function', () => {
  for (const [type, { samples }] of Object.entries(shapes)) {
    const height = supportHeight(createShape(samples[0]), 1, 2, 3);
    expect(Number.isNaN(height), type).toBe(false);
  }
  const ball = createShape({
    type: 'support',
    support: (out: Float64Array, d: Float64Array) => {
      for (let k = 0; k < 3; k++) out[k] = 0.5 * d[k];
    },
  });
  expect(() => supportHeight(ball, 1, 0, 0)).toThrow(InputError);
  expect(() => supportHeight(ball, 1, 0, 0)).toThrow('verify does not support the shape "support"');
});
