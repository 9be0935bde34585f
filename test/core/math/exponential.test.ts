import { assert, describe, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { exp, log, pow } from '../../../src/core/math/trigonometry.ts';

/** Relative error in units of 2⁻⁵². The functions of the engine, within 1 ulp, are the reference. */
const ulps = (value: number, reference: number) =>
  value === reference ? 0 : Math.abs(value - reference) / (Math.abs(reference) * Number.EPSILON);

describe('exponential functions', () => {
  const random = new Random(5);
  const samples = Array.from({ length: 20_000 }, () => 2 * random.next() - 1);

  test('exp is within 2 ulp of the exact value from −700 to 700', () => {
    for (const s of samples) assert.isBelow(ulps(exp(700 * s), Math.exp(700 * s)), 3);
  });

  test('log is within 2 ulp of the exact value over all magnitudes, and near 1', () => {
    for (const s of samples) {
      const x = Math.exp(700 * s);
      assert.isBelow(ulps(log(x), Math.log(x)), 3);
      assert.isBelow(ulps(log(1 + s / 4), Math.log1p(s / 4 === 1 + s / 4 - 1 ? s / 4 : 1 + s / 4 - 1)), 3);
    }
  });

  test('extreme arguments have the limits that IEEE 754 states', () => {
    assert.deepEqual(
      [exp(0), exp(710), exp(-746), log(1), log(0), log(Infinity), pow(0, 0), pow(2, 10), pow(-2, 3), pow(4, 0.5)],
      [1, Infinity, 0, 0, -Infinity, Infinity, 1, 1024, -8, 2],
    );
    assert.isNaN(log(-1));
    assert.isNaN(exp(Number.NaN));
    assert.isNaN(pow(-1, 0.3));
    assert.equal(log(5e-324), Math.log(5e-324));
    assert.equal(exp(-745), Math.exp(-745));
  });

  test('pow agrees with the engine to 1e-13, and is exact for small integers', () => {
    for (const s of samples)
      assert.approximately(pow(1 + 3 * Math.abs(s), 20 * s + 0.1) / (1 + 3 * Math.abs(s)) ** (20 * s + 0.1), 1, 1e-13);
    for (let i = -9; i <= 9; i++) for (let n = 0; n <= 9; n++) assert.equal(pow(i, n), i ** n);
  });
});
