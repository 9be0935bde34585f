import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { invert, type Transform } from '../../../../src/core/math/transform.ts';
import { create, cross, dot, norm, scale, type Vec3 } from '../../../../src/core/math/vec3.ts';
import { Epa } from '../../../../src/core/narrowphase/depth/epa.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import {
  between,
  createPair,
  excess,
  type Pair,
  polytopes,
  poseOf,
  randomDirections,
  randomPairs,
  randomSpec,
  randomTransform,
  slabAlong,
} from '../helpers.ts';

const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const cube: ShapeSpec = { type: 'box', size: [1, 1, 1] };
const epa = new Epa();
const out = new Separation();

function solve({ a, T_b_a, b }: Pair): Separation {
  epa.depth(out, a, T_b_a, b);
  return out;
}

for (const unit of [1e-3, 1, 1e3]) {
  describe(`at scale ${unit}`, () => {
    test('moving B by the depth along the normal separates the pair, and no shorter translation than the lower bound does', () => {
      const directions = randomDirections(new Random(2), 60);
      for (const pair of randomPairs({ seed: 21, count: 600, scale: unit })) {
        const { status, depth, normal, witnessA, witnessB } = solve(pair);
        const rounding = 1e-13 * pair.size;
        expect(status, pair.label).not.toBe('undecided');
        expect(depth.lower, pair.label).toBeLessThanOrEqual(depth.upper);
        if (status !== 'colliding') {
          expect(depth.upper, pair.label).toBeLessThan(1e-10 * pair.size);
          continue;
        }
        expect(Math.abs(norm(normal) - 1), pair.label).toBeLessThan(1e-14);
        expect(Math.abs(-slabAlong(normal, pair) - depth.upper), pair.label).toBeLessThan(rounding);
        for (const n of directions) expect(-slabAlong(n, pair), pair.label).toBeGreaterThan(depth.lower - rounding);
        expect(excess(witnessA, pair.a, pair.T_b_a, directions), pair.label).toBeLessThan(rounding);
        expect(excess(witnessB, pair.b, identity, directions), pair.label).toBeLessThan(rounding);
        const slack = depth.upper - depth.lower + 1e-10 * pair.size;
        expect(Math.abs(between(witnessA, witnessB) - depth.upper), pair.label).toBeLessThan(slack);
      }
    });

    test('the bounds meet on polytopes, sharp or rounded, in either order', () => {
      const random = new Random(22);
      for (let i = 0; i < 600; i++) {
        const specs = [randomSpec(random, unit, polytopes), randomSpec(random, unit, polytopes)];
        const pair = createPair(`pair ${i}`, specs[0], specs[1], randomTransform(random, unit / 2));
        const { lower, upper } = { ...solve(pair).depth };
        expect(upper - lower, pair.label).toBeLessThanOrEqual(1e-9 * pair.size);
        const T_a_b = identity.slice();
        invert(T_a_b, pair.T_b_a);
        solve({ ...pair, a: pair.b, b: pair.a, T_b_a: T_a_b });
        expect(Math.abs(out.depth.upper - upper), pair.label).toBeLessThanOrEqual(1e-9 * pair.size);
      }
    });

    test('the depth of boxes is the minimum over their faces and pairs of edges', () => {
      const random = new Random(23);
      for (let i = 0; i < 400; i++) {
        const box = () => ({
          type: 'box',
          size: [0, 1, 2].map(() => unit * random.between(0.05, 1)),
          margin: unit * random.between(0, 0.1),
        });
        const pair = createPair(`boxes ${i}`, box(), box(), randomTransform(random, unit / 2));
        const gap = maxGap(pair);
        solve(pair);
        // If only the margins overlap, the nearest features of the cores need not be faces or pairs of edges.
        if (gap < -pair.a.margin - pair.b.margin)
          expect(Math.abs(out.depth.upper + gap), pair.label).toBeLessThan(1e-12 * pair.size);
      }
    });
  });
}

/** Returns the largest gap (smallest overlap) along the 15 separating axes of two boxes. */
function maxGap(pair: Pair): number {
  const axes: Vec3[] = [];
  const { T_b_a: T } = pair;
  const ofA = [0, 1, 2].map((k) => create(T[k], T[k + 4], T[k + 8]));
  const ofB = [create(1, 0, 0), create(0, 1, 0), create(0, 0, 1)];
  axes.push(...ofA, ...ofB);
  for (const p of ofA) {
    for (const q of ofB) {
      const n = create();
      cross(n, p, q);
      if (norm(n) > 1e-9) axes.push(n);
    }
  }
  let best = Number.NEGATIVE_INFINITY;
  for (const n of axes) {
    for (const sign of [1, -1]) {
      const unit = create();
      scale(unit, n, sign / norm(n));
      best = Math.max(best, slabAlong(unit, pair));
    }
  }
  return best;
}

describe('closed forms', () => {
  const depthOf = (a: ShapeSpec, b: ShapeSpec, T_b_a: Transform) => {
    solve(createPair('', a, b, T_b_a));
    return (out.depth.lower + out.depth.upper) / 2;
  };
  const sphere = (radius: number): ShapeSpec => ({ type: 'sphere', radius });
  const capsule = (length: number, radius: number): ShapeSpec => ({ type: 'capsule', length, radius });

  test('coincident equal cubes', () => expect(depthOf(cube, cube, identity)).toBeCloseTo(1, 14));
  test('a small cube inside a large one', () =>
    expect(depthOf({ type: 'box', size: [0.2, 0.2, 0.2] }, cube, at(0.1, 0, 0.2))).toBeCloseTo(0.4, 14));
  test('a sphere at the center of a cube', () => expect(depthOf(sphere(0.1), cube, identity)).toBeCloseTo(0.6, 14));
  test('a sphere with its center on a face, an edge, a vertex', () => {
    expect(depthOf(sphere(0.1), cube, at(0.5, 0.2, 0.1))).toBeCloseTo(0.1, 14);
    expect(depthOf(sphere(0.1), cube, at(0.5, 0.5, 0.1))).toBeCloseTo(0.1, 14);
    expect(depthOf(sphere(0.1), cube, at(0.5, 0.5, 0.5))).toBeCloseTo(0.1, 14);
  });
  test('concentric spheres', () => expect(depthOf(sphere(0.25), sphere(0.5), identity)).toBeCloseTo(0.75, 14));
  test('crossed and collinear capsules', () => {
    expect(depthOf(capsule(1, 0.1), capsule(1, 0.2), poseOf([0, 0, 0], [1, 1, 0, 0]))).toBeCloseTo(0.3, 14);
    expect(depthOf(capsule(1, 0.1), capsule(1, 0.2), at(0, 0, 0.3))).toBeCloseTo(0.3, 14);
  });
  test('coplanar plates have depth 0, crossed plates the shorter distance along a plate', () => {
    const flat: ShapeSpec = {
      type: 'convex',
      points: [
        [-1, -1, 0],
        [1, -1, 0],
        [1, 1, 0],
        [-1, 1, 0],
      ],
    };
    expect(depthOf(flat, flat, at(0.5, 0.5, 0))).toBe(0);
    // At right angles, half of one and half of the other along the shorter direction.
    expect(depthOf(flat, flat, poseOf([0, 0, 0.25], [1, 1, 0, 0]))).toBeCloseTo(0.75, 14);
  });
  test('cylinders side by side', () => {
    const drum: ShapeSpec = { type: 'cylinder', radius: 0.5, length: 4 };
    solve(createPair('', drum, drum, at(0.75, 0, 0)));
    expect(Math.abs(out.depth.upper - 0.25)).toBeLessThan(1e-9);
    expect(Math.abs(dot(out.normal, create(-1, 0, 0)) - 1)).toBeLessThan(1e-8);
  });
  test('touching faces: depth 0 and touching', () => {
    expect(depthOf(cube, cube, at(1, 0.3, 0.3))).toBe(0);
    expect(out.status).toBe('touching');
  });
  test('separated shapes: depth 0 and the distance', () => {
    expect(depthOf(cube, cube, at(3, 0, 0))).toBe(0);
    expect(out.status).toBe('separated');
    expect(out.distance.lower).toBeCloseTo(2, 14);
  });
  test('a cube in a half-space', () => {
    expect(depthOf(cube, { type: 'halfspace', normal: [0, 0, 1] }, at(0, 0, 0.25))).toBe(0.25);
    expect(between(out.normal, create(0, 0, -1))).toBe(0);
  });
});

test('more expansions never widen the bounds of smooth shapes', () => {
  const ellipsoid: ShapeSpec = { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] };
  const cone: ShapeSpec = { type: 'cone', radius: 0.4, length: 0.6 };
  const pair = createPair('', ellipsoid, cone, poseOf([0.1, 0.05, 0.2], [1, 0.2, -0.1, 0.3]));
  let [lower, upper] = [0, Number.POSITIVE_INFINITY];
  for (const maxExpansions of [1, 2, 4, 8, 16, 32, 64, 128, 256]) {
    new Epa({ maxExpansions }).depth(out, pair.a, pair.T_b_a, pair.b);
    expect(out.depth.lower).toBeGreaterThanOrEqual(lower);
    expect(out.depth.upper).toBeLessThanOrEqual(upper + 1e-11); // the end of a descent
    expect(out.depth.lower).toBeLessThanOrEqual(out.depth.upper);
    [lower, upper] = [out.depth.lower, out.depth.upper];
  }
  expect(upper - lower).toBeLessThan(1e-9);
});

test('a NaN pose is undecided and throws no exception', () => {
  expect(solve(createPair('', cube, cube, at(Number.NaN, 0, 0))).status).toBe('undecided');
});

/**
 * A capsule and a cone about the same axis: every direction around it at the angle of the cone's side has the minimum
 * depth, so that no number of faces proves it.
 */
test.each([
  [0.25, 0.25, 3, 0.2],
  [0.4, 0.1, 1, 0.1],
  [0.3, 0.2, 2, 0.5],
])(
  'the depth of a coaxial pair is exact although its bounds do not meet: %d %d %d %d',
  (base, radius, length, offset) => {
    const capsule: ShapeSpec = { type: 'capsule', radius, length };
    const depth = solve(createPair('', capsule, { type: 'cone', radius: base, length }, at(0, 0, offset))).depth.upper;
    const along = base / Math.hypot(length, base);
    expect(Math.abs(depth - (radius + (length - offset) * along))).toBeLessThan(1e-12);
    expect(out.depth.lower).toBeLessThan(depth - 1e-8);
  },
);
