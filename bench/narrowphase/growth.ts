import { Random } from '../../src/math/random.ts';
import { compose, create } from '../../src/math/transform.ts';
import { GrowthDistance } from '../../src/narrowphase/growthDistance.ts';
import { PairCache, Separation } from '../../src/narrowphase/solver.ts';
import { createShape } from '../../src/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../src/shapes/shape.ts';
import { quantile } from '../measure.ts';
import { type BenchPair, randomDirection, randomHulls, randomPairs } from './pairs.ts';

const PAIRS = 300;
const ROUNDS = 15;

/** Full growth distance at its default gap: primitives and hulls, cold and following a moving pair. */
export async function benchGrowth(): Promise<Record<string, string | number>[]> {
  const random = new Random(6);
  const sets: [string, ConvexShape[]][] = [['primitives', skewedPrimitives(random, 60)]];
  for (const corners of [20, 100, 500]) sets.push([`hulls of ${corners}`, await randomHulls(random, corners, 30)]);
  return sets.flatMap(([bodies, shapes]) => {
    const pairs = randomPairs(random, shapes, PAIRS, 0.3, 1.5);
    return [measure(bodies, 'cold', pairs, random), measure(bodies, 'warm', pairs, random)];
  });
}

function measure(
  bodies: string,
  start: 'cold' | 'warm',
  pairs: readonly BenchPair[],
  random: Random,
): Record<string, string | number> {
  const solver = new GrowthDistance();
  const out = new Separation();
  const T_b_a = create();
  const motions = pairs.map(() => smallMotion(random));
  const times: number[] = [];
  const iterations: number[] = [];
  for (const [i, pair] of pairs.entries()) {
    const cache = new PairCache();
    const perRound: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      T_b_a.set(pair.T_b_a);
      cache.cornersOfA = undefined;
      solver.solve(out, pair.a, T_b_a, pair.b, cache);
      const before = performance.now();
      for (let step = 0; step < 20; step++) {
        compose(T_b_a, T_b_a, motions[i]);
        if (start === 'cold') forget(cache);
        solver.solve(out, pair.a, T_b_a, pair.b, cache);
      }
      perRound.push(((performance.now() - before) * 1e6) / 20);
    }
    times.push(Math.min(...perRound));
    iterations.push(out.iterations);
  }
  return {
    bodies,
    start,
    pairs: pairs.length,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    iterations: quantile(iterations, 0.5),
    'iterations p95': quantile(iterations, 0.95),
  };
}

function forget(cache: PairCache): void {
  cache.hasAxis = false;
  cache.cornersOfA = undefined;
  cache.hintA = -1;
  cache.hintB = -1;
}

/** A step of about 1 % of a body of 1 m, in place and in angle. */
function smallMotion(random: Random): Float64Array {
  const T = create();
  const [x, y, z] = randomDirection(random).map((c) => 0.01 * c);
  T.set([1, -z, y, 0.01 * x, z, 1, -x, 0.01 * y, -y, x, 1, 0.01 * z]);
  return T;
}

function skewedPrimitives(random: Random, count: number): ConvexShape[] {
  const size = () => 0.005 * 100 ** random.next();
  const specs: (() => ShapeSpec)[] = [
    () => ({ type: 'capsule', radius: size(), length: size() }),
    () => ({ type: 'cylinder', radius: size(), length: size() }),
    () => ({ type: 'cone', radius: size(), length: size() }),
    () => ({ type: 'frustum', radiusBottom: size(), radiusTop: size(), length: size() }),
    () => ({ type: 'ellipsoid', radii: [size(), size(), size()] }),
  ];
  return Array.from({ length: count }, (_, i) => createShape(specs[i % specs.length]()));
}
