import { describe, expect, test } from 'vitest';
import { norm } from '../../../src/core/math/vec3.ts';
import { baselineCheckers, baselineDistanceSolvers } from '../../../src/core/narrowphase/baselines.ts';
import { IterativeChecker } from '../../../src/core/narrowphase/gjk/gjk.ts';
import { GjkDistance } from '../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GjkIteration } from '../../../src/core/narrowphase/gjk/gjkIteration.ts';
import { initialGuesses } from '../../../src/core/narrowphase/gjk/iteration.ts';
import { checkers, distanceSolvers } from '../../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createPair, poseOf, randomPairs, slabAlong } from './helpers.ts';

const out = new Separation();
const reference = new Separation();
const plain = new GjkDistance();

const everyDistance = Object.entries({ ...distanceSolvers, ...baselineDistanceSolvers });
const everyChecker = Object.entries({ ...checkers, ...baselineCheckers });

for (const unit of [1e-3, 1, 1e3]) {
  describe.each(everyDistance)(`%s at scale ${unit}`, (name, definition) => {
    test('the bounds contain the distance, and the normal proves the lower bound', () => {
      const solver = definition.create();
      for (const pair of randomPairs({ seed: 31, count: 300, scale: unit })) {
        solver.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        plain.distance(reference, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        const slack = 1e-11 * pair.size;
        expect(out.distance.lower, pair.label).toBeLessThanOrEqual(reference.distance.upper + slack);
        expect(out.distance.upper, pair.label).toBeGreaterThanOrEqual(reference.distance.lower - slack);
        if (out.distance.lower > 0) {
          expect(Math.abs(norm(out.normal) - 1), pair.label).toBeLessThan(1e-14);
          expect(slabAlong(out.normal, pair), pair.label).toBeGreaterThanOrEqual(
            out.distance.lower - 1e-14 * pair.size,
          );
        }
        if (name in baselineDistanceSolvers) continue; // baselines may stop at their limit with wider bounds
        expect(out.distance.upper - out.distance.lower, pair.label).toBeLessThanOrEqual(1e-10 * pair.size);
      }
    });
  });

  describe.each(everyChecker)(`Boolean checker %s at scale ${unit}`, (name, definition) => {
    test('SEPARATED has a separating plane, COLLIDING a distance of zero, and the minimum distance is respected', () => {
      const checker = definition.create();
      for (const pair of randomPairs({ seed: 32, count: 300, scale: unit })) {
        plain.distance(reference, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        const { lower, upper } = reference.distance;
        for (const minDistance of [0, lower / 2, upper * 1.5]) {
          const cache = new PairCache();
          const verdict = checker.check(pair.a, pair.T_b_a, pair.b, minDistance, cache);
          const label = `${pair.label}, minimum distance ${minDistance}`;
          if (verdict === SEPARATED) {
            expect(slabAlong(cache.axis, pair), label).toBeGreaterThan(minDistance);
            expect(Math.abs(cache.gap - slabAlong(cache.axis, pair)), label).toBeLessThan(1e-13 * pair.size);
          } else if (verdict === COLLIDING) expect(lower, label).toBeLessThanOrEqual(minDistance + 1e-12 * pair.size);
          else if (!(name in baselineCheckers))
            expect(Math.abs(lower - minDistance), label).toBeLessThan(1e-9 * pair.size);
        }
      }
    });
  });
}

describe.each(Object.entries(initialGuesses))('initial guess %s', (_, guess) => {
  test('changes the work, not the result, along a motion', () => {
    const solver = new GjkDistance({ guess });
    const checker = new IterativeChecker(new GjkIteration(), guess);
    for (const pair of randomPairs({ seed: 33, count: 60 })) {
      const [cache, verdicts] = [new PairCache(), new PairCache()];
      for (let step = 0; step < 12; step++) {
        const T_b_a = pair.T_b_a.slice();
        T_b_a[3] += 0.2 * step;
        T_b_a[7] -= 0.1 * step;
        plain.distance(reference, pair.a, T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        solver.distance(out, pair.a, T_b_a, pair.b, Number.POSITIVE_INFINITY, cache);
        const label = `${pair.label}, step ${step}`;
        const slack = 1e-11 * pair.size;
        expect(Math.abs(out.distance.lower - reference.distance.lower), label).toBeLessThanOrEqual(slack);
        expect(Math.abs(out.distance.upper - reference.distance.upper), label).toBeLessThanOrEqual(slack);
        const verdict = checker.check(pair.a, T_b_a, pair.b, 0, verdicts);
        if (reference.distance.lower > slack) expect(verdict, label).toBe(SEPARATED);
        if (reference.status === 'colliding') expect(verdict, label).toBe(COLLIDING);
      }
    }
  });
});

test('witness points moved with their shapes separate a pair of constant relative pose in one iteration', () => {
  const checker = new IterativeChecker(new GjkIteration(), initialGuesses['previous-moved']);
  for (const pair of randomPairs({ seed: 34, count: 200 })) {
    const cache = new PairCache();
    if (checker.check(pair.a, pair.T_b_a, pair.b, 0, cache) !== SEPARATED) continue;
    new GjkDistance().distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, cache);
    checker.iterations = 0;
    expect(checker.check(pair.a, pair.T_b_a, pair.b, 0, cache), pair.label).toBe(SEPARATED);
    expect(checker.iterations, pair.label).toBe(1);
  }
});

test.each(everyChecker)('%s does not report a collision of disjoint plates in one plane', (_, definition) => {
  const vertices = [
    [-1, -1, 0],
    [1, -1, 0],
    [1, 1, 0],
    [-1, 1, 0],
  ];
  const plate = { type: 'convex', points: vertices };
  for (const turn of [0, 0.3, 1, 5]) {
    const pair = createPair('', plate, plate, poseOf([2.9, 0.4, 0], [1, 0, 0, turn]));
    expect(definition.create().check(pair.a, pair.T_b_a, pair.b, 0, new PairCache())).not.toBe(COLLIDING);
  }
});
