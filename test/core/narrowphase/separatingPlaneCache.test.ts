import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { GrowthDistanceCheck } from '../../../src/core/narrowphase/growth/growthDistanceCheck.generated.ts';
import { COLLIDING, PairCache, SEPARATED } from '../../../src/core/narrowphase/solver.ts';
import { randomDirections, randomPairs, slabAlong } from './helpers.ts';

const checker = new GrowthDistanceCheck();

test.each([1e-4, 1, 1e4])('the gap of a cached plane is that of the current poses (scale %f)', (unit) => {
  const random = new Random(101);
  let kept = 0;
  for (const pair of randomPairs({ seed: 102, count: 600, scale: unit })) {
    const cache = new PairCache();
    if (checker.check(pair.a, pair.T_b_a, pair.b, 0, cache) !== SEPARATED) continue;
    const T_b_a = pair.T_b_a.slice();
    for (let step = 0; step < 10; step++) {
      const d = randomDirections(random, 1)[0];
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.02 * unit * d[k];
      checker.iterations = 0;
      if (checker.check(pair.a, T_b_a, pair.b, 0, cache) !== SEPARATED) break;
      if (checker.iterations === 1) kept++;
      const slab = slabAlong(cache.axis, { ...pair, T_b_a });
      expect(slab, pair.label).toBeGreaterThan(0);
      expect(Math.abs(slab - cache.gap), pair.label).toBeLessThan(1e-14 * pair.size);
    }
  }
  expect(kept).toBeGreaterThan(1500);
});

test('cached support values are not used for another shape or another axis', () => {
  const random = new Random(103);
  const pairs = randomPairs({ seed: 104, count: 600 });
  let met = 0;
  for (let i = 1; i < pairs.length; i++) {
    const { a, T_b_a, b, label, size } = pairs[i];
    const cache = new PairCache();
    if (checker.check(a, T_b_a, b, 0, cache) !== SEPARATED) continue;
    // The same axis, poses and A, another B; then the same shapes and another axis, written from outside.
    const other = pairs[i - 1].b;
    const axis = cache.axis.slice();
    const cold = checker.check(a, T_b_a, other, 0, new PairCache());
    expect(checker.check(a, T_b_a, other, 0, cache), `${label}, another shape`).toBe(cold);
    if (cold === COLLIDING) met++;
    checker.check(a, T_b_a, b, 0, cache);
    cache.axis.set(random.below(2) === 0 ? randomDirections(random, 1)[0] : axis.map((x) => -x));
    cache.hasAxis = true;
    expect(checker.check(a, T_b_a, b, 0, cache), `${label}, another axis`).toBe(SEPARATED);
    expect(Math.abs(slabAlong(cache.axis, pairs[i]) - cache.gap), label).toBeLessThan(1e-14 * size);
  }
  expect(met).toBeGreaterThan(20);
});
