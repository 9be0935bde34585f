import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import {
  PlanarSimplex,
  recomputeBarycentric,
  s1d,
  s2d,
  s2dOrdered,
} from '../../../../src/core/narrowphase/planar/subdistance.ts';

type Point = readonly [number, number];

/** Creates a simplex; the first point A is the newest, as in the paper. */
function simplexOf(...points: readonly Point[]): PlanarSimplex {
  const simplex = new PlanarSimplex();
  [...points].reverse().forEach(([x, y], i) => {
    simplex.add({ wx: x, wy: y, vertexA: i, vertexB: i });
  });
  return simplex;
}

const weighted = ({ points, lambda, count }: PlanarSimplex): [number, number] => {
  let [x, y] = [0, 0];
  for (let i = 0; i < count; i++) {
    x += lambda[i] * points[2 * i];
    y += lambda[i] * points[2 * i + 1];
  }
  return [x, y];
};

/**
 * Returns the distance of the origin from the convex hull of the points, by testing every edge and the signs of the
 * turns.
 */
function trueDistance(points: readonly Point[]): number {
  const turns = points.map(([x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    return x * v - y * u;
  });
  if (points.length === 3 && (turns.every((t) => t > 0) || turns.every((t) => t < 0))) return 0;
  return Math.min(
    ...points.map(([x, y], i) => {
      const [u, v] = points[(i + 1) % points.length];
      const ee = (u - x) ** 2 + (v - y) ** 2;
      const k = ee > 0 ? Math.min(1, Math.max(0, -(x * (u - x) + y * (v - y)) / ee)) : 0;
      return Math.hypot(x + k * (u - x), y + k * (v - y));
    }),
  );
}

function expectNearest(simplex: PlanarSimplex, points: readonly Point[], label: string): void {
  const truth = trueDistance(points);
  expect(simplex.distance, label).toBeCloseTo(truth, 13);
  const [x, y] = weighted(simplex);
  expect(Math.hypot(x, y), label).toBeCloseTo(truth, 12);
  const shares = [...simplex.lambda].slice(0, simplex.count);
  expect(
    shares.every((share) => share >= 0),
    label,
  ).toBe(true);
  expect(
    shares.reduce((sum, share) => sum + share),
    label,
  ).toBeCloseTo(1, 13);
  if (simplex.count === 3) return;
  expect(x, label).toBeCloseTo(simplex.distance * simplex.nx, 12);
  expect(y, label).toBeCloseTo(simplex.distance * simplex.ny, 12);
}

const randomPoint = (random: Random): Point => [random.between(-1, 1), random.between(-1, 1)];

test('S1D finds the point of a segment nearest to the origin, in each of its three regions', () => {
  const random = new Random(1);
  const counts = new Map<number, number>();
  for (let i = 0; i < 2000; i++) {
    const points = [randomPoint(random), randomPoint(random)];
    const simplex = simplexOf(...points);
    s1d(simplex);
    expectNearest(simplex, points, JSON.stringify(points));
    counts.set(simplex.count, (counts.get(simplex.count) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2]);
});

test('S2D finds the point of a triangle nearest to the origin, in each of its seven regions', () => {
  const random = new Random(2);
  for (let i = 0; i < 5000; i++) {
    const shift = random.below(2) === 0 ? 0 : 1.5;
    const points = [0, 1, 2].map((): Point => {
      const [x, y] = randomPoint(random);
      return [x + shift, y];
    });
    const simplex = simplexOf(...points);
    s2d(simplex);
    expectNearest(simplex, points, JSON.stringify(points));
  }
});

test('beyond an obtuse vertex an edge may be nearest: the cone region tests both', () => {
  // The angle at (0, 1) is obtuse; the origin is outside beyond that vertex, yet nearest to an edge.
  const points: Point[] = [
    [0.2, 1],
    [-6, 0.9],
    [3, 3],
  ];
  for (const order of [
    [0, 1, 2],
    [1, 0, 2],
    [2, 1, 0],
  ]) {
    const turned = order.map((i) => points[i]);
    const simplex = simplexOf(...turned);
    s2d(simplex);
    expectNearest(simplex, turned, String(order));
  }
});

test('four cases are enough when A is the support point towards the origin from the edge BC', () => {
  const random = new Random(3);
  let asked = 0;
  while (asked < 3000) {
    const [b, c] = [randomPoint(random), randomPoint(random)];
    const edge = simplexOf(b, c);
    s1d(edge);
    if (edge.count !== 2) continue;
    const a: Point = [random.between(-2, 2), random.between(-2, 2)];
    if (a[0] * edge.nx + a[1] * edge.ny >= edge.distance) continue; // no support point towards the origin
    asked++;
    const ordered = simplexOf(a, b, c);
    s2dOrdered(ordered);
    expectNearest(ordered, [a, b, c], JSON.stringify([a, b, c]));
  }
});

test('a small triangle far away is not classified as containing the origin', () => {
  for (const far of [1e6, 1e8, 1e10]) {
    const points: Point[] = [
      [far, 0.3],
      [far + 1, -0.2],
      [far + 0.5, 0.9],
    ];
    const simplex = simplexOf(...points);
    s2d(simplex);
    expect(simplex.count).toBeLessThan(3);
    expect(simplex.distance).toBeCloseTo(trueDistance(points), 5);
  }
});

test('the recomputed barycentric coordinates of a sliver around the origin yield the origin', () => {
  for (const thin of [1e-3, 1e-9, 1e-13]) {
    const simplex = simplexOf([0.7, thin * 0.4], [-0.9, thin * 0.1], [0.1, -thin]);
    s2d(simplex);
    expect(simplex.count).toBe(3);
    recomputeBarycentric(simplex);
    const [x, y] = weighted(simplex);
    expect(Math.hypot(x, y)).toBeLessThan(1e-15);
  }
});
