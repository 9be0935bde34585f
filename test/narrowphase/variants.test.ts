import { describe, expect, test } from 'vitest';
import { GjkDistance } from '../../src/narrowphase/gjk/gjkDistance.ts';
import { checkers } from '../../src/narrowphase/index.ts';
import { PairCache, SEPARATED, Separation, UNDECIDED } from '../../src/narrowphase/solver.ts';
import { checkerVariants } from '../../src/narrowphase/variants.ts';
import { randomPairs, slabAlong } from './helpers.ts';

const distances = new GjkDistance();
const out = new Separation();

describe.each(Object.entries(checkerVariants))('%s', (name, { create }) => {
  const early = checkers[name.replace(/-(cold|full)$/, '')].create();

  test.each([1e-3, 1, 1e3])('says what the checker says that it is a variant of (scale %f)', (scale) => {
    const variant = create();
    const cache = new PairCache(); // one for all: what it holds may not matter
    let decided = 0;
    for (const pair of randomPairs({ seed: 61, count: 600, scale })) {
      const { a, b, T_b_a, label, size } = pair;
      distances.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      const { lower, upper } = out.distance;
      for (const least of [0, 0.1 * size]) {
        if (lower <= least + 1e-9 * size && upper >= least - 1e-9 * size && upper > 0) continue; // too close to call
        const verdict = variant.check(a, T_b_a, b, least, cache);
        if (verdict === UNDECIDED) continue; // then the distance decides
        decided++;
        expect(verdict, `${label}, ${least} m`).toBe(early.check(a, T_b_a, b, least, new PairCache()));
        if (verdict !== SEPARATED) continue;
        expect(cache.hasAxis, label).toBe(true);
        expect(slabAlong(cache.axis, pair), label).toBeGreaterThan(least);
        expect(Math.abs(slabAlong(cache.axis, pair) - cache.gap), label).toBeLessThan(1e-12 * size);
      }
    }
    expect(decided).toBeGreaterThan(900);
  });
});

test('leaving early and starting warm spare iterations', () => {
  const iterationsOf = (name: string) => {
    const checker = { ...checkers, ...checkerVariants }[name].create();
    for (const { a, b, T_b_a } of randomPairs({ seed: 62, count: 200 })) {
      const cache = new PairCache();
      for (let i = 0; i < 3; i++) checker.check(a, T_b_a, b, 0, cache);
    }
    return checker.iterations;
  };
  for (const name of ['growth-distance', 'gjk']) {
    expect(iterationsOf(name)).toBeLessThan(iterationsOf(`${name}-cold`));
    expect(iterationsOf(name)).toBeLessThan(iterationsOf(`${name}-full`));
  }
});
