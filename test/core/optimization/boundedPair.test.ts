import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { createBoundedPair, solveBoundedPair } from '../../../src/core/optimization/pillProximity.ts';
import { solveQp } from '../../../src/core/optimization/quadraticProgram.ts';

const G = [1, 0, 0, 1, -1, 0, 0, -1];
const h = [1, 1, 0, 0];
const out = createBoundedPair();

test('solution and multipliers satisfy the KKT conditions, and the cost equals that of the interior point method', () => {
  const random = new Random(1);
  const places = new Set<string>();
  for (let i = 0; i < 20_000; i++) {
    const draw = () => random.between(-1, 1);
    const [a, b] = [
      [draw(), draw(), draw()],
      [draw(), draw(), draw()],
    ];
    if (i % 10 === 0)
      a.forEach((x, k) => {
        b[k] = 2 * x;
      }); // parallel segments: the cost is flat along a line
    if (i % 17 === 0) b.fill(0);
    const dot = (u: number[], v: number[]) => u.reduce((sum, x, k) => sum + x * v[k], 0);
    const [p0, p1, p2] = [dot(a, a), dot(a, b), dot(b, b)];
    const e = [draw(), draw(), draw()];
    const [c0, c1] = [dot(a, e), dot(b, e)];
    solveBoundedPair(out, p0, p1, p2, c0, c1);
    const { x, z } = out;
    const label = `${i}: ${x} ${z}`;
    expect(Math.abs(p0 * x[0] + p1 * x[1] + c0 + z[0] - z[2]), label).toBeLessThan(1e-9);
    expect(Math.abs(p1 * x[0] + p2 * x[1] + c1 + z[1] - z[3]), label).toBeLessThan(1e-9);
    for (let k = 0; k < 2; k++) {
      expect(x[k] >= 0 && x[k] <= 1 && z[k] >= 0 && z[k + 2] >= 0, label).toBe(true);
      expect(z[k] * (1 - x[k]), label).toBe(0);
      expect(z[k + 2] * x[k], label).toBe(0);
    }
    places.add(`${Math.sign(x[0])}${Math.sign(x[0] - 1)} ${Math.sign(x[1])}${Math.sign(x[1] - 1)}`);
    if (i % 20 !== 0) continue;
    const cost = (y: Float64Array) =>
      (p0 * y[0] * y[0]) / 2 + p1 * y[0] * y[1] + (p2 * y[1] * y[1]) / 2 + c0 * y[0] + c1 * y[1];
    const other = solveQp([p0, p1, p1, p2], [c0, c1], G, h);
    expect(cost(x), label).toBeCloseTo(cost(other.x), 9);
  }
  expect(places.size).toBe(9); // interior, four sides, four vertices
});
