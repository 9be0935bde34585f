import { expect, test } from 'vitest';
import { Random } from '../../src/core/math/random.ts';
import { solveQp } from '../../src/core/optimization/quadraticProgram.ts';

const VARIABLES = 12;
const PRICE = 20;

/**
 * The programs of a smooth drive: speeds with limits on them and on their differences, a distance to cover and dense
 * rows to keep, both at a price per unit of violation.
 */
function driveProgram(random: Random) {
  const n = VARIABLES;
  const size = n + 2;
  const P = new Float64Array(size * size);
  const c = new Float64Array(size).fill(PRICE, n);
  const G: number[] = [];
  const h: number[] = [];
  const atMost = (entries: readonly (readonly [number, number])[], bound: number) => {
    const row = new Float64Array(size);
    for (const [i, value] of entries) row[i] = value;
    G.push(...row);
    h.push(bound);
  };
  for (let k = 0; k <= n; k++) {
    const rise = [[k, 1] as const, [k - 1, -1] as const].filter(([i]) => i >= 0 && i < n);
    for (const [i, a] of rise) for (const [j, b] of rise) P[size * i + j] += a * b;
    for (const sign of [1, -1])
      atMost(
        rise.map(([i, a]) => [i, sign * a]),
        0.1,
      );
  }
  const fastest = 0.025 * n;
  for (let k = 0; k < n; k++) {
    atMost([[k, 1]], fastest);
    atMost([[k, -1]], 0);
  }
  const distance = 0.6 * n * fastest;
  const weights = Array.from({ length: n }, () => random.between(0.5, 1.5));
  for (const sign of [1, -1]) atMost([...weights.map((a, i) => [i, sign * a] as const), [n, -1]], sign * distance);
  for (let i = 0; i < 5; i++) {
    const row = Array.from({ length: n }, (_, j) => [j, random.between(-0.3, 0.7)] as const);
    atMost([...row, [n + 1, -1]], 0.2 * distance);
  }
  atMost([[n + 1, -1]], 0);
  return { P, c, G, h };
}

// Matrices P + Gᵀ(z/s)G lose the last digits where dense and narrow constraints hold together: the interior point
// stalled at residuals of 1e-8, and programs with good solutions were `undecided`, ten of these two hundred. Three are
// left, whose active constraints depend on each other.
test('programs whose interior point stalls near the solution are solved, but for a few', () => {
  const random = new Random(1);
  const answers = Array.from({ length: 200 }, () => {
    const { P, c, G, h } = driveProgram(random);
    return solveQp(P, c, G, h);
  });
  const solved = answers.filter(({ status }) => status === 'optimal' || status === 'degenerate');
  expect(solved.length).toBeGreaterThanOrEqual(196);
  for (const { residual } of solved) expect(residual).toBeLessThanOrEqual(1e-9);
  for (const { residual, status } of answers) expect(residual, status).toBeLessThan(1e-7);
});
