import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { supportWithMargin } from '../../../src/core/narrowphase/supportAlong.generated.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';
import type { SupportSpec } from '../../../src/core/shapes/supportShape.ts';
import { InputError } from '../../../src/errors.ts';
import { randomDirections } from '../narrowphase/helpers.ts';
import { cubeVertices, smoothHull, superellipsoid } from './supportBodies.ts';

/** Returns the support spec of a shape of the table. */
function disguised(shape: ConvexShape): SupportSpec {
  return { type: 'support', support: (out, d) => void supportWithMargin(out, shape, d, -1) };
}

const known = [
  { type: 'box', size: [1, 2, 0.01] },
  { type: 'ellipsoid', radii: [1, 0.001, 0.001] },
  { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] },
  { type: 'cylinder', radius: 0.5, length: 0.02, margin: 0.1 },
  { type: 'cone', radius: 0.3, length: 1 },
];

describe.each(known)('a shape given by its support function: %o', (spec) => {
  const shape = createShape(spec);
  const made = createShape(disguised(shape));
  const directions = randomDirections(new Random(5), 300);

  test('has the same support values along directions of any length', () => {
    const [p, q] = [new Float64Array(3), new Float64Array(3)];
    for (const d of directions) {
      for (const factor of [1, 1e-9, 1e9]) {
        const scaled = d.map((x) => factor * x);
        supportWithMargin(p, shape, d, -1);
        made.support(q, made, scaled, -1);
        expect(Math.abs(d[0] * (p[0] - q[0]) + d[1] * (p[1] - q[1]) + d[2] * (p[2] - q[2]))).toBeLessThan(1e-15);
        made.support(scaled, made, scaled, -1);
        expect(scaled).toEqual(q);
      }
    }
  });

  test('has exact bounds, an inner radius that is no larger and an outer radius that is no smaller than the true one', () => {
    for (let k = 0; k < 6; k++) expect(made.bounds[k]).toBeCloseTo(shape.bounds[k], 14);
    expect(made.innerRadius).toBeLessThanOrEqual(shape.innerRadius * (1 + 1e-12));
    expect(made.innerRadius).toBeGreaterThan(0.3 * shape.innerRadius);
    expect(made.outerRadius).toBeGreaterThanOrEqual(shape.outerRadius * (1 - 1e-12));
    expect(made.outerRadius).toBeLessThan(1.2 * shape.outerRadius);
  });
});

test('an inscribed sphere is found for shapes that are thin along any direction', () => {
  const random = new Random(6);
  for (let i = 0; i < 200; i++) {
    const radii = [1, random.between(1e-3, 1), random.between(1e-3, 1)];
    const needle = createShape({ type: 'ellipsoid', radii });
    const [u, v] = randomDirections(random, 2);
    // Rotated by two reflections, u then v.
    const reflect = (x: Float64Array, n: Float64Array) => {
      const along = 2 * (x[0] * n[0] + x[1] * n[1] + x[2] * n[2]);
      for (let k = 0; k < 3; k++) x[k] -= along * n[k];
    };
    const made = createShape({
      type: 'support',
      support: (out: Float64Array, d: Float64Array) => {
        out.set(d);
        reflect(out, u);
        reflect(out, v);
        needle.support(out, needle, out, -1);
        reflect(out, v);
        reflect(out, u);
      },
    } as SupportSpec);
    expect(made.innerRadius, `radii ${radii}`).toBeGreaterThan(0.3 * needle.innerRadius);
    expect(made.innerRadius, `radii ${radii}`).toBeLessThanOrEqual(needle.innerRadius);
  }
});

test('given radii and bounds are used, with the margin added', () => {
  const bounds = [-2, -2, -2, 3, 3, 3];
  const made = createShape({
    ...superellipsoid([1, 1, 1], 4),
    innerRadius: 0.5,
    outerRadius: 2,
    bounds,
    margin: 0.25,
  });
  expect([made.innerRadius, made.outerRadius, made.margin]).toEqual([0.75, 2.25, 0.25]);
  expect(Array.from(made.bounds)).toEqual([-2.25, -2.25, -2.25, 3.25, 3.25, 3.25]);
});

test('every direction is within 27.6 degrees of the 26 directions that bound the outer radius', () => {
  for (const d of randomDirections(new Random(7), 20_000)) {
    const sorted = Array.from(d, Math.abs).sort((x, y) => y - x);
    const [x, y, z] = sorted;
    expect(Math.max(x, (x + y) / Math.sqrt(2), (x + y + z) / Math.sqrt(3))).toBeGreaterThan(0.8864);
  }
});

test('smooth hulls contain the hull of their vertices and have the expected bounds', () => {
  const shape = createShape(smoothHull(cubeVertices, 8));
  for (const x of shape.bounds) expect(Math.abs(x)).toBeCloseTo(4 ** (1 / 8), 14);
  expect(shape.innerRadius).toBeGreaterThan(0.8);
});

test.each([
  [{ type: 'support' }, 'support is missing, must be a function'],
  [{ type: 'support', support: 'sphere' }, 'support is "sphere", must be a function'],
  [{ type: 'support', support: (out: Float64Array) => out.fill(Number.NaN) }, 'is NaN'],
  [{ type: 'support', support: (out: Float64Array, d: Float64Array) => out.set(d.map((x) => -x)) }, 'is farther'],
  [{ ...superellipsoid([1, 1, 1], 3), innerRadius: Number.NaN }, 'innerRadius is NaN'],
  [{ ...superellipsoid([1, 1, 1], 3), bounds: [1, 0, 0, 0, 0, 0] }, 'bounds is [1,0,0,0,0,0]'],
  [{ ...superellipsoid([1, 1, 1], 3), margin: -1 }, 'margin is -1'],
])('an invalid support spec is rejected: %o', (spec, message) => {
  expect(() => createShape(spec as SupportSpec)).toThrow(InputError);
  expect(() => createShape(spec as SupportSpec)).toThrow(message);
});
