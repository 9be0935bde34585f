import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { compose, invert } from '../../../../src/core/math/transform.ts';
import { copy, create, norm } from '../../../../src/core/math/vec3.ts';
import { Gjk } from '../../../../src/core/narrowphase/gjk/gjk.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { COLLIDING, PairCache, SEPARATED, Separation, UNDECIDED } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import {
  between,
  createPair,
  excess,
  type Pair,
  poseOf,
  randomDirections,
  randomPairs,
  randomTransform,
  seenFrom,
  slabAlong,
} from '../helpers.ts';

const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const cube: ShapeSpec = { type: 'box', size: [1, 1, 1] };
const solver = new GjkDistance();
const out = new Separation();

function solve({ a, T_b_a, b }: Pair, stopAt = Number.POSITIVE_INFINITY, cache = new PairCache()): Separation {
  solver.distance(out, a, T_b_a, b, stopAt, cache);
  return out;
}

const signedGap = (): [number, number] =>
  out.distance.upper > 0 ? [out.distance.lower, out.distance.upper] : [-out.depth.upper, -out.depth.lower];

for (const unit of [1e-3, 1, 1e3]) {
  describe(`at scale ${unit}`, () => {
    test('every distance is proved by two support calls, and its witness points are on the shapes at that distance', () => {
      const directions = randomDirections(new Random(9), 40);
      for (const pair of randomPairs({ seed: 7, count: 1000, scale: unit })) {
        const { status, distance, normal, witnessA, witnessB, hasNormal } = solve(pair);
        const rounding = 1e-14 * pair.size;
        expect(status, pair.label).not.toBe('undecided');
        expect(distance.lower, pair.label).toBeLessThanOrEqual(distance.upper);
        expect(distance.upper - distance.lower, pair.label).toBeLessThanOrEqual(1e-10 * pair.size);
        expect(excess(witnessA, pair.a, pair.T_b_a, directions), pair.label).toBeLessThanOrEqual(rounding);
        expect(excess(witnessB, pair.b, identity, directions), pair.label).toBeLessThanOrEqual(rounding);
        expect(Math.abs(between(witnessA, witnessB) - distance.upper), pair.label).toBeLessThanOrEqual(rounding);
        if (hasNormal) expect(Math.abs(norm(normal) - 1), pair.label).toBeLessThan(1e-14);
        if (status === 'separated')
          expect(slabAlong(normal, pair), pair.label).toBeGreaterThanOrEqual(distance.lower - rounding);
      }
    });

    test('the Boolean verdict has a proof and agrees with the distance', () => {
      const checker = new Gjk();
      let colliding = 0;
      for (const pair of randomPairs({ seed: 8, count: 1000, scale: unit })) {
        const cache = new PairCache();
        const verdict = checker.check(pair.a, pair.T_b_a, pair.b, 0, cache);
        const { distance } = solve(pair);
        if (verdict === SEPARATED) {
          expect(cache.hasAxis, pair.label).toBe(true);
          expect(slabAlong(cache.axis, pair), pair.label).toBeGreaterThan(0);
          expect(Math.abs(slabAlong(cache.axis, pair) - cache.gap), pair.label).toBeLessThan(1e-14 * pair.size);
        } else if (verdict === COLLIDING) {
          colliding++;
          expect(distance.lower, pair.label).toBeLessThan(1e-13 * pair.size);
        } else expect(distance.lower, pair.label).toBeLessThan(1e-10 * pair.size);
      }
      expect(colliding).toBeGreaterThan(200);
    });

    test('with a minimum distance, the verdict changes at the distance of the pair', () => {
      const checker = new Gjk();
      for (const pair of randomPairs({ seed: 18, count: 1000, scale: unit })) {
        const { status, distance } = solve(pair);
        if (status !== 'separated') continue;
        const { lower, upper } = { ...distance };
        const slack = 1e-11 * pair.size;
        expect(checker.check(pair.a, pair.T_b_a, pair.b, Math.max(0, lower - slack), new PairCache()), pair.label).toBe(
          SEPARATED,
        );
        expect(checker.check(pair.a, pair.T_b_a, pair.b, upper + slack, new PairCache()), pair.label).toBe(COLLIDING);
      }
    });
  });
}

test('the result is invariant under swapping A and B and under a common motion', () => {
  const random = new Random(5);
  for (const pair of randomPairs({ seed: 6, count: 1000 })) {
    solve(pair);
    const [lower, upper] = signedGap();
    const coresIntersect = out.distance.upper === 0 && out.depth.upper > out.depth.lower;
    const same = (factor: number, tolerance: number, what: string) => {
      const [otherLower, otherUpper] = signedGap();
      expect(otherUpper > 0, `${pair.label}: ${what}`).toBe(
        upper > 0 || Math.abs(upper) < tolerance ? otherUpper > 0 : false,
      );
      if (coresIntersect) return; // only the sign of the distance is known
      expect(Math.abs(otherLower - factor * lower), `${pair.label}: ${what}`).toBeLessThanOrEqual(factor * tolerance);
    };
    const tolerance = 1e-11 * pair.size;

    const T_a_b = identity.slice();
    invert(T_a_b, pair.T_b_a);
    solve({ ...pair, a: pair.b, b: pair.a, T_b_a: T_a_b });
    same(1, tolerance, 'swapped');

    const T_world_b = randomTransform(random, 1e6);
    const T_world_a = identity.slice();
    compose(T_world_a, T_world_b, pair.T_b_a);
    solve({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) });
    same(1, 1e-8, 'moved 1e6 m away'); // the poses themselves are rounded to 1e-10 there
  }
});

test('scaling both shapes by 2^-13 and 2^13 scales every result', () => {
  for (const factor of [2 ** -13, 2 ** 13]) {
    for (const pair of randomPairs({ seed: 61, count: 500 })) {
      solve(pair);
      const { lower, upper } = { ...out.distance };
      const T_b_a = pair.T_b_a.slice();
      for (const i of [3, 7, 11]) T_b_a[i] *= factor;
      solve(createPair(pair.label, scaled(pair.specA, factor), scaled(pair.specB, factor), T_b_a));
      expect(Math.abs(out.distance.lower / factor - lower), pair.label).toBeLessThanOrEqual(1e-12 * pair.size);
      expect(Math.abs(out.distance.upper / factor - upper), pair.label).toBeLessThanOrEqual(1e-12 * pair.size);
    }
  }
});

/** Returns the spec with all numbers times a factor. */
function scaled(spec: ShapeSpec, factor: number): ShapeSpec {
  const times = (value: unknown): unknown =>
    typeof value === 'number' ? value * factor : Array.isArray(value) ? value.map(times) : value;
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, times(value)])) as unknown as ShapeSpec;
}

test('the content of the cache changes the work, not the result', () => {
  const random = new Random(12);
  const stale = new PairCache();
  for (const pair of randomPairs({ seed: 13, count: 1000 })) {
    solve(pair);
    const { lower, upper } = { ...out.distance };
    const status = out.status;
    copy(stale.axis, randomDirections(random, 1)[0]);
    stale.hasAxis = true;
    solve(pair, Number.POSITIVE_INFINITY, stale);
    if (status === 'separated' || out.status === 'separated') expect(out.status, pair.label).toBe(status);
    expect(Math.abs(out.distance.lower - lower), pair.label).toBeLessThanOrEqual(1e-11 * pair.size);
    expect(Math.abs(out.distance.upper - upper), pair.label).toBeLessThanOrEqual(1e-11 * pair.size);
  }
});

test('a warm query of a separated pair at the same poses takes one iteration', () => {
  const checker = new Gjk();
  for (const pair of randomPairs({ seed: 14, count: 300 })) {
    const cache = new PairCache();
    if (checker.check(pair.a, pair.T_b_a, pair.b, 0, cache) !== SEPARATED) continue;
    checker.iterations = 0;
    expect(checker.check(pair.a, pair.T_b_a, pair.b, 0, cache), pair.label).toBe(SEPARATED);
    expect(checker.iterations).toBe(1);
  }
});

test('stopAt terminates the iteration early, with a sufficient lower bound', () => {
  let saved = 0;
  for (const pair of randomPairs({ seed: 15, count: 500 })) {
    solve(pair);
    const { iterations, distance } = out;
    const { lower, upper } = { ...distance };
    if (out.status !== 'separated') continue;
    solve(pair, lower / 2);
    expect(out.status).toBe('separated');
    expect(out.distance.lower).toBeGreaterThanOrEqual(lower / 2);
    expect(out.distance.lower).toBeLessThanOrEqual(upper);
    expect(out.distance.upper).toBeGreaterThanOrEqual(lower * (1 - 1e-12));
    saved += iterations - out.iterations;
  }
  expect(saved).toBeGreaterThan(300);
});

describe('closed forms', () => {
  test('two spheres', () => {
    solve(
      createPair('', { type: 'sphere', radius: 0.25 }, { type: 'sphere', radius: 0.5, margin: 0.125 }, at(3, 4, 0)),
    );
    expect(out.distance.lower).toBeCloseTo(5 - 0.875, 14);
    expect(out.distance.upper).toBeCloseTo(5 - 0.875, 14);
    expect(between(out.normal, create(-0.6, -0.8, 0))).toBeLessThan(1e-15);
  });

  test('overlapping spheres have an exact depth', () => {
    solve(createPair('', { type: 'sphere', radius: 3 }, { type: 'sphere', radius: 3 }, at(3, 4, 0)));
    expect(out.status).toBe('colliding');
    expect(out.depth.lower).toBeCloseTo(1, 14);
    expect(out.depth.upper).toBeCloseTo(1, 14);
    expect([...out.witnessA]).toEqual([...out.witnessB]);
  });

  test('faces, edges and vertices of cubes', () => {
    expect(solve(createPair('', cube, cube, at(1.5, 0.3, -0.2))).distance.lower).toBeCloseTo(0.5, 14);
    expect(solve(createPair('', cube, cube, at(4, 5, 0.1))).distance.lower).toBeCloseTo(5, 13);
    expect(solve(createPair('', cube, cube, at(3, 3, 2))).distance.lower).toBeCloseTo(3, 13);
  });

  test('faces that touch are not separated; a gap or overlap of 1e-12 is resolved', () => {
    expect(solve(createPair('', cube, cube, at(1, 0.3, 0.3))).status).not.toBe('separated');
    expect(out.distance.upper).toBeLessThan(1e-15);
    expect(solve(createPair('', cube, cube, at(1 + 1e-12, 0.3, 0.3))).status).toBe('separated');
    expect(solve(createPair('', cube, cube, at(1 - 1e-12, 0.3, 0.3))).status).toBe('colliding');
  });

  test('nearly parallel faces and edges keep their distance to 1e-12', () => {
    for (const angle of [1e-3, 1e-6, 1e-9, 1e-12]) {
      // Rotated about z by a small angle: the nearest vertex is (sine + cosine) / 2 from the centre along x.
      const pair = createPair('', cube, cube, poseOf([2, 0, 0], [1, 0, 0, angle / 2]));
      const tangent = angle / 2;
      const sine = (2 * tangent) / (1 + tangent * tangent);
      const cosine = (1 - tangent * tangent) / (1 + tangent * tangent);
      solve(pair);
      expect(Math.abs(out.distance.lower - (1.5 - 0.5 * (sine + cosine)))).toBeLessThan(1e-12);
      expect(Math.abs(out.distance.upper - (1.5 - 0.5 * (sine + cosine)))).toBeLessThan(1e-12);
    }
  });

  test('a millimetre sphere on a kilometre plate', () => {
    const plate: ShapeSpec = { type: 'box', size: [1000, 1000, 1] };
    solve(createPair('', { type: 'sphere', radius: 1e-3 }, plate, at(321, -123, 0.5 + 1e-3 + 1e-6)));
    expect(Math.abs(out.distance.lower - 1e-6)).toBeLessThan(1e-12);
    expect(Math.abs(out.distance.upper - 1e-6)).toBeLessThan(1e-12);
  });
});

test('poses that are not numbers terminate without a verdict', () => {
  const pair = createPair('', cube, cube, at(Number.NaN, 0, 0));
  expect(new Gjk().check(pair.a, pair.T_b_a, pair.b, 0, new PairCache())).toBe(UNDECIDED);
  expect(solve(pair).status).toBe('undecided');
});

test('segments, points and flat plates are valid shapes', () => {
  const point: ShapeSpec = { type: 'convex', points: [[0, 0, 0]] };
  const segment: ShapeSpec = {
    type: 'convex',
    points: [
      [-1, 0, 0],
      [1, 0, 0],
    ],
  };
  const plate: ShapeSpec = {
    type: 'convex',
    points: [
      [-1, -1, 0],
      [1, -1, 0],
      [1, 1, 0],
      [-1, 1, 0],
    ],
  };
  expect(solve(createPair('', point, point, at(0, 3, 4))).distance.lower).toBeCloseTo(5, 14);
  expect(solve(createPair('', point, point, at(0, 0, 0))).distance.upper).toBe(0);
  expect(solve(createPair('', segment, plate, at(0.3, 0, 0.5))).distance.lower).toBeCloseTo(0.5, 14);
  expect(solve(createPair('', plate, plate, at(0.5, 0.5, 0))).distance.upper).toBe(0);
  expect(solve(createPair('', plate, plate, at(2.5, 0, 0))).distance.lower).toBeCloseTo(0.5, 14);
});
