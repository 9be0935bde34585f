import { expect, test } from 'vitest';
import { solveCholesky } from '../../../src/core/math/cholesky.ts';
import { Random } from '../../../src/core/math/random.ts';

test('A x = b holds for random positive definite matrices of one to nine rows', () => {
  const random = new Random(1);
  for (let n = 1; n <= 9; n++) {
    const B = Array.from({ length: n }, () => Array.from({ length: n }, () => random.between(-1, 1)));
    const A = B.map((row, i) =>
      B.map((other, j) => row.reduce((sum, x, k) => sum + x * other[k], 0) + (i === j ? 0.1 : 0)),
    );
    const b = Array.from({ length: n }, () => random.between(-1, 1));
    const x = Float64Array.from(b);
    expect(solveCholesky(Float64Array.from(A.flat()), x, n)).toBe(true);
    for (const [i, row] of A.entries()) expect(row.reduce((sum, a, j) => sum + a * x[j], 0)).toBeCloseTo(b[i], 11);
  }
});

test('a matrix that is not positive definite is refused', () => {
  expect(solveCholesky(Float64Array.of(1, 2, 2, 4), new Float64Array(2), 2)).toBe(false);
  expect(solveCholesky(Float64Array.of(-1), new Float64Array(1), 1)).toBe(false);
});
