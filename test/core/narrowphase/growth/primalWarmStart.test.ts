import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { create, type Transform } from '../../../../src/core/math/transform.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { GrowthDistanceCheck } from '../../../../src/core/narrowphase/growth/growthDistanceCheck.generated.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import { type Pair, randomDirections, randomPairs } from '../helpers.ts';

const out = new Separation();
const distances = new GjkDistance();

function distanceOf({ a, b }: Pair, T_b_a: Transform): number {
  distances.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  return out.distance.upper;
}

for (const unit of [1e-4, 1, 1e4]) {
  test(`the simplex of a full growth distance decides the Boolean check after a small motion (scale ${unit})`, () => {
    const random = new Random(91);
    const checker = new GrowthDistanceCheck();
    const full = new GrowthDistance();
    const distances = new GjkDistance();
    let [colliding, free] = [0, 0];
    for (const pair of randomPairs({ seed: 92, count: 1500, scale: unit })) {
      const cache = new PairCache();
      full.solve(out, pair.a, pair.T_b_a, pair.b, cache);
      const T_b_a = pair.T_b_a.slice();
      const step = randomDirections(random, 1)[0];
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.01 * unit * step[k];
      checker.iterations = 0;
      const warm = checker.check(pair.a, T_b_a, pair.b, 0, cache);
      if (warm === COLLIDING) {
        colliding++;
        if (checker.iterations === 0) free++;
      }
      distances.distance(out, pair.a, T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
      if (out.distance.lower > 1e-12 * pair.size) expect(warm, pair.label).toBe(SEPARATED);
      if (out.status === 'colliding') expect(warm, pair.label).toBe(COLLIDING);
    }
    expect(colliding).toBeGreaterThan(400);
    expect(free).toBeGreaterThan(0.3 * colliding); // curved shapes leave narrow portals
  });
}

test.each([1e-4, 1, 1e4])('the simplex of a Boolean check decides the next check (scale %f)', (unit) => {
  const random = new Random(94);
  const checker = new GrowthDistanceCheck();
  let [colliding, free] = [0, 0];
  for (const pair of randomPairs({ seed: 95, count: 1500, scale: unit })) {
    const cache = new PairCache();
    if (checker.check(pair.a, pair.T_b_a, pair.b, 0, cache) !== COLLIDING) continue;
    const T_b_a = pair.T_b_a.slice();
    const step = randomDirections(random, 1)[0];
    for (let i = 0; i < 12; i++) {
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.03 * unit * step[k];
      checker.iterations = 0;
      const warm = checker.check(pair.a, T_b_a, pair.b, 0, cache);
      const { iterations } = checker;
      const cold = checker.check(pair.a, T_b_a, pair.b, 0, new PairCache());
      if (warm !== cold) expect(distanceOf(pair, T_b_a), `${pair.label}, step ${i}`).toBeLessThan(1e-12 * pair.size);
      if (warm !== COLLIDING) break;
      colliding++;
      if (iterations === 0) free++;
    }
  }
  expect(colliding).toBeGreaterThan(3000);
  expect(free).toBeGreaterThan(0.3 * colliding); // thin shapes leave thin simplices, and the inner spheres none
});

test('the cache of a Boolean check saves iterations of the full growth distance after a motion, and changes it at most by its gap', () => {
  const random = new Random(96);
  const checker = new GrowthDistanceCheck();
  const full = new GrowthDistance();
  const iterations = { cold: 0, separated: 0, coldMet: 0, colliding: 0 };
  for (const pair of randomPairs({ seed: 97, count: 1500 })) {
    // curved shapes spend their iterations on the last digits
    if (pair.a.vertices.length === 0 || pair.b.vertices.length === 0) continue;
    const cache = new PairCache();
    const verdict = checker.check(pair.a, pair.T_b_a, pair.b, 0, cache);
    const T_b_a = pair.T_b_a.slice();
    const step = randomDirections(random, 1)[0];
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.01 * step[k];
    full.solve(out, pair.a, T_b_a, pair.b, new PairCache());
    if (out.growth.upper === Number.POSITIVE_INFINITY) continue;
    const { lower, upper } = out.growth;
    const cold = out.iterations;
    full.solve(out, pair.a, T_b_a, pair.b, cache);
    expect(out.growth.lower, pair.label).toBeLessThanOrEqual(upper * (1 + 1e-12));
    expect(out.growth.upper, pair.label).toBeGreaterThanOrEqual(lower * (1 - 1e-12));
    iterations[verdict === COLLIDING ? 'coldMet' : 'cold'] += cold;
    iterations[verdict === COLLIDING ? 'colliding' : 'separated'] += out.iterations;
  }
  expect(iterations.colliding).toBeGreaterThan(100);
  expect(iterations.separated).toBeGreaterThan(100);
  expect(iterations.colliding / iterations.coldMet).toBeLessThan(0.95);
  expect(iterations.separated / iterations.cold).toBeLessThan(1); // the evaluation of the cached plane counts
});

test('the simplex of other shapes, or of distant poses, does not decide', () => {
  const checker = new GrowthDistanceCheck();
  const full = new GrowthDistance();
  const cache = new PairCache();
  for (const pair of randomPairs({ seed: 93, count: 500 })) {
    const cold = checker.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache());
    cache.hasAxis = false;
    expect(checker.check(pair.a, pair.T_b_a, pair.b, 0, cache), `${pair.label}, simplex of another pair`).toBe(cold);
    full.solve(out, pair.a, pair.T_b_a, pair.b, cache);
    const T_b_a = pair.T_b_a.slice();
    T_b_a[3] += 10 * pair.size;
    expect(checker.check(pair.a, T_b_a, pair.b, 0, cache), `${pair.label}, moved away`).toBe(SEPARATED);
  }
});

test('a portal that the ray has left is replaced by its neighbor: three quarters of the iterations of a cold start are saved', () => {
  const random = new Random(98);
  const full = new GrowthDistance();
  const hull = () => createShape({ type: 'convex', points: randomDirections(random, 60).map((d) => Array.from(d)) });
  const [cold, warm] = [new Separation(), new Separation()];
  const iterations = { cold: 0, warm: 0 };
  const wrong: string[] = [];
  for (let i = 0; i < 20; i++) {
    const [a, b] = [hull(), hull()];
    const T_b_a = create();
    const [offset, step] = randomDirections(random, 2);
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] = 2.2 * offset[k];
    const cache = new PairCache();
    full.solve(warm, a, T_b_a, b, cache);
    for (let n = 0; n < 20; n++) {
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.1 * step[k];
      full.solve(cold, a, T_b_a, b, new PairCache());
      full.solve(warm, a, T_b_a, b, cache);
      iterations.cold += cold.iterations;
      iterations.warm += warm.iterations;
      const isBounded = warm.growth.upper <= warm.growth.lower * (1 + 1.6e-8);
      const isEqual = Math.abs(warm.growth.lower - cold.growth.lower) <= 3.2e-8 * cold.growth.lower;
      if (!isBounded || !isEqual || warm.status !== cold.status) wrong.push(`pair ${i}, step ${n}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(iterations.warm / iterations.cold).toBeLessThan(0.24);
});
