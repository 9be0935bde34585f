import { describe, expect, test } from 'vitest';
import { createPlanarTransform, type PlanarTransform, transformPlanarPoint } from '../../../../src/core/math/planar.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { GrowthGradient } from '../../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthDistance2d } from '../../../../src/core/narrowphase/planar/growthDistance2d.ts';
import { GrowthGradient2d } from '../../../../src/core/narrowphase/planar/growthGradient2d.ts';
import { PlanarCache } from '../../../../src/core/narrowphase/planar/planarSolver.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createPlanarShape } from '../../../../src/core/shapes/planar/index.ts';
import type { PlanarShape } from '../../../../src/core/shapes/planar/planarShape.ts';
import { type PosedPair, randomPair } from './pairs.ts';

const solver = new GrowthGradient2d();
const gradient = new GrowthGradient();
const out = new Separation();

function randomPairs({ seed, count }: { readonly seed: number; readonly count: number }): PosedPair[] {
  const [random, round] = [new Random(seed), new Random(seed, 1)];
  return Array.from({ length: count }, (_, i) => [
    randomPair(random, 1, `seed ${seed}, pair ${i}`),
    ...(i % 3 === 0 ? [randomPair(round, 1, `seed ${seed}, ellipse ${i}`, true)] : []),
  ]).flat();
}

test('the gradient equals one-sided differences wherever the value is reported differentiable', () => {
  let smooth = 0;
  const wrong: string[] = [];
  for (const { label, a, b, T_b_a } of randomPairs({ seed: 81, count: 600 })) {
    if (!solver.solve(gradient, out, a, T_b_a, b) || !gradient.differentiable) continue;
    const length = Math.hypot(...gradient.a, ...gradient.b);
    const differences = [1e-5, 5e-6].map((step) =>
      [0, 1, 2].flatMap((k) => [step, -step].map((by) => (growthAt(a, T_b_a, b, k, by) - out.growth.lower) / by)),
    );
    // If the differences of two step sizes disagree, a kink is near or the curvature is large: no reference.
    const doubt = Math.max(...differences[0].map((x, i) => Math.abs(x - differences[1][i])));
    if (!(doubt <= 1e-4 * length)) continue;
    smooth++;
    const error = Math.max(...differences[1].map((x, i) => Math.abs(x - gradient.a[i >> 1])));
    if (!(error <= 1e-3 * length)) wrong.push(`${label}: ${error / length}`);
  }
  expect(wrong).toEqual([]);
  expect(smooth).toBeGreaterThan(690);
});

test('a common translation or rotation changes nothing', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const { label, a, b, T_b_a } of randomPairs({ seed: 82, count: 300 })) {
    if (!solver.solve(gradient, out, a, T_b_a, b) || !out.hasNormal) continue;
    seen++;
    const center = new Float64Array(2);
    transformPlanarPoint(center, T_b_a, a.center);
    const [x, y] = [b.center[0] - center[0], b.center[1] - center[1]];
    const moment = x * gradient.b[1] - y * gradient.b[0];
    const length = Math.hypot(...gradient.a, ...gradient.b, moment);
    const sums = [0, 1].map((k) => gradient.a[k] + gradient.b[k]);
    if (!(Math.max(...sums.map(Math.abs), Math.abs(gradient.a[2] + gradient.b[2] + moment)) <= 1e-6 * length))
      wrong.push(label);
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(370);
});

describe('kinks are detected', () => {
  const square = createPlanarShape({
    type: 'polygon',
    points: [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
  });
  const rounded = createPlanarShape({
    type: 'polygon',
    points: [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    margin: 0.1,
  });
  const disc = createPlanarShape({ type: 'disc', radius: 0.5 });
  const ellipse = createPlanarShape({ type: 'ellipse', radii: [0.5, 1e-4] });
  const at = (x: number, y: number, angle = 0) => createPlanarTransform(x, y, angle);
  test.each<[string, PlanarShape, PlanarTransform, PlanarShape, boolean]>([
    ['parallel edges', square, at(3, 0.2), square, false],
    ['parallel edges of rounded squares', rounded, at(3, 0.2), rounded, false],
    ['vertices in contact', square, at(3, 3), square, false],
    ['rounded vertices in contact', rounded, at(3, 3), square, true],
    ['a vertex in front of an edge', square, at(3, 0.2, 0.6), square, true],
    ['a disc in front of an edge', disc, at(3, 0.2), square, true],
    ['a disc in front of a vertex', disc, at(3, 3), square, true],
    ['an ellipse in front of an edge', ellipse, at(3, 0.2, 0.6), square, true],
    ['the sharp end of an ellipse in front of a vertex', square, at(-2, -2), ellipse, true],
    ['two discs', disc, at(0.3, 0.4), disc, true],
    ['equal centres', square, at(0, 0), disc, false],
  ])('%s', (_label, a, T_b_a, b, isSmooth) => {
    expect(solver.solve(gradient, out, a, T_b_a, b)).toBe(true);
    expect(gradient.differentiable).toBe(isSmooth);
  });
});

/** Returns the growth distance after A is translated by `step` metres (k < 2) or turned by `step` radians. */
function growthAt(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, k: number, step: number): number {
  const T = T_b_a.slice();
  const center = new Float64Array(2);
  transformPlanarPoint(center, T, a.center);
  if (k < 2) T[2 + k] += step;
  else {
    const angle = Math.atan2(T[1], T[0]) + step;
    T[0] = Math.cos(angle);
    T[1] = Math.sin(angle);
    const moved = new Float64Array(2);
    transformPlanarPoint(moved, T, a.center);
    for (let i = 0; i < 2; i++) T[2 + i] += center[i] - moved[i];
  }
  const separation = new Separation();
  new GrowthDistance2d({ relativeGap: 1e-14 }).growth(separation, a, T, b, new PlanarCache());
  return (separation.growth.lower + separation.growth.upper) / 2;
}
