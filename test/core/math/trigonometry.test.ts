import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { acos, asin, atan2, cos, sin, wrapAngle } from '../../../src/core/math/trigonometry.ts';

const random = new Random(3);
const angles = Array.from({ length: 20_000 }, (_, i) => random.between(-1, 1) * [1, 7, 100, 1e5][i % 4]);

test('sine and cosine differ from the engine by one unit in the last place of 1 at most', () => {
  for (const x of angles) {
    expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThanOrEqual(2.3e-16);
    expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThanOrEqual(2.3e-16);
  }
});

test('the sine of the double nearest to pi is what that double lacks of pi', () => {
  expect(sin(Math.PI)).toBe(1.2246467991473532e-16);
  expect(cos(Math.PI / 2)).toBe(6.123233995736766e-17);
});

test('atan2 finds the angle of every direction, axes and signed zeros included', () => {
  for (const x of angles)
    expect(Math.abs(atan2(Math.sin(x), Math.cos(x)) - Math.atan2(Math.sin(x), Math.cos(x)))).toBeLessThanOrEqual(
      4.5e-16,
    );
  for (const y of [0, -0, 1, -1, Number.POSITIVE_INFINITY])
    for (const x of [0, -0, 2, -2, Number.NEGATIVE_INFINITY]) expect(atan2(y, x)).toBe(Math.atan2(y, x));
});

test('arc cosine and arc sine undo their functions, and take what rounding put beyond 1', () => {
  for (const x of angles) {
    const c = Math.cos(x);
    expect(Math.abs(acos(c) - Math.acos(c))).toBeLessThanOrEqual(4.5e-16);
    expect(Math.abs(asin(c) - Math.asin(c))).toBeLessThanOrEqual(4.5e-16);
  }
  expect(acos(1 + 1e-15)).toBe(0);
  expect(asin(-1 - 1e-15)).toBe(-Math.PI / 2);
});

test('what is not a number stays so', () => {
  for (const f of [sin, cos, acos, asin, wrapAngle]) expect(f(Number.NaN)).toBeNaN();
  expect(sin(Number.POSITIVE_INFINITY)).toBeNaN();
});

test('a wrapped angle lies in [-pi, pi) and differs by full turns', () => {
  for (const x of angles) {
    const wrapped = wrapAngle(x);
    expect(wrapped >= -Math.PI && wrapped < Math.PI).toBe(true);
    const turns = (x - wrapped) / (2 * Math.PI);
    expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-9);
  }
});
