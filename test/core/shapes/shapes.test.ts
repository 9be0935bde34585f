import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { supportWithMargin } from '../../../src/core/narrowphase/supportAlong.generated.ts';
import { isHalfspace } from '../../../src/core/shapes/halfspace.ts';
import { createCloudShape, createShape, shapes } from '../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { scaledSpec, trueSupport } from './sampleShapes.ts';

const scales = [1e-3, 1, 1e3];

const samples: [string, ShapeSpec, number][] = Object.entries(shapes).flatMap(([name, { samples }]) =>
  samples.flatMap((spec, i) =>
    scales.map((scale): [string, ShapeSpec, number] => [`${name} ${i} at scale ${scale}`, spec, scale]),
  ),
);
const bounded = samples.filter(([, spec]) => spec.type !== 'halfspace');

test.each(bounded.filter(([, { type }]) => type === 'convex'))(
  'as a group of points, %s has the same support points and bounds, from a map of eight cells',
  (_label, spec, scale) => {
    const [shape, cloud] = [createShape, createCloudShape].map((create) => create(scaledSpec(spec, scale)));
    expect(cloud.bounds).toEqual(shape.bounds);
    expect(cloud.cellStart).toHaveLength(9);
    expect(cloud.innerRadius).toBe(cloud.margin);
    const [out, expected] = [new Float64Array(3), new Float64Array(3)];
    for (const d of randomDirections(12, 400)) {
      supportWithMargin(out, cloud, d, -1);
      supportWithMargin(expected, shape, d, -1);
      expect(dot(out, d)).toBe(dot(expected, d));
      expect(distance(out, cloud.center)).toBeLessThanOrEqual(cloud.outerRadius * (1 + 1e-14));
    }
  },
);

describe.each(bounded)('%s', (_label, spec, scale) => {
  const scaled = scaledSpec(spec, scale);
  const shape = createShape(scaled);
  const size = shape.outerRadius;
  const directions = randomDirections(11, 400);

  test('the support point is the farthest point for any hint and any length of the direction', () => {
    const out = new Float64Array(3);
    let [hint, worst] = [-1, 0];
    for (const d of directions) {
      const maxAlong = dot(trueSupport(scaled, d), d);
      for (const factor of [1, 1e-9, 1e9]) {
        hint = supportWithMargin(
          out,
          shape,
          d.map((x) => x * factor),
          factor === 1 ? hint : -1,
        );
        worst = Math.max(worst, Math.abs(dot(out, d) - maxAlong));
      }
    }
    expect(worst).toBeLessThanOrEqual(1e-14 * size);
  });

  test('the support point may overwrite the direction', () => {
    const out = new Float64Array(3);
    for (const d of directions.slice(0, 50)) {
      shape.support(out, shape, d, -1);
      const over = Float64Array.from(d);
      shape.support(over, shape, over, -1);
      expect(over).toEqual(out);
    }
  });

  test('bounds and outer sphere contain every support point and are tight', () => {
    const out = new Float64Array(3);
    let [farthest, outside] = [0, 0];
    for (const d of directions) {
      supportWithMargin(out, shape, d, -1);
      for (let k = 0; k < 3; k++) outside = Math.max(outside, shape.bounds[k] - out[k], out[k] - shape.bounds[k + 3]);
      farthest = Math.max(farthest, distance(out, shape.center));
    }
    expect(outside).toBeLessThanOrEqual(1e-14 * size);
    expect(farthest).toBeLessThanOrEqual(shape.outerRadius * (1 + 1e-14));
    expect(farthest).toBeGreaterThanOrEqual(shape.outerRadius * 0.9);
    for (let k = 0; k < 6; k++) {
      const d = [0, 0, 0];
      d[k % 3] = k < 3 ? -1 : 1;
      supportWithMargin(out, shape, Float64Array.from(d), -1);
      expect(Math.abs(out[k % 3] - shape.bounds[k])).toBeLessThanOrEqual(1e-14 * size);
    }
  });

  test('the inner sphere lies in the shape, about the default center and others', () => {
    const flat = spec.type === 'convex' && (spec.points as unknown[]).length === 4 && !shape.margin;
    expect(shape.innerRadius).toBeGreaterThan(flat ? -1e-300 : 0);
    expectInnerSphere(shape, directions);
    const random = new Random(3);
    const p = new Float64Array(3);
    for (let i = 0; i < 10; i++) {
      supportWithMargin(p, shape, directions[random.below(directions.length)], -1);
      const t = random.between(0, 0.95);
      const center = p.map((x, k) => shape.center[k] + t * (x - shape.center[k]));
      expectInnerSphere(createShape(scaled, center), directions);
    }
  });

  test('the inner radius is negative about a center outside and positive about a center well inside', () => {
    const out = new Float64Array(3);
    for (const d of directions.slice(0, 20)) {
      supportWithMargin(out, shape, d, -1);
      const beyond = out.map((x, k) => x + 0.01 * size * d[k]);
      expect(createShape(scaled, beyond).innerRadius).toBeLessThan(0);
    }
    expect(createShape(scaled, shape.center).innerRadius).toBeGreaterThan(0);
  });
});

function expectInnerSphere(shape: ConvexShape, directions: readonly Float64Array[]): void {
  const out = new Float64Array(3);
  let nearest = Number.POSITIVE_INFINITY;
  for (const d of directions) {
    supportWithMargin(out, shape, d, -1);
    nearest = Math.min(nearest, dot(out, d) - dot(shape.center, d));
  }
  expect(shape.innerRadius).toBeLessThanOrEqual(nearest + 1e-14 * shape.outerRadius);
}

test('a half-space is recognised, and its bounds are infinite except along an axis', () => {
  const floor = createShape({ type: 'halfspace', normal: [0, 0, 2], margin: 0.1 });
  expect(isHalfspace(floor)).toBe(true);
  expect([...floor.bounds]).toEqual([-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0.1]);
  expect(createShape({ type: 'halfspace', normal: [0, 0, 1] }, [0, 0, -2]).innerRadius).toBe(2);
  const out = new Float64Array(3);
  const tilted = createShape({ type: 'halfspace', normal: [1, 2, 3] });
  tilted.support(out, tilted, tilted.size, -1);
  expect([...out]).toEqual([0, 0, 0]);
  tilted.support(out, tilted, Float64Array.of(1, 0, 0), -1);
  expect(out[0]).toBe(Infinity);
});

describe('degenerate and large convex hulls', () => {
  const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [x, y, z])));
  test.each<[string, number[][]]>([
    ['a point', [[1, 2, 3]]],
    [
      'a point repeated three times',
      [
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
      ],
    ],
    [
      'a segment',
      [
        [0, 0, 0],
        [1, 1, 1],
      ],
    ],
    [
      'points on a line',
      [
        [0, 0, 0],
        [1, 1, 1],
        [0.5, 0.5, 0.5],
        [0.25, 0.25, 0.25],
      ],
    ],
    [
      'a triangle',
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    ],
    [
      'a tilted plate',
      [
        [0, 0, 0],
        [1, 1, 0],
        [0, 0, 1],
        [1, 1, 1],
      ],
    ],
  ])('%s has no interior and contains its default center', (_label, points) => {
    const shape = createShape({ type: 'convex', points });
    expect(shape.innerRadius).toBe(0);
    expect(createShape({ type: 'convex', points, margin: 0.25 }).innerRadius).toBe(0.25);
    expect(createShape({ type: 'convex', points }, [0.5, 0.5, -9]).innerRadius).toBeLessThan(0);
  });

  test('additional points on the boundary and inside do not change the radii', () => {
    const more = [...cube, [0.5, 0.5, 0], [0.5, 0, 0], [0.5, 0.5, 0.5], [1, 1, 1]];
    const plain = createShape({ type: 'convex', points: cube }, [0.5, 0.5, 0.5]);
    const busy = createShape({ type: 'convex', points: more }, [0.5, 0.5, 0.5]);
    expect(plain.innerRadius).toBeCloseTo(0.5, 5);
    expect(busy.innerRadius).toBeCloseTo(0.5, 5);
    expect(busy.outerRadius).toBe(plain.outerRadius);
  });

  test.each([255, 256, 2048, 16_384])(
    'a hull of %i vertices has the height of the farthest one for any hint',
    (count) => {
      const points = goldenSpiral(count);
      const shape = createShape({ type: 'convex', points });
      const out = new Float64Array(3);
      for (const [i, d] of randomDirections(17, 60).entries()) {
        const maxAlong = points.reduce((most, p) => Math.max(most, dot(p, d)), -1);
        for (const hint of [-1, 3 * i, 99999]) {
          shape.support(out, shape, d, hint);
          expect(maxAlong - dot(out, d)).toBeLessThanOrEqual(1e-15);
        }
      }
    },
  );
});

/** Returns points on a golden spiral on the unit sphere. */
function goldenSpiral(count: number): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const turn = i * Math.PI * (3 - Math.sqrt(5));
    return [Math.sqrt(1 - z * z) * Math.cos(turn), Math.sqrt(1 - z * z) * Math.sin(turn), z];
  });
}

describe('invalid specs are rejected with the name of the field', () => {
  test.each<[ShapeSpec, string, number[]?]>([
    [{ type: 'box', size: [1, -1, 1] }, 'size[1] is -1, must be a length greater than 0'],
    [{ type: 'box', size: [1, 1] }, 'size has 2 values, must be three lengths'],
    [{ type: 'box', size: [1e-310, 1, 1] }, 'size[0] is 1e-310, must be a length greater than 0'],
    [{ type: 'sphere' }, 'radius is missing, must be a length greater than 0'],
    [{ type: 'sphere', radius: 0 }, 'radius is 0, must be a length greater than 0'],
    [{ type: 'sphere', radius: Number.NaN }, 'radius is NaN, must be a length greater than 0'],
    [{ type: 'sphere', radius: Number.POSITIVE_INFINITY }, 'radius is Infinity, must be a length greater than 0'],
    [{ type: 'sphere', radius: '1' }, 'radius is "1", must be a length greater than 0'],
    [{ type: 'sphere', radius: 1, margin: -1 }, 'margin is -1, must be a length of 0 or more'],
    [{ type: 'capsule', radius: 1, length: -1 }, 'length is -1, must be a length of 0 or more'],
    [{ type: 'frustum', radiusBottom: 0, radiusTop: 0, length: 1 }, 'radiusBottom and radiusTop are both 0'],
    [{ type: 'convex', points: [] }, 'points is empty'],
    [
      {
        type: 'convex',
        points: [
          [0, 0, 0],
          [0, Number.NaN, 0],
        ],
      },
      'points[1][1] is NaN, must be a finite number',
    ],
    [{ type: 'halfspace', normal: [0, 0, 0] }, 'normal is [0, 0, 0]'],
    [{ type: 'spere', radius: 1 }, 'unknown shape "spere"'],
    [{ type: 'sphere', radius: 1 }, 'center[0] is NaN, must be a finite number', [Number.NaN, 0, 0]],
  ])('%j: %s', (spec, message, center) => {
    expect(() => createShape(spec, center)).toThrow(expect.objectContaining({ name: 'InputError', message }));
  });
});

function randomDirections(seed: number, count: number): Float64Array[] {
  const random = new Random(seed);
  const directions: Float64Array[] = [];
  while (directions.length < count) {
    const d = Float64Array.of(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const length = Math.sqrt(dot(d, d));
    if (length > 0.1 && length < 1) directions.push(d.map((x) => x / length));
  }
  return directions;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
