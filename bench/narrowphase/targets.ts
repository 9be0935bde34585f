import { Random } from '../../src/core/math/random.ts';
import { GrowthDistance } from '../../src/core/narrowphase/growth/growthDistance.ts';
import { checkers } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { quantile } from '../measure.ts';
import { type BenchBody, randomHulls, skewedPrimitives } from './bodies.ts';
import { type BenchPair, classedPairs, growthPairs, mixedPairs, POSES } from './pairs.ts';
import { forget } from './solvers.ts';

type Row = Record<string, string | number>;

const ROUNDS = 81;
/**
 * Warm-up sweeps before the measured ones, and a pause after them: on a busy machine the JIT compiler takes longer than
 * a sweep.
 */
const WARM_UPS = 3;
const REST_MS = 150;

/**
 * Measures Boolean growth distance checks of hulls: sweeps over pairs, each queried once per round; cold, and warm
 * along pairs that move by 1 %.
 */
export async function booleanRows(random: Random): Promise<Row[]> {
  const sets: { hulls: number; pairs: string; list: readonly BenchPair[] }[] = [];
  for (const hulls of [20, 60, 200]) {
    const bodies = await randomHulls(random, hulls, 40);
    sets.push({ hulls, pairs: 'mixed', list: mixedPairs(random, bodies, 1000, 0.3, 1.1) });
    const separated = [...classedPairs(random, bodies, 60, 'distant'), ...classedPairs(random, bodies, 60, 'close')];
    sets.push({ hulls, pairs: 'separated', list: separated });
    sets.push({ hulls, pairs: 'overlapping', list: classedPairs(random, bodies, 120, 'overlapping') });
  }
  for (let i = 0; i < WARM_UPS; i++) {
    for (const { list } of sets) sweep(list);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return sets.map(({ hulls, pairs, list }) => ({ hulls, pairs, ...sweep(list) }));
}

function sweep(pairs: readonly BenchPair[]): Row {
  const checker = checkers['growth-distance'].create();
  const asked = pairs.flatMap(({ a, b, poses }) => {
    const cache = new PairCache();
    return poses.map((T) => ({ a: a.shape, b: b.shape, T, cache }));
  });
  const times: Record<'cold' | 'warm', number[]> = { cold: [], warm: [] };
  const iterations = { cold: 0, warm: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const start of ['cold', 'warm'] as const) {
      checker.iterations = 0;
      const before = performance.now();
      for (let i = 0; i < asked.length; i++) {
        const { a, b, T, cache } = asked[i];
        if (start === 'cold') forget(cache);
        checker.check(a, T, b, 0, cache);
      }
      const elapsed = performance.now() - before;
      if (round >= 10) times[start].push((elapsed * 1e6) / asked.length);
      iterations[start] = checker.iterations / asked.length;
    }
  }
  const cold = Math.min(...times.cold);
  const warm = Math.min(...times.warm);
  return {
    'cold ns': Math.round(cold),
    'cold median': Math.round(quantile(times.cold, 0.5)),
    'cold it.': iterations.cold,
    'warm ns': Math.round(warm),
    'warm it.': iterations.warm,
    'warm / cold': warm / cold,
  };
}

/**
 * Measures the growth distance at its default gap: repeated queries of a pair (as in the paper), and queries along
 * pairs that move by 1 %.
 */
export async function growthRows(random: Random): Promise<Row[]> {
  const sets: [string, readonly BenchBody[]][] = [['primitives, 100:1', skewedPrimitives(random, 60)]];
  for (const vertices of [20, 100, 500]) sets.push([`hulls of ${vertices}`, await randomHulls(random, vertices, 30)]);
  for (const [, shapes] of sets) followed(new Random(1), shapes);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return sets.map(([bodies, shapes]) => ({ bodies, ...followed(random, shapes) }));
}

function followed(random: Random, bodies: readonly BenchBody[]): Row {
  const solver = new GrowthDistance();
  const out = new Separation();
  const repeated: number[] = [];
  const moving: number[] = [];
  const warm: number[] = [];
  let iterations = 0;
  let warmIterations = 0;
  const count = 200;
  for (const { a, b, poses } of growthPairs(random, bodies, count)) {
    const cache = new PairCache();
    const ask = (T: Float64Array, isCold: boolean) => {
      if (isCold) forget(cache);
      solver.solve(out, a.shape, T, b.shape, cache);
    };
    repeated.push(
      leastTime(POSES, () => {
        for (let i = 0; i < POSES; i++) ask(poses[0], true);
      }),
    );
    moving.push(
      leastTime(POSES, () => {
        for (let i = 0; i < POSES; i++) ask(poses[i], true);
      }),
    );
    forget(cache);
    ask(poses[0], false);
    for (let i = 1; i < POSES; i++) {
      ask(poses[i], false);
      warmIterations += out.iterations;
    }
    for (let i = POSES - 1; i >= 0; i--) {
      ask(poses[i], true);
      iterations += out.iterations;
    }
    let forward = true;
    warm.push(
      leastTime(POSES - 1, () => {
        for (let i = 1; i < POSES; i++) ask(poses[forward ? i : POSES - 1 - i], false);
        forward = !forward;
      }),
    );
  }
  const cold = quantile(moving, 0.5);
  return {
    'cold, repeated pair: median ns': Math.round(quantile(repeated, 0.5)),
    p95: Math.round(quantile(repeated, 0.95)),
    'cold, moving': Math.round(cold),
    'warm, moving': Math.round(quantile(warm, 0.5)),
    'warm / cold': quantile(warm, 0.5) / cold,
    'it. cold': iterations / (POSES * count),
    'it. warm': warmIterations / ((POSES - 1) * count),
  };
}

/** Returns the minimum time per query in ns over several rounds of `queries` queries each. */
function leastTime(queries: number, round: () => void): number {
  let minTime = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 12; i++) {
    const before = performance.now();
    round();
    minTime = Math.min(minTime, performance.now() - before);
  }
  return (minTime * 1e6) / queries;
}
