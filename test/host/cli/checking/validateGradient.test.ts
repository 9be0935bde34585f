import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const scene = join(root, 'scenes/table-top.yaml');

test('the gradient of validate is that of differences', async () => {
  const states = Array.from({ length: 12 }, (_, i) => [0.2 * i - 1, -1.5, 1.2, -1.3 - 0.05 * i, -1.57, 0.3]);
  const ask = async (q: number[][], ...more: string[]) => {
    const { stdout } = await elbowroom(['validate', scene, '-', ...more], {
      input: q.map((one) => JSON.stringify(one)).join('\n'),
    });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const hulls = await ask(states, '--gradient');
  const step = 1e-5;
  const moved = states.map((q) => q.map((value, k) => (k === 1 ? value + step : value)));
  const back = states.map((q) => q.map((value, k) => (k === 1 ? value - step : value)));
  const [above, below] = await Promise.all([ask(moved, '--clearance'), ask(back, '--clearance')]);
  let compared = 0;
  for (const [i, { clearance, gradient, differentiable }] of hulls.entries()) {
    expect(gradient.length).toBe(6);
    const curvature = Math.abs(above[i].clearance - 2 * clearance + below[i].clearance) / step;
    if (!differentiable || curvature > 1e-4) continue;
    compared++;
    expect(gradient[1]).toBeCloseTo((above[i].clearance - below[i].clearance) / (2 * step), 4);
  }
  expect(compared).toBeGreaterThan(5);
});
