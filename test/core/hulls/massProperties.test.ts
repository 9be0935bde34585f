import { expect, test } from 'vitest';
import { combined, inertiaOf, volumeIntegrals } from '../../../src/core/hulls/massProperties.ts';
import { create } from '../../../src/core/math/transform.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { rotationOf } from '../dynamics/helpers.ts';

/**
 * Integrals by the midpoint rule on a grid of cells, with inequalities of each solid written for this test. The error
 * of the cells on the surface shrinks with the grid.
 */
function onGrid(isInside: (x: number, y: number, z: number) => boolean, half: number, cells: number) {
  const h = (2 * half) / cells;
  let volume = 0;
  const first = [0, 0, 0];
  const second = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < cells; i++) {
    for (let j = 0; j < cells; j++) {
      for (let k = 0; k < cells; k++) {
        const [x, y, z] = [i, j, k].map((n) => -half + (n + 0.5) * h);
        if (!isInside(x, y, z)) continue;
        volume++;
        for (const [m, value] of [x, y, z].entries()) first[m] += value;
        for (const [m, value] of [x * x, y * y, z * z, x * y, x * z, y * z].entries()) second[m] += value;
      }
    }
  }
  const center = first.map((sum) => sum / volume);
  const [a, b, c] = center;
  const shift = [a * a, b * b, c * c, a * b, a * c, b * c];
  return {
    volume: volume * h ** 3,
    center,
    moments: second.map((sum, m) => (sum / volume - shift[m]) * volume * h ** 3),
  };
}

const box = { type: 'box', size: [0.9, 0.5, 0.3] };
/** Distance of a point from a box given by half extents. */
const fromBox = (x: number, y: number, z: number, a: number, b: number, c: number) =>
  Math.hypot(Math.max(0, Math.abs(x) - a), Math.max(0, Math.abs(y) - b), Math.max(0, Math.abs(z) - c));
const tetrahedron = {
  type: 'convex',
  points: [
    [-0.4, -0.4, -0.4],
    [0.8, -0.4, -0.4],
    [-0.4, 0.5, -0.4],
    [-0.4, -0.4, 0.6],
    [-0.3, -0.3, -0.3], // inside: no vertex of the hull
  ],
};
const solids: readonly (readonly [string, ShapeSpec, (x: number, y: number, z: number) => boolean, number])[] = [
  ['box', box, (x, y, z) => Math.abs(x) < 0.45 && Math.abs(y) < 0.25 && Math.abs(z) < 0.15, 1],
  ['sphere', { type: 'sphere', radius: 0.6 }, (x, y, z) => x * x + y * y + z * z < 0.36, 1],
  [
    'ellipsoid',
    { type: 'ellipsoid', radii: [0.8, 0.5, 0.3] },
    (x, y, z) => (x / 0.8) ** 2 + (y / 0.5) ** 2 + (z / 0.3) ** 2 < 1,
    1,
  ],
  ['cylinder', { type: 'cylinder', radius: 0.4, length: 1 }, (x, y, z) => x * x + y * y < 0.16 && Math.abs(z) < 0.5, 1],
  [
    'capsule',
    { type: 'capsule', radius: 0.3, length: 0.7 },
    (x, y, z) => x * x + y * y + Math.max(0, Math.abs(z) - 0.35) ** 2 < 0.09,
    1,
  ],
  [
    'cone',
    { type: 'cone', radius: 0.6, length: 1 },
    (x, y, z) => Math.abs(z) < 0.5 && Math.hypot(x, y) < 0.6 * (0.5 - z),
    1,
  ],
  [
    'frustum',
    { type: 'frustum', radiusBottom: 0.2, radiusTop: 0.6, length: 1.2 },
    (x, y, z) => Math.abs(z) < 0.6 && Math.hypot(x, y) < 0.4 + z / 3,
    1,
  ],
  [
    'tetrahedron',
    tetrahedron,
    (x, y, z) => x > -0.4 && y > -0.4 && z > -0.4 && (x + 0.4) / 1.2 + (y + 0.4) / 0.9 + (z + 0.4) / 1 < 1,
    1,
  ],
  ['rounded box', { ...box, margin: 0.2 }, (x, y, z) => fromBox(x, y, z, 0.45, 0.25, 0.15) < 0.2, 1],
];

test.each(solids)(
  'volume, center of mass and moments of a %s agree with a sum over a grid',
  (_, spec, isInside, half) => {
    const exact = volumeIntegrals(createShape(spec));
    const sum = onGrid(isInside, half, 80);
    expect(Math.abs(exact.volume / sum.volume - 1)).toBeLessThan(0.02);
    for (let k = 0; k < 3; k++) expect(Math.abs(exact.center[k] - sum.center[k])).toBeLessThan(6e-3);
    const scale = Math.max(...sum.moments.slice(0, 3));
    for (let m = 0; m < 6; m++) expect(Math.abs(exact.moments[m] - sum.moments[m])).toBeLessThan(0.03 * scale);
  },
);

test('moments of primitives are those of the textbook', () => {
  const of = (spec: ShapeSpec) => volumeIntegrals(createShape(spec));
  const cylinder = of({ type: 'cylinder', radius: 2, length: 3 });
  const [xx, yy, zz] = inertiaOf(cylinder.moments).map((one) => one / cylinder.volume);
  expect(xx).toBeCloseTo((3 * 4 + 9) / 12, 12);
  expect(yy).toBeCloseTo(xx, 12);
  expect(zz).toBeCloseTo(4 / 2, 12);
  const cone = of({ type: 'cone', radius: 2, length: 4 });
  expect(cone.volume).toBeCloseTo((Math.PI * 4 * 4) / 3, 12);
  expect(cone.center[2]).toBeCloseTo(-1, 12);
  expect(inertiaOf(cone.moments)[2] / cone.volume).toBeCloseTo(0.3 * 4, 12);
  expect(inertiaOf(cone.moments)[0] / cone.volume).toBeCloseTo(0.15 * 4 + 0.0375 * 16, 12);
});

test('a box of two halves has the integrals of the whole box, in any frame', () => {
  const rotation = rotationOf(0.3, -0.7, 1.1);
  const pose = (x: number) => {
    const T = create();
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) T[4 * i + k] = rotation[i][k];
      T[4 * i + 3] = rotation[i][0] * x + 0.5;
    }
    return T;
  };
  const half = volumeIntegrals(createShape({ type: 'box', size: [1, 0.5, 0.3] }));
  const whole = volumeIntegrals(createShape({ type: 'box', size: [2, 0.5, 0.3] }));
  const joined = combined([
    { own: half, at: pose(-0.5) },
    { own: half, at: pose(0.5) },
  ]);
  const turned = combined([{ own: whole, at: pose(0) }]);
  expect(joined.volume).toBeCloseTo(turned.volume, 12);
  for (let k = 0; k < 3; k++) expect(joined.center[k]).toBeCloseTo(0.5, 12);
  for (let m = 0; m < 6; m++) expect(joined.moments[m]).toBeCloseTo(turned.moments[m], 12);
});

test('a flat polytope has no volume', () => {
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
  ];
  expect(volumeIntegrals(createShape({ type: 'convex', points })).volume).toBe(0);
});
