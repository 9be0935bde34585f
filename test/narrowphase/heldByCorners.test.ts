import { expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { GjkDistance } from '../../src/narrowphase/gjkDistance.ts';
import { GrowthDistance } from '../../src/narrowphase/growthDistance.ts';
import { GrowthDistanceCheck } from '../../src/narrowphase/growthDistanceCheck.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../src/narrowphase/solver.ts';
import { randomDirections, randomPairs } from './helpers.ts';

const out = new Separation();

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
