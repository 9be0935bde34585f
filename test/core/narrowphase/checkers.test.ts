import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { GjkDistance } from '../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { checkers } from '../../../src/core/narrowphase/index.ts';
import {
  COLLIDING,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
  type Verdict,
} from '../../../src/core/narrowphase/solver.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { createPair, poseOf, randomDirections, randomPairs, randomTransform, slabAlong } from './helpers.ts';

const distances = new GjkDistance();
const out = new Separation();

/** Returns bounds of the distance, metres, from the witness points and planes of another method. */
function distanceOf(pair: ReturnType<typeof createPair>): { lower: number; upper: number } {
  distances.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
  return { ...out.distance };
}

/** The default checkers must decide every pair; the accelerated ones may return UNDECIDED at their iteration limit. */
const mustDecide = ['growth-distance', 'gjk'];

describe.each(keysOf(checkers))('%s', (name) => {
  const checker = checkers[name].create();
  const areDecided = (p: Verdict, q: Verdict) => mustDecide.includes(name) || (p !== UNDECIDED && q !== UNDECIDED);
  const expectVerdict = (found: Verdict, verdict: Verdict, label: string) => {
    if (found !== UNDECIDED || mustDecide.includes(name)) expect(found, label).toBe(verdict);
  };

  test.each([1e-3, 1, 1e3])(
    'every verdict is proved: by a separating plane or by a common point (scale %f)',
    (scale) => {
      let [separated, colliding] = [0, 0];
      for (const pair of randomPairs({ seed: 31, count: 1000, scale })) {
        const cache = new PairCache();
        const verdict = checker.check(pair.a, pair.T_b_a, pair.b, 0, cache);
        const { lower, upper } = distanceOf(pair);
        if (verdict === SEPARATED) {
          separated++;
          expect(cache.hasAxis, pair.label).toBe(true);
          const slab = slabAlong(cache.axis, pair);
          expect(slab, pair.label).toBeGreaterThan(0);
          expect(Math.abs(slab - cache.gap), pair.label).toBeLessThan(1e-14 * pair.size);
        } else if (verdict === COLLIDING) {
          colliding++;
          expect(lower, pair.label).toBeLessThan(1e-13 * pair.size);
        } else expect(upper, pair.label).toBeLessThan(1e-10 * pair.size);
      }
      expect(separated).toBeGreaterThan(200);
      expect(colliding).toBeGreaterThan(200);
    },
  );

  test('with a minimum distance, the verdict changes at the distance of the pair', () => {
    for (const pair of randomPairs({ seed: 32, count: 1000 })) {
      const { lower, upper } = distanceOf(pair);
      if (!(lower > 1e-9)) continue;
      const slack = 1e-10 * pair.size;
      const check = (minDistance: number) => checker.check(pair.a, pair.T_b_a, pair.b, minDistance, new PairCache());
      expectVerdict(check(Math.max(0, lower - slack)), SEPARATED, pair.label);
      expectVerdict(check(upper + slack), COLLIDING, pair.label);
    }
  });

  test('an unrelated cache changes the work, not the verdict', () => {
    const random = new Random(33);
    const stale = new PairCache();
    for (const pair of randomPairs({ seed: 34, count: 1000 })) {
      const cold = checker.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache());
      if (random.below(2) === 0) stale.axis.set(randomDirections(random, 1)[0]);
      stale.hasAxis = random.below(2) === 0;
      const warm = checker.check(pair.a, pair.T_b_a, pair.b, 0, stale);
      if (areDecided(cold, warm) && cold !== warm)
        expect(distanceOf(pair).upper, pair.label).toBeLessThan(1e-12 * pair.size);
    }
  });

  test('along a motion, warm verdicts equal cold verdicts', () => {
    const random = new Random(35);
    for (const pair of randomPairs({ seed: 36, count: 100 })) {
      const cache = new PairCache();
      const T_b_a = pair.T_b_a.slice();
      const step = randomDirections(random, 1)[0];
      for (let i = 0; i < 30; i++) {
        for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += 0.04 * step[k];
        const warm = checker.check(pair.a, T_b_a, pair.b, 0, cache);
        const cold = checker.check(pair.a, T_b_a, pair.b, 0, new PairCache());
        if (areDecided(cold, warm) && cold !== warm)
          expect(distanceOf({ ...pair, T_b_a }).upper, pair.label).toBeLessThan(1e-12 * pair.size);
      }
    }
  });

  test('a pose that is not a number is UNDECIDED, and the check terminates', () => {
    for (const pair of randomPairs({ seed: 37, count: 200 })) {
      const T_b_a = pair.T_b_a.slice();
      T_b_a[pair.label.length % 12] = Number.NaN;
      T_b_a[3] = Number.NaN;
      expect(checker.check(pair.a, T_b_a, pair.b, 0, new PairCache()), pair.label).toBe(UNDECIDED);
    }
  });

  test('the verdict for a half-space is the sign of the gap along its normal', () => {
    const random = new Random(38);
    for (const pair of randomPairs({ seed: 39, count: 300 })) {
      const floor = createPair(
        pair.label,
        pair.specA,
        { type: 'halfspace', normal: [0, 0, 1] },
        randomTransform(random, 2),
      );
      const axis = Float64Array.of(0, 0, -1);
      const gap = slabAlong(axis, floor);
      if (Math.abs(gap) < 1e-12) continue;
      const verdict = checker.check(floor.a, floor.T_b_a, floor.b, 0, new PairCache());
      expect(verdict, floor.label).toBe(gap > 0 ? SEPARATED : COLLIDING);
      expect(checker.check(floor.a, floor.T_b_a, floor.b, Math.abs(gap) * 2, new PairCache()), floor.label).toBe(
        COLLIDING,
      );
    }
  });

  test('shapes with equal centres collide', () => {
    const here = poseOf([0, 0, 0], [1, 0, 0, 0]);
    for (const { a, b } of randomPairs({ seed: 40, count: 200 })) {
      const T_b_a = here.slice();
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] = b.center[k] - a.center[k];
      expectVerdict(checker.check(a, T_b_a, b, 0, new PairCache()), COLLIDING, name);
    }
  });
});
