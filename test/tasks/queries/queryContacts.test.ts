import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { readPair } from '../../../src/formats/streams/pairs.ts';
import { createPairQuery } from '../../../src/tasks/queries/queryPairs.ts';

const contacts = createPairQuery({ solver: undefined, what: 'contacts', gap: undefined, warm: false });
const depths = createPairQuery({ solver: 'epa', what: 'depth', gap: undefined, warm: false });
const distances = createPairQuery({ solver: 'gjk', what: 'distance', gap: undefined, warm: false });

const box = { type: 'box', size: [2, 2, 2] };
const at = (shape: object, xyz: number[], quat_wxyz = [1, 0, 0, 0]) => ({ shape, pose: { xyz, quat_wxyz } });
const plus = (p: readonly number[], n: readonly number[], t: number) => p.map((x, k) => x + t * n[k]);
const sorted = (points: readonly (readonly number[])[]) =>
  points.map((p) => p.map((x) => Number(x.toFixed(9)) || 0)).sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);

test.each([
  ['apart', 2.5, 0.5],
  ['overlapping', 1.9, -0.1],
])('boxes face to face, %s: the corners of the common rectangle, each with the gap of the pair', (_, height, gap) => {
  const result = contacts(readPair({ a: at(box, [0, 0, 0]), b: at(box, [0.5, 1.25, height]) } as never));
  const z = 1 + gap / 2;
  expect(sorted(result.contacts!.map(({ point }) => point))).toEqual([
    [-0.5, 0.25, z],
    [-0.5, 1, z],
    [1, 0.25, z],
    [1, 1, z],
  ]);
  for (const contact of result.contacts!) expect(contact.gap).toBeCloseTo(gap, 12);
});

test('a half-space on either side, an edge, and a ball have patches of their own shape', () => {
  const plane = at({ type: 'halfspace', normal: [0, 0, 1] }, [0, 0, 0]);
  const tilted = at(box, [0, 0, Math.SQRT2 + 0.1], [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0]);
  for (const [a, b] of [
    [plane, tilted],
    [tilted, plane],
  ]) {
    const { contacts: points, normal } = contacts(readPair({ a, b } as never));
    const lowest = points!.filter(({ gap }) => gap < 0.1 + 1e-9);
    expect(sorted(lowest.map(({ point }) => point))).toEqual([
      [-1, 0, 0.05],
      [1, 0, 0.05],
    ]);
    expect(Math.abs(normal![2])).toBeCloseTo(1, 12);
  }
  const ball = contacts(
    readPair({ a: at({ type: 'sphere', radius: 1 }, [0, 0, 0]), b: at(box, [0, 0, 2.5]) } as never),
  );
  expect(ball.contacts!.length).toBe(1);
  expect(ball.contacts![0].point[2]).toBeCloseTo(1.25, 12);
});

describe('random pairs', () => {
  const random = new Random(471);
  const size = () => random.between(0.3, 1.5);
  const rotation = () => {
    const q = Array.from({ length: 4 }, () => random.between(-1, 1));
    return q.map((x) => x / Math.hypot(...q));
  };
  const many = Array.from({ length: 60 }, (_, k) => [Math.cos((Math.PI * k) / 30), Math.sin((Math.PI * k) / 30)]);
  const shapes: (() => object)[] = [
    () => ({ type: 'box', size: [size(), size(), size()] }),
    () => ({ type: 'sphere', radius: size() }),
    () => ({ type: 'capsule', radius: size() / 2, length: size() }),
    () => ({ type: 'cylinder', radius: size(), length: size() }),
    () => ({ type: 'ellipsoid', radii: [size(), size(), size()] }),
    () => ({ type: 'convex', points: Array.from({ length: 12 }, () => [size(), -size(), size()]) }),
    // Faces of sixty vertices: more than a feature contains.
    () => ({ type: 'convex', points: many.flatMap(([x, y]) => [-0.3, 0.3].map((z) => [x, y, z])) }),
  ];
  const shape = () => shapes[random.below(shapes.length)]();

  test('each contact lies on both shapes, and no gap is smaller than that of the pair', () => {
    let [several, overlapping] = [0, 0];
    for (let i = 0; i < 200; i++) {
      const place = () => Array.from({ length: 3 }, () => random.between(-1, 1));
      const isAligned = random.below(2) === 0;
      const turn = () => (isAligned ? [1, 0, 0, 0] : rotation());
      const [a, b] = [at(shape(), place(), turn()), at(shape(), place(), turn())];
      const pair = { a, b } as never;
      const label = JSON.stringify(pair);
      const { contacts: found, normal, status } = contacts(readPair(pair));
      const given = depths(readPair(pair));
      if (normal === undefined) continue;
      const signed = status === 'separated' ? distances(readPair(pair)).distance!.lower : -given.depth!;
      if (status === 'colliding') overlapping++;
      if (found!.length > 1) several++;
      expect(found!.length, label).toBeGreaterThan(0);
      expect(found!.length, label).toBeLessThanOrEqual(8);
      for (const { point, gap } of found!) {
        expect(gap, label).toBeGreaterThan(signed - 1e-6);
        for (const [one, side] of [
          [a, -0.5],
          [b, 0.5],
        ] as const) {
          const speck = at({ type: 'sphere', radius: 1e-9 }, plus(point, normal, side * gap));
          const apart = distances(readPair({ a: speck, b: one } as never));
          expect(apart.distance!.upper, label).toBeLessThan(1e-5);
        }
      }
    }
    expect(several).toBeGreaterThan(25);
    expect(overlapping).toBeGreaterThan(25);
  });
});

test('contacts are refused of solvers and pairs that have none', () => {
  expect(() => createPairQuery({ solver: 'gjk', what: 'contacts', gap: undefined, warm: false })).toThrow(
    'gjk does not compute contacts',
  );
  const disc = { shape: { type: 'disc', radius: 1 } };
  expect(() => contacts(readPair({ a: disc, b: disc } as never))).toThrow();
});
