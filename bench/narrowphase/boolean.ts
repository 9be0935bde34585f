import { Random } from '../../src/math/random.ts';
import { checkers } from '../../src/narrowphase/index.ts';
import { COLLIDING, PairCache } from '../../src/narrowphase/solver.ts';
import { type BenchPair, randomHulls, randomPairs } from './pairs.ts';

export interface BooleanRow {
  readonly checker: string;
  readonly corners: number;
  readonly kind: 'separated' | 'colliding' | 'mixed';
  readonly start: 'cold' | 'warm';
  readonly pairs: number;
  /** Nanoseconds per query: least and median over the rounds. */
  readonly least: number;
  readonly median: number;
  readonly iterations: number;
  /** Share of the pairs that collide; keeps the loops honest, too. */
  readonly colliding: number;
}

const PAIRS = 1000;
const ROUNDS = 41;

/** Boolean queries between hulls, per checker: cold (nothing remembered) and warm (asked again, at the same poses). */
export async function benchBoolean(sizes: readonly number[] = [20, 60, 200]): Promise<BooleanRow[]> {
  const rows: BooleanRow[] = [];
  const random = new Random(5);
  for (const corners of sizes) {
    const hulls = await randomHulls(random, corners, 40);
    const mixed = randomPairs(random, hulls, PAIRS, 0.3, 1.1);
    const judge = checkers.gjk.create();
    const collides = mixed.map(({ a, T_b_a, b }) => judge.check(a, T_b_a, b, 0, new PairCache()) === COLLIDING);
    const kinds = {
      mixed,
      separated: mixed.filter((_, i) => !collides[i]),
      colliding: mixed.filter((_, i) => collides[i]),
    };
    for (const kind of ['mixed', 'separated', 'colliding'] as const) {
      for (const checker of Object.keys(checkers)) {
        for (const start of ['cold', 'warm'] as const) rows.push(measure(checker, corners, kind, start, kinds[kind]));
      }
    }
  }
  return rows;
}

function measure(
  name: string,
  corners: number,
  kind: BooleanRow['kind'],
  start: BooleanRow['start'],
  pairs: BenchPair[],
): BooleanRow {
  const checker = checkers[name].create();
  const caches = pairs.map(() => new PairCache());
  const times: number[] = [];
  let hits = 0;
  let iterations = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (start === 'cold') {
      for (const cache of caches) {
        cache.hasAxis = false;
        cache.hintA = -1;
        cache.hintB = -1;
      }
    }
    checker.iterations = 0;
    hits = 0;
    const before = performance.now();
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i];
      if (checker.check(pair.a, pair.T_b_a, pair.b, 0, caches[i]) === COLLIDING) hits++;
    }
    times.push(((performance.now() - before) * 1e6) / pairs.length);
    iterations = checker.iterations / pairs.length;
  }
  times.splice(0, 10); // the compiler's warm-up
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  return {
    checker: name,
    corners,
    kind,
    start,
    pairs: pairs.length,
    least: times[0],
    median,
    iterations,
    colliding: hits / pairs.length,
  };
}
