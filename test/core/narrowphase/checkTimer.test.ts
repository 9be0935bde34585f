import { expect, test } from 'vitest';
import { CheckTimer } from '../../../src/core/narrowphase/checkTimer.ts';
import { checkers } from '../../../src/core/narrowphase/index.ts';
import { PairCache } from '../../../src/core/narrowphase/solver.ts';
import { randomPairs } from './helpers.ts';

test('a timed checker has the verdicts, caches and iterations of its checker', () => {
  const plain = checkers['growth-distance'].create();
  const timer = new CheckTimer(() => 0);
  const timed = timer.wrap(checkers['growth-distance'].create());
  const pairs = randomPairs({ seed: 91, count: 100 });
  for (const { a, b, T_b_a, label } of pairs) {
    const [cache, timedCache] = [new PairCache(), new PairCache()];
    expect(timed.check(a, T_b_a, b, 0, timedCache), label).toBe(plain.check(a, T_b_a, b, 0, cache));
    expect(timedCache, label).toEqual(cache);
  }
  expect(timed.iterations).toBe(plain.iterations);
  expect(timer.checks).toBe(pairs.length);
  expect(timer.milliseconds).toBe(0);
});

test('the time of all checks is extrapolated from one of 13, without the clock and interruptions', () => {
  let now = 0;
  let duration = 2e-3;
  const timer = new CheckTimer(() => (now += 1e-4)); // a reading takes 0.1 µs
  const checker = timer.wrap({
    iterations: 0,
    check: () => {
      now += duration;
      return 0;
    },
  });
  const [pair] = randomPairs({ seed: 92, count: 1 });
  for (let i = 0; i < 104; i++) {
    duration = i === 13 ? 5 : 2e-3; // one check is interrupted for 5 ms
    checker.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache());
  }
  expect(timer.milliseconds).toBeCloseTo(0.208, 9);
});
