import type { Random } from '../../src/core/math/random.ts';
import { baselineGrowthSolvers } from '../../src/core/narrowphase/baselines.ts';
import { growthSolvers } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { type BenchBody, objectHulls, skewedPrimitives, smoothHulls } from './bodies.ts';
import { growthPairs } from './pairs.ts';
import { leastTime } from './peerTimes.ts';

type Row = Record<string, string | number>;

const PAIRS = 60;
/** Enough for the compiler to settle: internal expanding takes half as long again in the first ten. */
const BLOCKS = 40;
const ROUNDS = 3;

/**
 * Compares the times of full growth distances by internal expanding, by the algorithm as printed and by ours, cold,
 * block by block in turn [Thirugnanam26 Table III], and counts the support points of each. The first two have the same
 * gap, first simplex and support calls, and no proposals: their ratio is that of the paper.
 */
export async function expandingRows(random: Random): Promise<Row[]> {
  const sets: [string, readonly BenchBody[]][] = [['primitives, 100:1', skewedPrimitives(random, 60)]];
  for (const vertices of [20, 100, 500]) sets.push([`hulls of ${vertices}`, await objectHulls(random, vertices, 12)]);
  for (const vertices of [20, 100, 500]) {
    sets.push([`smooth hulls of ${vertices}`, await smoothHulls(random, vertices, 12)]);
  }
  return sets.map(([bodies, shapes]) => {
    const pairs = growthPairs(random, shapes, PAIRS);
    const queries = pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: a.shape, b: b.shape, T })));
    const [out, cache] = [new Separation(), new PairCache()];
    const { 'growth-distance-plain': plain, 'internal-expanding': internal } = baselineGrowthSolvers;
    const solvers = [growthSolvers['growth-distance'], plain, internal].map((definition) => ({
      solver: definition.create(),
      least: Number.POSITIVE_INFINITY,
      iterations: 0,
    }));
    for (let block = 0; block < BLOCKS; block++) {
      for (const measured of solvers) {
        measured.iterations = 0;
        const time = leastTime(queries, cache, ROUNDS, (a, T, b) => {
          measured.solver.solve(out, a, T, b, cache);
          measured.iterations += out.iterations;
        });
        measured.least = Math.min(measured.least, time);
        measured.iterations /= queries.length * (ROUNDS + 1);
      }
    }
    const [ours, printed, expanding] = solvers;
    return {
      bodies,
      'internal expanding / as printed': expanding.least / printed.least,
      'internal expanding / ours': expanding.least / ours.least,
      'as printed / ours': printed.least / ours.least,
      'ours ns': Math.round(ours.least),
      'support points, ours': ours.iterations,
      'support points, as printed': printed.iterations,
      'support points, internal expanding': expanding.iterations,
      queries: queries.length,
    };
  });
}
