import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { createDisc } from '../../../../src/core/shapes/planar/disc.ts';
import { createPlanarShape, planarShapes } from '../../../../src/core/shapes/planar/index.ts';
import { type PlanarShape, planarSupportVertex } from '../../../../src/core/shapes/planar/planarShape.ts';
import { createPolygon } from '../../../../src/core/shapes/planar/polygon.ts';
import { InputError } from '../../../../src/errors.ts';

type Point = [number, number];
const square: Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
const verticesOf = ({ vertices, middle }: PlanarShape): Point[] =>
  Array.from({ length: vertices.length / 2 }, (_, i) => [vertices[2 * i] + middle[0], vertices[2 * i + 1] + middle[1]]);

function ringOf(count: number, size = 1, thin = 1): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.3)) / count;
    return [size * Math.cos(angle), thin * size * Math.sin(angle)];
  });
}

test('repeated and collinear points are dropped', () => {
  const points: Point[] = [
    [0, 0],
    [0, 0],
    [0.5, 0],
    [1, 0],
    [1, 0.25],
    [1, 0.5],
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ];
  expect(verticesOf(createPolygon(points)).sort()).toEqual([...square].sort());
});

test('a polygon around its origin keeps the coordinates of its vertices exactly', () => {
  const points = ringOf(7, 0.3);
  expect(verticesOf(createPolygon(points)).sort()).toEqual([...points].sort());
  expect([...createPolygon(points).middle]).toEqual([0, 0]);
});

test('collinear points in any order make a segment between the outermost; equal points make a point', () => {
  const segment = verticesOf(
    createPolygon([
      [1, 1],
      [3, 3],
      [0, 0],
      [2, 2],
      [3, 3],
    ]),
  );
  expect(segment.sort()).toEqual([
    [0, 0],
    [3, 3],
  ]);
  expect(
    verticesOf(
      createPolygon([
        [5, 6],
        [5, 6],
        [5, 6],
      ]),
    ),
  ).toEqual([[5, 6]]);
});

test('a needle a millionth as thick as long keeps its vertices', () => {
  expect(
    createPolygon([
      [-1, -1e-6],
      [1, 0],
      [-1, 1e-6],
    ]).vertices.length,
  ).toBe(6);
});

test('a dent of rounding size is filled, a larger dent is rejected', () => {
  const dented = (depth: number): Point[] => [
    [0, 0],
    [0.5, depth],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  expect(verticesOf(createPolygon(dented(1e-15))).sort()).toEqual([...square].sort());
  expect(() => createPolygon(dented(1e-6))).toThrow('not convex');
});

test.each<[string, Point[], string]>([
  ['no points', [], 'empty'],
  ['clockwise points', [...square].reverse(), 'clockwise'],
  [
    'an arrow head',
    [
      [0, 0],
      [2, -1],
      [1, 0],
      [2, 1],
    ],
    'not convex',
  ],
  [
    'a spike',
    [
      [0, 0],
      [2, 0],
      [1, 0],
      [1, 1],
    ],
    'not convex',
  ],
  ['a five-pointed star', [0, 2, 4, 1, 3].map((i) => ringOf(5)[i]), 'more than once'],
  ['a square listed twice', [...square, ...square], 'more than once'],
  [
    'a coordinate that is no number',
    [
      [0, 0],
      [Number.NaN, 0],
      [0, 1],
    ],
    'points[1][0]',
  ],
  [
    'an endless coordinate',
    [
      [0, 0],
      [1, Number.POSITIVE_INFINITY],
    ],
    'points[1][1]',
  ],
])('%s: rejected', (_, points, words) => {
  expect(() => createPolygon(points)).toThrow(InputError);
  expect(() => createPolygon(points)).toThrow(words);
});

test.each([
  [{ type: 'polygon', points: square, margni: 1 }, 'unknown key "margni"'],
  [{ type: 'polygon', points: square, margin: -1 }, 'margin is -1'],
  [{ type: 'polygon', points: [[0, 0, 0]] }, 'points[0]'],
  [{ type: 'polygon' }, 'points is'],
  [{ type: 'disc', radius: -0.5 }, 'radius is -0.5'],
  [{ type: 'disc', radius: '1' }, 'radius is "1"'],
  [{ type: 'ellipse', radii: [1] }, 'radii is [1]'],
  [{ type: 'ellipse', radii: [1, -2] }, 'radii[1] is -2'],
  [{ type: 'ellipse', radii: ['1', 2] }, 'radii[0] is "1"'],
  [{ type: 'ellipse', radius: 1 }, 'unknown key "radius"'],
  [{ type: 'disk', radius: 1 }, 'unknown shape "disk"'],
])('the spec %j is rejected: %s', (spec, words) => {
  expect(() => createPlanarShape(spec)).toThrow(words);
});

test('the support vertex equals that of exhaustive search from any hint, also for needles and near-collinear rings', () => {
  const random = new Random(5);
  for (let round = 0; round < 3000; round++) {
    const count = 3 + random.below(60);
    const ring = ringOf(count, 10 ** random.between(-3, 3), 10 ** random.between(-8, 0));
    const shape = createPolygon(ring);
    const angle = random.between(-4, 4);
    // Half of the directions are perpendicular to an edge: there hill climbing depends on rounding errors.
    const e = 2 * random.below(shape.edges.length / 2);
    const [dx, dy] = random.below(2) === 0 ? [Math.cos(angle), Math.sin(angle)] : [-shape.edges[e + 1], shape.edges[e]];
    const at = planarSupportVertex(shape, Float64Array.of(dx, dy), 2 * random.below(count));
    const heights = verticesOf({ ...shape, middle: new Float64Array(2) }).map(([x, y]) => x * dx + y * dy);
    const size = Math.max(...shape.vertices.map(Math.abs)) * Math.hypot(dx, dy);
    expect(heights[at / 2], `round ${round}`).toBeGreaterThanOrEqual(Math.max(...heights) - 1e-15 * count * size);
  }
});

test('hints from another shape do not change the result', () => {
  const shape = createPolygon(ringOf(20));
  const d = Float64Array.of(1, 0);
  expect(planarSupportVertex(shape, d, 4000)).toBe(planarSupportVertex(shape, d, 0));
});

test('inner and outer radius are those of a square about an eccentric center, margin included', () => {
  const shape = createPolygon(square, 0.5, [0.25, 0.5]);
  expect(shape.innerRadius).toBeCloseTo(0.25 + 0.5, 15);
  expect(shape.outerRadius).toBeCloseTo(Math.hypot(0.75, 0.5) + 0.5, 15);
  expect([...shape.bounds]).toEqual([-0.5, -0.5, 1.5, 1.5]);
});

test('the inner radius of a center outside is minus its distance from the shape', () => {
  expect(createPolygon(square, 0, [2, 3]).innerRadius).toBeCloseTo(-Math.hypot(1, 2), 15);
  expect(
    createPolygon(
      [
        [0, 0],
        [1, 0],
      ],
      0,
      [0.5, 2],
    ).innerRadius,
  ).toBe(-2);
});

test('a disc is a point with a margin', () => {
  const disc = createDisc(2, 0.5);
  expect([...disc.vertices]).toEqual([0, 0]);
  expect(disc.margin).toBe(2.5);
  expect(disc.innerRadius).toBe(2.5);
});

test('every sample of the table creates a shape', () => {
  for (const [type, { samples, create }] of Object.entries(planarShapes)) {
    for (const spec of samples) expect(create(spec).type).toBe(type);
  }
});

test('an ellipse has the measures of its axes; equal radii make a disc, a radius of 0 a segment', () => {
  const shape = createPlanarShape({ type: 'ellipse', radii: [2, 1], margin: 0.5 });
  expect(Array.from(shape.bounds)).toEqual([-2.5, -1.5, 2.5, 1.5]);
  expect([shape.innerRadius, shape.outerRadius]).toEqual([1.5, 2.5]);
  const d = Float64Array.of(0.6, 0.8);
  const point = new Float64Array(2);
  shape.round!.support(point, 0, d);
  expect(0.6 * point[0] + 0.8 * point[1] + shape.margin).toBeCloseTo(Math.hypot(1.2, 0.8) + 0.5, 14);
  expect(shape.round!.radiusAlong(Float64Array.of(3, 0))).toBeCloseTo(0.5 + 0.5, 14); // y² / x
  expect(shape.round!.radiusAlong(Float64Array.of(0, -1))).toBeCloseTo(4 + 0.5, 14); // x² / y
  const off = createPlanarShape({ type: 'ellipse', radii: [2, 1] }, [1, 0]);
  expect([off.innerRadius, off.outerRadius]).toEqual([0.5, 3]);
  const outside = createPlanarShape({ type: 'ellipse', radii: [2, 1] }, [0, 3]);
  expect(outside.innerRadius).toBeCloseTo(-2, 14);

  const round = createPlanarShape({ type: 'ellipse', radii: [0.5, 0.5], margin: 0.1 });
  expect([round.round, round.margin, round.vertices.length]).toEqual([undefined, 0.6, 2]);
  const flat = createPlanarShape({ type: 'ellipse', radii: [0, 2] });
  expect(verticesOf(flat).sort()).toEqual([
    [0, -2],
    [0, 2],
  ]);
});

test('the support function of an ellipse keeps its digits for any radii and lengths of d', () => {
  const random = new Random(6);
  for (let i = 0; i < 2000; i++) {
    const scale = 10 ** random.between(-100, 7);
    const radii = [scale, scale * 10 ** random.between(-30, 0)];
    const { round } = createPlanarShape({ type: 'ellipse', radii: random.below(2) === 0 ? radii : radii.reverse() });
    const [x, y] = [random.between(-1, 1), random.between(-1, 1) * 10 ** random.between(-20, 0)];
    const point = new Float64Array(2);
    round!.support(point, 0, Float64Array.of(1e-20 * x, 1e-20 * y));
    const length = Math.hypot(x, y);
    const [short, long] = [Math.min(...radii), Math.max(...radii)];
    const height = (point[0] * x + point[1] * y) / length + (short / long) * short;
    const exact = Math.hypot((radii[0] * x) / length, (radii[1] * y) / length);
    expect(Math.abs(height - exact), `ellipse ${i}`).toBeLessThanOrEqual(1e-15 * long);
  }
});

test('a rectangle is the polygon of its corners, a stadium a segment with a margin', () => {
  const box = createPlanarShape({ type: 'rectangle', width: 2, height: 1, margin: 0.1 });
  expect(Array.from(box.bounds)).toEqual([-1.1, -0.6, 1.1, 0.6]);
  expect(box.vertices).toHaveLength(8);
  expect(box.innerRadius).toBeCloseTo(0.6, 12);
  expect(box.outerRadius).toBeCloseTo(Math.sqrt(1.25) + 0.1, 12);
  const flat = createPlanarShape({ type: 'rectangle', width: 2, height: 0 });
  expect(flat.vertices).toHaveLength(4);
  const round = createPlanarShape({ type: 'stadium', radius: 0.5, length: 2, margin: 0.1 });
  expect(Array.from(round.bounds)).toEqual([-1.6, -0.6, 1.6, 0.6]);
  expect([round.innerRadius, round.outerRadius]).toEqual([0.6, 1.6]);
  expect(createPlanarShape({ type: 'stadium', radius: 0.5, length: 0 }).vertices).toHaveLength(2);
  for (const key of ['radius', 'length']) {
    expect(() => createPlanarShape({ type: 'stadium', radius: 1, length: 1, [key]: -1 })).toThrow(key);
  }
});
