import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import {
  compose,
  invert,
  rotate,
  rotateBack,
  type Transform,
  transformPoint,
} from '../../../../src/core/math/transform.ts';
import { create, dot, norm, scale, sub, type Vec3 } from '../../../../src/core/math/vec3.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import {
  between,
  excess,
  type Pair,
  poseOf,
  randomDirections,
  randomPairs,
  randomTransform,
  seenFrom,
} from '../helpers.ts';

const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const solver = new GrowthDistance({ relativeGap: 1e-12 });
const out = new Separation();

function solve({ a, T_b_a, b }: Pick<Pair, 'a' | 'T_b_a' | 'b'>, cache = new PairCache()): Separation {
  solver.solve(out, a, T_b_a, b, cache);
  return out;
}

/** Pairs that have a growth distance: at least one shape has an interior. */
function* solidPairs(options: { seed: number; count: number; scale?: number }): Generator<Pair> {
  for (const pair of randomPairs(options)) if (pair.a.innerRadius + pair.b.innerRadius > 1e-6 * pair.size) yield pair;
}

for (const unit of [1e-3, 1, 1e3]) {
  describe(`at scale ${unit}`, () => {
    test('the normal proves the lower bound, a common point of the scaled shapes the upper bound', () => {
      const directions = randomDirections(new Random(2), 40);
      let narrow = 0;
      let count = 0;
      for (const pair of solidPairs({ seed: 51, count: 1500, scale: unit })) {
        const { growth, normal, status } = solve(pair);
        count++;
        expect(status, pair.label).not.toBe('undecided');
        expect(growth.lower, pair.label).toBeLessThanOrEqual(growth.upper);
        if (growth.upper - growth.lower <= 1e-9 * growth.upper) narrow++;
        expect(Math.abs(norm(normal) - 1), pair.label).toBeLessThan(1e-14);
        expect(growthAlong(normal, pair), pair.label).toBeGreaterThanOrEqual(growth.lower * (1 - 1e-11));

        // The points are in the shapes, and scaling about the centres by the upper bound makes them coincide.
        const { centerA, centerB, pointA, pointB } = solver;
        const inA = pointA.map((x, k) => centerA[k] + x);
        const inB = pointB.map((x, k) => centerB[k] + x);
        expect(excess(inA, pair.a, pair.T_b_a, directions), pair.label).toBeLessThan(1e-14 * pair.size);
        expect(excess(inB, pair.b, identity, directions), pair.label).toBeLessThan(1e-14 * pair.size);
        const grownA = pointA.map((x, k) => centerA[k] + growth.upper * x);
        const grownB = pointB.map((x, k) => centerB[k] + growth.upper * x);
        expect(between(grownA, grownB), pair.label).toBeLessThan(1e-9 * pair.size * Math.max(1, growth.upper));
      }
      expect(narrow).toBeGreaterThan(0.99 * count);
    });

    test('the status agrees with the distance', () => {
      const distances = new GjkDistance();
      const other = new Separation();
      for (const pair of randomPairs({ seed: 52, count: 1500, scale: unit })) {
        const { status } = solve(pair);
        distances.distance(other, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        if (status === 'separated') expect(other.distance.upper, pair.label).toBeGreaterThan(0);
        else if (status === 'colliding') expect(other.distance.lower, pair.label).toBeLessThan(1e-13 * pair.size);
        else expect(other.distance.upper, pair.label).toBeLessThan(1e-9 * pair.size);
      }
    });
  });
}

test('in collision the witness points are one point inside both shapes', () => {
  const directions = randomDirections(new Random(3), 60);
  let count = 0;
  for (const pair of randomPairs({ seed: 53, count: 1000 })) {
    const { status, witnessA, witnessB, hasWitnesses } = solve(pair);
    if (status !== 'colliding' || !hasWitnesses) continue;
    count++;
    expect(witnessA).toEqual(witnessB);
    expect(excess(witnessA, pair.a, pair.T_b_a, directions), pair.label).toBeLessThan(1e-10 * pair.size);
    expect(excess(witnessB, pair.b, identity, directions), pair.label).toBeLessThan(1e-10 * pair.size);
  }
  expect(count).toBeGreaterThan(200);
});

test('the result is invariant under swapping A and B, a common motion, and scaling', () => {
  const random = new Random(54);
  for (const pair of solidPairs({ seed: 55, count: 1000 })) {
    const { lower } = { ...solve(pair).growth };
    const slack = 1e-8 * Math.max(lower, 1e-3);
    const T_a_b = identity.slice();
    invert(T_a_b, pair.T_b_a);
    solve({ a: pair.b, b: pair.a, T_b_a: T_a_b });
    expect(Math.abs(out.growth.lower - lower), `${pair.label}, swapped`).toBeLessThan(slack);

    const T_world_b = randomTransform(random, 1e3);
    const T_world_a = identity.slice();
    compose(T_world_a, T_world_b, pair.T_b_a);
    solve({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) });
    expect(Math.abs(out.growth.lower - lower), `${pair.label}, moved`).toBeLessThan(
      slack * (1 + 1e-4 / pair.size) + 1e-9,
    );
  }
});

test('a warm start changes the work, not the result: from the last step, from another pair, from a Boolean check', () => {
  const random = new Random(56);
  const stale = new PairCache();
  let [coldWork, warmWork] = [0, 0];
  for (const pair of solidPairs({ seed: 57, count: 150 })) {
    const T_b_a = pair.T_b_a.slice();
    const step = randomDirections(random, 1)[0];
    const cache = new PairCache();
    for (let i = 0; i < 20; i++) {
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.005 * step[k];
      const { growth, iterations } = solve({ ...pair, T_b_a });
      const { lower, upper } = { ...growth };
      const slack = 1e-8 * Math.max(upper, 1e-3) + (upper - lower);
      coldWork += iterations;
      solve({ ...pair, T_b_a }, stale);
      expect(Math.abs(out.growth.lower - lower), pair.label).toBeLessThan(slack);
      solve({ ...pair, T_b_a }, cache);
      warmWork += out.iterations;
      expect(Math.abs(out.growth.lower - lower), pair.label).toBeLessThan(slack);
      expect(Math.abs(out.growth.upper - upper), pair.label).toBeLessThan(slack);
    }
  }
  expect(warmWork).toBeLessThan(0.85 * coldWork);
});

describe('closed forms', () => {
  const sphere = (radius: number, margin = 0) => createShape({ type: 'sphere', radius, margin });

  test('spheres touch when the scaled radii add up to the distance of the centres; margins are scaled too', () => {
    solve({ a: sphere(1, 0.5), T_b_a: at(0, 0, 7), b: sphere(2) });
    expect(out.growth.lower).toBeCloseTo(2, 14);
    expect(out.growth.upper).toBeCloseTo(2, 14);
    expect(out.normal[2]).toBe(-1);
    expect(out.status).toBe('separated');
  });

  test('equal centres give 0 for all shapes', () => {
    for (const { a, b } of solidPairs({ seed: 58, count: 100 })) {
      const T_b_a = at(b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]);
      solve({ a, T_b_a, b });
      expect(out.status).toBe('colliding');
      expect(out.growth.upper).toBeLessThan(1e-12);
    }
  });

  test('a cube with an eccentric centre grows about it', () => {
    const cube = { type: 'box', size: [2, 2, 2] };
    solve({ a: createShape(cube, [0.5, 0, 0]), T_b_a: at(0, 0, 0), b: createShape(cube, [0, 0, 0]) });
    expect(out.growth.lower).toBeCloseTo(0.5 / 2.5, 12); // towards −x, A reaches 1.5 and B 1 to +x
    solve({ a: createShape(cube, [-0.5, 0, 0]), T_b_a: at(4, 0, 0), b: createShape(cube) });
    expect(out.growth.lower).toBeCloseTo(3.5 / 1.5, 12);
  });

  test('boxes along the same axes grow until the slowest axis touches, cold and warm, ties and plates included', () => {
    const random = new Random(60);
    const length = () => [1, 1, 0.5, 0.25, 0.03, 1e-4][random.below(6)];
    const cubeGroup = [
      [1, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 0, 1, 0],
      [0, 0, 0, 1],
    ];
    const standard = new GrowthDistance();
    const cache = new PairCache();
    for (let i = 0; i < 4000; i++) {
      const [sizeA, sizeB] = [0, 1].map(() => [length(), length(), length()]);
      const quaternion = cubeGroup[random.below(4)];
      const step = () => (random.below(2) === 0 ? (random.below(9) - 4) / 4 : random.between(-1.5, 1.5));
      const T_b_a = poseOf([0, 0, 0], quaternion).map(Math.round); // exact permutations
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] = step();
      const center = [T_b_a[3], T_b_a[7], T_b_a[11]];
      // The rotation permutes the axes of A.
      const half = (k: number) =>
        (sizeB[k] +
          Math.abs(T_b_a[4 * k]) * sizeA[0] +
          Math.abs(T_b_a[4 * k + 1]) * sizeA[1] +
          Math.abs(T_b_a[4 * k + 2]) * sizeA[2]) /
        2;
      const growth = Math.max(...[0, 1, 2].map((k) => Math.abs(center[k]) / half(k)));
      const pair = {
        a: createShape({ type: 'box', size: sizeA }),
        T_b_a,
        b: createShape({ type: 'box', size: sizeB }),
      };
      for (const used of [new PairCache(), cache, cache]) {
        standard.solve(out, pair.a, T_b_a, pair.b, used);
        const label = JSON.stringify({ sizeA, sizeB, quaternion, center, lower: out.growth.lower, growth });
        expect(out.growth.lower, label).toBeLessThanOrEqual(growth * (1 + 1e-12) + 1e-12);
        expect(out.growth.upper, label).toBeGreaterThanOrEqual(growth * (1 - 1e-12));
        if (growth === 0) continue;
        expect(out.growth.upper - out.growth.lower, label).toBeLessThanOrEqual(1.6e-8 * growth);
        if (growth > 1 + 1e-12) expect(out.status, label).toBe('separated');
        if (growth < 1 - 1e-9) expect(out.status, label).toBe('colliding');
      }
    }
  });

  test('a half-space: only the other shape and its own depth grow', () => {
    const floor = createShape({ type: 'halfspace', normal: [0, 0, 1], margin: 0.25 });
    solve({ a: sphere(0.5), T_b_a: at(3, 4, 3), b: floor });
    expect(out.growth.lower).toBeCloseTo(3 / 0.75, 14);
    expect(out.normal[2]).toBe(-1);
    solve({ a: floor, T_b_a: at(3, 4, -3), b: sphere(0.5) });
    expect(out.growth.upper).toBeCloseTo(4, 14);
    expect(out.normal[2]).toBe(1);
  });

  test('two flat shapes, and a centre outside its shape, have no growth distance, but a status', () => {
    const plate = createShape({
      type: 'convex',
      points: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    });
    solve({ a: plate, T_b_a: at(0, 0, 1), b: plate });
    expect([out.status, out.growth.lower, out.growth.upper, out.hasNormal]).toEqual(['separated', 0, Infinity, false]);
    const off = createShape({ type: 'box', size: [1, 1, 1] }, [3, 0, 0]);
    solve({ a: off, T_b_a: at(0.5, 0, 0), b: sphere(1) });
    expect([out.status, out.growth.upper]).toEqual(['colliding', Infinity]);
  });

  test('a pose that is not a number is undecided, and the iteration terminates', () => {
    for (const pair of randomPairs({ seed: 59, count: 200 })) {
      const T_b_a = pair.T_b_a.slice();
      T_b_a[3] = Number.NaN;
      expect(solve({ ...pair, T_b_a }).status, pair.label).toBe('undecided');
    }
  });
});

/** Returns n·(cB − cA) / (hA(n) + hB(−n)) ≤ σ, support values relative to the centres, margins included. */
function growthAlong(n: Vec3, { a, T_b_a, b }: { a: Pair['a']; T_b_a: Transform; b: Pair['b'] }): number {
  const reach = (shape: Pair['a'], d: Vec3): number => {
    const p = create();
    shape.support(p, shape, d, -1);
    return dot(d, p) - dot(d, shape.center) + shape.margin * norm(d);
  };
  const d = create();
  rotateBack(d, T_b_a, n);
  const reachA = reach(a, d);
  scale(d, n, -1);
  const reachB = reach(b, d);
  const c = create();
  rotate(c, T_b_a, a.center);
  sub(c, b.center, c);
  return (dot(n, c) - n[0] * T_b_a[3] - n[1] * T_b_a[7] - n[2] * T_b_a[11]) / (reachA + reachB);
}

test('the status within the default gap of contact does not depend on a warm start', () => {
  const random = new Random(92);
  const solver = new GrowthDistance();
  const [cold, warm] = [new Separation(), new Separation()];
  const centerA = new Float64Array(3);
  let [separated, colliding] = [0, 0];
  for (const pair of randomPairs({ seed: 93, count: 1500 })) {
    const { a, T_b_a: T, b } = pair;
    solver.solve(cold, a, T, b, new PairCache());
    if (!(cold.growth.upper > 0.1 && cold.growth.upper < Infinity)) continue;
    // Move A until the growth distance is within the default gap of 1.
    const factor = (1 + random.between(-3e-8, 3e-8)) / cold.growth.upper;
    transformPoint(centerA, T, a.center);
    for (let k = 0; k < 3; k++) T[4 * k + 3] += (1 - factor) * (b.center[k] - centerA[k]);
    solver.solve(cold, a, T, b, new PairCache());
    const cache = new PairCache();
    solver.solve(warm, a, T, b, cache);
    solver.solve(warm, a, T, b, cache);
    expect(warm.status, pair.label).toBe(cold.status);
    if (cold.status === 'separated') separated++;
    if (cold.status === 'colliding') colliding++;
  }
  expect(Math.min(separated, colliding)).toBeGreaterThan(300);
});
