import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';

test('equal seeds draw equal numbers, other seeds and other streams do not', () => {
  const draw = (seed: number, stream?: number) =>
    Array.from(
      { length: 8 },
      (
        (random) => () =>
          random.uint32()
      )(new Random(seed, stream)),
    );
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7, 1)).not.toEqual(draw(7));
  expect(draw(7 + 2 ** 32)).not.toEqual(draw(7));
});

test('the first numbers of seed 1 stay what they were: stored plans depend on them', () => {
  const random = new Random(1);
  expect(Array.from({ length: 4 }, () => random.uint32())).toMatchInlineSnapshot(`
    [
      4064752930,
      1169703512,
      1317941441,
      2551256358,
    ]
  `);
});

test('numbers fill [0, 1) evenly: chi-square over 64 cells of 640,000 draws', () => {
  const random = new Random(5);
  const cells = new Array<number>(64).fill(0);
  for (let i = 0; i < 640_000; i++) cells[Math.floor(random.next() * 64)]++;
  const chiSquare = cells.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0);
  expect(chiSquare).toBeLessThan(112); // 63 degrees of freedom: exceeded by chance once in 10,000
  expect(chiSquare).toBeGreaterThan(28);
});
