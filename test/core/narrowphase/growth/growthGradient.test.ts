import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rotate, type Transform, transformPoint } from '../../../../src/core/math/transform.ts';
import { GrowthGradient } from '../../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { GrowthGradientSolver } from '../../../../src/core/narrowphase/growth/growthGradient.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { poseOf, randomPairs, seenFrom } from '../helpers.ts';

const solver = new GrowthGradientSolver();
const gradient = new GrowthGradient();
const out = new Separation();
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);

test('the gradient equals central differences wherever the value is reported differentiable', () => {
  let smooth = 0;
  for (const pair of randomPairs({ seed: 71, count: 500 })) {
    if (!solver.solve(gradient, out, pair.a, pair.T_b_a, pair.b)) continue;
    if (!gradient.differentiable || out.growth.upper - out.growth.lower > 1e-12 * out.growth.upper) continue;
    const length = Math.hypot(...gradient.a, ...gradient.b);
    const both = [1e-5, 5e-6].map((step) =>
      [0, 1, 2, 3, 4, 5].map((k) => (growthAt(pair, k, step) - growthAt(pair, k, -step)) / (2 * step)),
    );
    // If the differences of two step sizes disagree, a kink is near or the curvature is too large: no reference.
    const doubt = Math.max(...both[0].map((x, k) => Math.abs(x - both[1][k])));
    if (doubt > 1e-5 * length) continue;
    smooth++;
    // On shapes a thousand times wider than thick, the error of the touching point is √gap times their curvature.
    for (let k = 0; k < 6; k++)
      expect(Math.abs(gradient.a[k] - both[1][k]), `${pair.label}, ${k}`).toBeLessThan(1e-3 * length);
  }
  expect(smooth).toBeGreaterThan(150);
});

test('a common translation or rotation changes nothing', () => {
  for (const { a, b, T_b_a, label } of randomPairs({ seed: 72, count: 300 })) {
    if (!solver.solve(gradient, out, a, T_b_a, b) || !out.hasNormal) continue;
    const center = new Float64Array(3);
    transformPoint(center, T_b_a, a.center);
    const c = center.map((x, k) => b.center[k] - x);
    const v = gradient.b;
    const moment = [c[1] * v[2] - c[2] * v[1], c[2] * v[0] - c[0] * v[2], c[0] * v[1] - c[1] * v[0]];
    const length = Math.hypot(...gradient.a, ...gradient.b, ...moment);
    for (let k = 0; k < 3; k++) {
      expect(gradient.a[k] + gradient.b[k], label).toBe(0);
      expect(Math.abs(gradient.a[3 + k] + gradient.b[3 + k] + moment[k]), label).toBeLessThan(1e-6 * length);
    }
  }
});

describe('kinks are detected', () => {
  const cube = createShape({ type: 'box', size: [1, 1, 1] });
  const sphere = createShape({ type: 'sphere', radius: 0.5 });
  const cone = createShape({ type: 'cone', radius: 0.5, length: 1 });
  const cylinder = createShape({ type: 'cylinder', radius: 0.5, length: 1 });
  const capsule = createShape({ type: 'capsule', radius: 0.5, length: 1 });
  const ellipsoid = createShape({ type: 'ellipsoid', radii: [0.5, 0.3, 0.2] });
  const tipDown = (x: number, y: number, z: number) => poseOf([x, y, z], [0, 1, 0, 0]);
  test.each<[string, ConvexShape, Transform, ConvexShape, boolean]>([
    ['parallel faces', cube, at(1.5, 0.1, 0.2), cube, false],
    ['equal centres', cube, at(0, 0, 0), cube, false],
    ['a sphere in front of a face', sphere, at(2, 0.1, 0.05), cube, true],
    ['two spheres', sphere, at(2, 0.1, 0.05), sphere, true],
    ['a sphere in front of an edge of a cube', sphere, at(2, 2, 0), cube, true],
    ['edges that cross', cube, poseOf([0.1, 0.2, 3], [1, 0.5, 0.7, 0.1]), cube, true],
    ['parallel edges of a rotated cube', cube, poseOf([0.1, 3, 3], [0.6, 0.4, 0, 0]), cube, false],
    ['two vertices', cube, at(2, 2, 2), cube, false],
    ['parallel edges', cube, at(2, 2, 0.3), cube, false],
    ['a vertex above a face', cube, poseOf([0.1, 0.05, 3], [0.8881, 0.3251, -0.3251, 0]), cube, true],
    ['a sphere in front of a vertex', sphere, at(2, 2, 2), cube, true],
    ['the tip of a cone above a face', cone, tipDown(0.1, 0.1, 2), cube, true],
    ['the tip of a cone in front of a vertex', cone, poseOf([2, 2, 2], [0.4597, 0.628, -0.628, 0]), cube, false],
    ['two tips', cone, tipDown(0, 0, 2), cone, false],
    ['a tip in front of an ellipsoid', cone, tipDown(0.1, 0.05, 2), ellipsoid, true],
    ['a cap on a face', cylinder, at(0.1, 0.1, 2), cube, false],
    ['a cylinder along a face', cylinder, poseOf([0.1, 0.05, 2], [1, 1, 0, 0]), cube, false],
    ['a rim above a face', cylinder, poseOf([0.1, 0.1, 3], [1, 0.25, 0, 0]), cube, true],
    ['crossed cylinders', cylinder, poseOf([0.05, 3, 0.1], [1, 0, 1, 0]), cylinder, true],
    ['parallel cylinders', cylinder, at(3, 0.1, 0.2), cylinder, false],
    ['a capsule along an edge', capsule, at(2, 2, 0.1), cube, false],
    ['two ellipsoids', ellipsoid, poseOf([1, 0.4, 0.3], [1, 0.2, 0.3, 0.1]), ellipsoid, true],
  ])('%s', (_label, a, T_b_a, b, isSmooth) => {
    expect(solver.solve(gradient, out, a, T_b_a, b)).toBe(true);
    expect(gradient.differentiable).toBe(isSmooth);
  });
});

const file = new URL('../../../../../shared/data/narrowphase/pairs.jsonl', import.meta.url);

describe.skipIf(!existsSync(file))('reference pairs', () => {
  interface Body {
    readonly shape: ShapeSpec;
    readonly center?: number[];
    readonly pose: { readonly xyz?: number[]; readonly quat_wxyz?: number[] };
  }
  interface Row {
    readonly id: string;
    readonly a: Body;
    readonly b: Body;
    readonly expected: { readonly growth: number; readonly gradientA?: number[]; readonly gradientB?: number[] };
  }
  const rows = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const place = ({ pose: { xyz = [0, 0, 0], quat_wxyz = [1, 0, 0, 0] } }: Body) => poseOf(xyz, quat_wxyz);

  test('growth distances agree to 1e-8, with true bounds, and known gradients to 1e-5', () => {
    const growthSolver = new GrowthDistance();
    for (const { id, a, b, expected } of rows()) {
      const [shapeA, shapeB] = [createShape(a.shape, a.center), createShape(b.shape, b.center)];
      const T_b_a = seenFrom(place(b), place(a));
      growthSolver.solve(out, shapeA, T_b_a, shapeB, new PairCache());
      const slack = 1e-9 * (expected.growth === 0 ? 1 : expected.growth);
      expect(out.growth.lower, id).toBeLessThanOrEqual(expected.growth + slack);
      expect(out.growth.upper, id).toBeGreaterThanOrEqual(expected.growth - slack);
      expect(out.growth.upper - out.growth.lower, id).toBeLessThanOrEqual(1.5e-8 * out.growth.upper);
      if (Math.abs(expected.growth - 1) > 1e-6)
        expect(out.status, id).toBe(expected.growth > 1 ? 'separated' : 'colliding');

      if (expected.gradientA === undefined || expected.gradientB === undefined) continue;
      solver.solve(gradient, out, shapeA, T_b_a, shapeB);
      expect(gradient.differentiable, id).toBe(true);
      const known = [...expected.gradientA, ...expected.gradientB];
      const scale = Math.max(1, ...known.map(Math.abs));
      [...turned(place(b), gradient.a), ...turned(place(b), gradient.b)].forEach((x, k) => {
        expect(Math.abs(x - known[k]) / scale, `${id}, ${k}`).toBeLessThan(1e-5);
      });
    }
  });
});

/** Rotates the translational and the rotational part of a gradient from the frame of B to the world frame. */
function turned(T_world_b: Transform, six: Float64Array): number[] {
  const out = new Float64Array(6);
  for (const k of [0, 3]) rotate(out.subarray(k, k + 3), T_world_b, six.subarray(k, k + 3));
  return [...out];
}

/**
 * Returns the growth distance after A is translated by `step` metres along axis k of B (k < 3), or rotated by `step`
 * radians about it.
 */
function growthAt(
  { a, b, T_b_a }: { a: ConvexShape; b: ConvexShape; T_b_a: Transform },
  k: number,
  step: number,
): number {
  const T = T_b_a.slice();
  const center = new Float64Array(3);
  transformPoint(center, T, a.center);
  if (k < 3) T[4 * k + 3] += step;
  else {
    const [i, j] = [4 * ((k - 2) % 3), 4 * ((k - 1) % 3)];
    const [c, s] = [Math.cos(step), Math.sin(step)];
    for (let column = 0; column < 3; column++) {
      [T[i + column], T[j + column]] = [c * T[i + column] - s * T[j + column], s * T[i + column] + c * T[j + column]];
    }
    const moved = new Float64Array(3);
    transformPoint(moved, T, a.center);
    for (let row = 0; row < 3; row++) T[4 * row + 3] += center[row] - moved[row];
  }
  const separation = new Separation();
  new GrowthDistance({ relativeGap: 1e-14 }).solve(separation, a, T, b, new PairCache());
  return (separation.growth.lower + separation.growth.upper) / 2;
}
