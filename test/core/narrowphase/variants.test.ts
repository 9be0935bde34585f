import { describe, expect, test } from 'vitest';
import { GjkDistance } from '../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { type CheckerName, checkers } from '../../../src/core/narrowphase/index.ts';
import { PairCache, SEPARATED, Separation, UNDECIDED } from '../../../src/core/narrowphase/solver.ts';
import { type CheckerVariantName, checkerVariants } from '../../../src/core/narrowphase/variants.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { randomPairs, slabAlong } from './helpers.ts';

const distances = new GjkDistance();
const out = new Separation();

describe.each(keysOf(checkerVariants))('%s', (name) => {
  const { create } = checkerVariants[name];
  const early = checkers[name.replace(/-(cold|full)$/, '') as CheckerName].create();

  test.each([1e-3, 1, 1e3])('returns the verdicts of the checker it is a variant of (scale %f)', (scale) => {
    const variant = create();
    const cache = new PairCache(); // shared by all pairs: its content must not matter
    let decided = 0;
    for (const pair of randomPairs({ seed: 61, count: 600, scale })) {
      const { a, b, T_b_a, label, size } = pair;
      distances.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      const { lower, upper } = out.distance;
      for (const minDistance of [0, 0.1 * size]) {
        // within rounding of the minimum distance
        if (lower <= minDistance + 1e-9 * size && upper >= minDistance - 1e-9 * size && upper > 0) continue;
        const verdict = variant.check(a, T_b_a, b, minDistance, cache);
        if (verdict === UNDECIDED) continue; // callers then compute the distance
        decided++;
        expect(verdict, `${label}, ${minDistance} m`).toBe(early.check(a, T_b_a, b, minDistance, new PairCache()));
        if (verdict !== SEPARATED) continue;
        expect(cache.hasAxis, label).toBe(true);
        expect(slabAlong(cache.axis, pair), label).toBeGreaterThan(minDistance);
        expect(Math.abs(slabAlong(cache.axis, pair) - cache.gap), label).toBeLessThan(1e-12 * size);
      }
    }
    expect(decided).toBeGreaterThan(900);
  });
});

test('early termination and warm starts save iterations', () => {
  const iterationsOf = (name: CheckerName | CheckerVariantName) => {
    const checker = { ...checkers, ...checkerVariants }[name].create();
    for (const { a, b, T_b_a } of randomPairs({ seed: 62, count: 200 })) {
      const cache = new PairCache();
      for (let i = 0; i < 3; i++) checker.check(a, T_b_a, b, 0, cache);
    }
    return checker.iterations;
  };
  for (const name of ['growth-distance', 'gjk'] as const) {
    expect(iterationsOf(name)).toBeLessThan(iterationsOf(`${name}-cold`));
    expect(iterationsOf(name)).toBeLessThan(iterationsOf(`${name}-full`));
  }
});
