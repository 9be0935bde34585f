import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import type { Transform } from '../../../src/core/math/transform.ts';
import { GjkDistance } from '../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../../src/core/narrowphase/solver.ts';
import { PillProximity } from '../../../src/core/optimization/pillProximity.ts';
import {
  createCapsulePill,
  createPaddedPolygonPill,
  type Pill,
  pillOf,
  specOfPill,
} from '../../../src/core/optimization/pills.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { cases } from '../../cases.ts';
import { randomTransform, seenFrom } from '../narrowphase/helpers.ts';
import { randomPill } from './randomPill.ts';

type Point = readonly number[];
const dot = (p: ArrayLike<number>, q: ArrayLike<number>) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const clamp = (x: number) => Math.min(1, Math.max(0, x));
const proximity = new PillProximity();

/** Returns the distance of a point from a segment. */
function pointToSegment(p: Point, from: Point, to: Point): number {
  const d = to.map((x, k) => x - from[k]);
  const v = p.map((x, k) => x - from[k]);
  const t = dot(d, d) > 0 ? clamp(dot(v, d) / dot(d, d)) : 0;
  return Math.hypot(...v.map((x, k) => x - t * d[k]));
}

/** Returns the distance of two segments in closed form: both interior, or from an end of one to the other. */
function segmentDistance(a: readonly Point[], b: readonly Point[]): number {
  const ends = [
    pointToSegment(a[0], b[0], b[1]),
    pointToSegment(a[1], b[0], b[1]),
    pointToSegment(b[0], a[0], a[1]),
    pointToSegment(b[1], a[0], a[1]),
  ];
  const u = a[1].map((x, k) => x - a[0][k]);
  const v = b[1].map((x, k) => x - b[0][k]);
  const w = a[0].map((x, k) => x - b[0][k]);
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const determinant = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  const s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / determinant;
  const t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / determinant;
  const isSkew = determinant > 1e-15 * dot(u, u) * dot(v, v);
  if (isSkew && s >= 0 && s <= 1 && t >= 0 && t <= 1) ends.push(Math.abs(dot(w, n)) / Math.hypot(...n));
  return Math.min(...ends);
}

const endsOf = (T: Transform, length: number): Point[] =>
  [-0.5, 0.5].map((side) => [0, 1, 2].map((k) => T[4 * k + 3] + side * length * T[4 * k + 2]));

test('distances of 100,000 capsule pairs equal the closed form of segment distance at three scales', () => {
  const random = new Random(1);
  for (let i = 0; i < cases(100_000); i++) {
    const unit = [1e-3, 1, 1e3][i % 3];
    const lengths = [0, 1].map(() => unit * [1, 0.1, 0, 2][random.below(4)] * random.between(0.5, 1));
    const radii = [0, 1].map(() => unit * random.between(0.01, 0.5));
    const poses = [0, 1].map(() => randomTransform(random, unit));
    const [a, b] = lengths.map((length, k) => createCapsuleOnce(radii[k], length));
    proximity.solve(a, poses[0], b, poses[1]);
    const known = segmentDistance(endsOf(poses[0], lengths[0]), endsOf(poses[1], lengths[1]));
    const reach = radii[0] + radii[1];
    expect(Math.abs(proximity.value - (known * known - reach * reach)) / (unit * unit), `pair ${i}`).toBeLessThan(1e-9);
    if (known > 1e-3 * unit)
      expect(Math.abs(proximity.distance - (known - reach)) / unit, `pair ${i}`).toBeLessThan(1e-9);
  }
});

/** Returns a capsule as plain data: creating a shape for each of 200,000 would take longer than the test. */
function createCapsuleOnce(radius: number, length: number): Pill {
  const pill = length === 0 ? unitSphere : unitCapsule;
  return {
    ...pill,
    radius,
    boundingRadius: length,
    origin: Float64Array.of(0, 0, -length / 2),
    d: pill.d.map((x) => x * length),
  };
}
const unitSphere = createCapsulePill(1, 0);
const unitCapsule = createCapsulePill(1, 1);

test('a capsule, a sphere and a padded polygon equal the shapes of their specs', () => {
  expect(createCapsulePill(0.2, 1)).toMatchObject({ dimension: 1, radius: 0.2, boundingRadius: 1 });
  expect(createCapsulePill(0.2, 0)).toMatchObject({ dimension: 0, radius: 0.2 });
  const plate = createPaddedPolygonPill(0.1, [
    [0, 0],
    [1, 0],
    [0.5, 0.5],
    [1, 1],
    [0, 1],
  ]);
  expect(plate.d.length).toBe(4); // an interior point adds no side
  expect(pillOf(createShape({ type: 'box', size: [1, 1, 1] }))).toBeUndefined();
  expect(() =>
    createPaddedPolygonPill(0.1, [
      [0, 0],
      [1, 1],
      [2, 2],
    ]),
  ).toThrowError(/collinear/);
});

test('distances of polygons and capsules equal GJK with margins, with KKT residuals below 1e-9, at three scales', () => {
  const random = new Random(2);
  const gjk = new GjkDistance();
  const out = new Separation();
  let apart = 0;
  for (let i = 0; i < cases(9000); i++) {
    const unit = [1e-3, 1, 1e3][i % 3];
    const [a, b] = [randomPill(random, unit), randomPill(random, unit)];
    const [Ta, Tb] = [randomTransform(random, unit), randomTransform(random, unit)];
    proximity.solve(a, Ta, b, Tb);
    gjk.distance(out, createShape(specOfPill(a)), seenFrom(Tb, Ta), createShape(specOfPill(b)), 1e300, new PairCache());
    const label = `pair ${i}: ${a.dimension} ${b.dimension}, ${proximity.contact}`;
    expect(proximity.residual, label).toBeLessThan(1e-9);
    if (out.status === 'separated') {
      apart++;
      expect(Math.abs(proximity.distance - out.distance.upper) / unit, label).toBeLessThan(1e-7);
      expect(proximity.value, label).toBeGreaterThan(0);
    } else if (out.status === 'colliding') expect(proximity.value, label).toBeLessThan(0);
    const gap = Math.hypot(...proximity.pointA.map((x, k) => x - proximity.pointB[k]));
    if (proximity.contact !== 'crossing')
      expect(Math.abs(gap - Math.abs(proximity.distance)) / unit, label).toBeLessThan(1e-9);
  }
  expect(apart).toBeGreaterThan(cases(3000));
});
