import { expect, test } from 'vitest';
import { Random } from '../../../src/math/random.ts';
import type { Transform } from '../../../src/math/transform.ts';
import { GjkDistance } from '../../../src/narrowphase/gjk/gjkDistance.ts';
import { GrowthDistance } from '../../../src/narrowphase/growth/growthDistance.ts';
import { GrowthDistanceCheck } from '../../../src/narrowphase/growth/growthDistanceCheck.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../src/narrowphase/solver.ts';
import { type Pair, randomDirections, randomPairs } from '../helpers.ts';

const out = new Separation();
const distances = new GjkDistance();

function distanceOf({ a, b }: Pair, T_b_a: Transform): number {
  distances.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  return out.distance.upper;
}

for (const unit of [1e-4, 1, 1e4]) {
  test(`corners of a full growth distance answer the Boolean question of bodies that have moved a little (scale ${unit})`, () => {
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
    expect(free).toBeGreaterThan(0.3 * colliding); // round bodies leave narrow portals
  });
}

test.each([1e-4, 1, 1e4])('corners of a Boolean answer answer the next one (scale %f)', (unit) => {
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
      const looks = checker.iterations;
      const cold = checker.check(pair.a, T_b_a, pair.b, 0, new PairCache());
      if (warm !== cold) expect(distanceOf(pair, T_b_a), `${pair.label}, step ${i}`).toBeLessThan(1e-12 * pair.size);
      if (warm !== COLLIDING) break;
      colliding++;
      if (looks === 0) free++;
    }
  }
  expect(colliding).toBeGreaterThan(3000);
  expect(free).toBeGreaterThan(0.3 * colliding); // thin bodies leave thin simplices, and balls about the centres none
});

test('what a Boolean answer leaves shortens the full growth distance of bodies that have moved, and changes it by no more than its gap', () => {
  const random = new Random(96);
  const checker = new GrowthDistanceCheck();
  const full = new GrowthDistance();
  const looks = { cold: 0, separated: 0, coldMet: 0, colliding: 0 };
  for (const pair of randomPairs({ seed: 97, count: 1500 })) {
    if (pair.a.vertices.length === 0 || pair.b.vertices.length === 0) continue; // on round bodies it is the last digits that cost
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
    looks[verdict === COLLIDING ? 'coldMet' : 'cold'] += cold;
    looks[verdict === COLLIDING ? 'colliding' : 'separated'] += out.iterations;
  }
  expect(looks.colliding).toBeGreaterThan(100);
  expect(looks.separated).toBeGreaterThan(100);
  expect(looks.colliding / looks.coldMet).toBeLessThan(0.95);
  expect(looks.separated / looks.cold).toBeLessThan(0.95);
});

test('corners of other bodies, and of a pose long gone, are no answer', () => {
  const checker = new GrowthDistanceCheck();
  const full = new GrowthDistance();
  const cache = new PairCache();
  for (const pair of randomPairs({ seed: 93, count: 500 })) {
    const cold = checker.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache());
    cache.hasAxis = false;
    expect(checker.check(pair.a, pair.T_b_a, pair.b, 0, cache), `${pair.label}, corners of another`).toBe(cold);
    full.solve(out, pair.a, pair.T_b_a, pair.b, cache);
    const T_b_a = pair.T_b_a.slice();
    T_b_a[3] += 10 * pair.size;
    expect(checker.check(pair.a, T_b_a, pair.b, 0, cache), `${pair.label}, moved away`).toBe(SEPARATED);
  }
});
