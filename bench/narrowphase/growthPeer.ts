import type { Random } from '../../src/core/math/random.ts';
import { checkers, growthSolvers } from '../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import { buildGrowthPeer, writeForPeer } from '../peers/cpp.ts';
import { pairWords } from '../peers/words.ts';
import { type BenchBody, cubes, ellipsoids, objectHulls, skewedPrimitives } from './bodies.ts';
import { growthPairs } from './pairs.ts';
import { leastTime } from './peerTimes.ts';

type Row = Record<string, string | number>;

const PAIRS = 60;
const BLOCKS = 6;
const ROUNDS = 4;
/** Skewed primitives that dgd has with the same centre. */
const known = new Set(['capsule', 'cylinder', 'ellipsoid']);

type Results = Record<
  'cutting planes' | 'trust region Newton' | 'warm' | 'Boolean',
  { least: number; results: number[] }
>;

/**
 * Compares growth distances and Boolean checks with dgd, the library of the authors [Thirugnanam26], on the same pairs,
 * cold, block by block in turn; undefined if ELBOWROOM_DGD names no checkout that compiles.
 */
export async function growthPeerRows(random: Random): Promise<Row[] | undefined> {
  const peer = buildGrowthPeer();
  if (peer === undefined) return undefined;
  const sets: [string, readonly BenchBody[]][] = [
    ['ellipsoids', ellipsoids(random, 30)],
    ['cubes', cubes(random, 30)],
    ['capsules, cylinders, ellipsoids, 100:1', skewedPrimitives(random, 50).filter(({ spec }) => known.has(spec.type))],
  ];
  for (const vertices of [20, 100, 500]) sets.push([`hulls of ${vertices}`, await objectHulls(random, vertices, 12)]);
  return sets.map(([bodies, shapes]) => {
    const pairs = growthPairs(random, shapes, PAIRS);
    const file = writeForPeer('growth.txt', pairWords(pairs)!);
    const grown = new Map(shapes.map((body) => [body, createShape(body.spec, [0, 0, 0])])); // dgd grows about the origin
    const queries = pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: grown.get(a)!, b: grown.get(b)!, T })));
    const [solver, checker] = [growthSolvers['growth-distance'].create(), checkers['growth-distance'].create()];
    const [out, cache] = [new Separation(), new PairCache()];
    const ours = queries.map(({ a, b, T }) => {
      solver.solve(out, a, T, b, new PairCache());
      return out.growth.lower;
    });
    const verdicts = queries.map(({ a, b, T }) => checker.check(a, T, b, 0, new PairCache()) === COLLIDING);
    const caches = pairs.map(() => new PairCache());
    const least = { growth: Infinity, Boolean: Infinity, cp: Infinity, trn: Infinity, detect: Infinity };
    const warm = { ours: Infinity, dgd: Infinity };
    let theirs!: Results;
    for (let block = 0; block < BLOCKS; block++) {
      least.growth = Math.min(
        least.growth,
        leastTime(queries, cache, ROUNDS, (a, T, b) => solver.solve(out, a, T, b, cache)),
      );
      least.Boolean = Math.min(
        least.Boolean,
        leastTime(queries, cache, ROUNDS, (a, T, b) => checker.check(a, T, b, 0, cache)),
      );
      warm.ours = Math.min(
        warm.ours,
        leastWarmTime(ROUNDS, queries.length, () => {
          pairs.forEach(({ a, b, poses }, i) => {
            const [shapeA, shapeB] = [grown.get(a)!, grown.get(b)!];
            caches[i].clear();
            for (const T of poses) solver.solve(out, shapeA, T, shapeB, caches[i]);
          });
        }),
      );
      theirs = peer.run<Results>(file, ROUNDS);
      least.cp = Math.min(least.cp, theirs['cutting planes'].least);
      least.trn = Math.min(least.trn, theirs['trust region Newton'].least);
      warm.dgd = Math.min(warm.dgd, theirs.warm.least);
      least.detect = Math.min(least.detect, theirs['Boolean'].least);
    }
    const differences = ours.map((x, i) => Math.abs(theirs['cutting planes'].results[i] / x - 1));
    return {
      bodies,
      'growth, ours / best of dgd': least.growth / Math.min(least.cp, least.trn),
      'warm growth, ours / dgd': warm.ours / warm.dgd,
      'Boolean, ours / dgd': least.Boolean / least.detect,
      'largest relative difference': Math.max(...differences).toExponential(0),
      'verdicts that differ': verdicts.filter((x, i) => x !== (theirs['Boolean'].results[i] === 1)).length,
      queries: queries.length,
    };
  });
}

/** Nanoseconds per query of a function that makes `queries` of them: the least of some rounds after one to warm up. */
function leastWarmTime(rounds: number, queries: number, round: () => void): number {
  let least = Infinity;
  for (let i = 0; i <= rounds; i++) {
    const before = process.hrtime.bigint();
    round();
    if (i > 0) least = Math.min(least, Number(process.hrtime.bigint() - before) / queries);
  }
  return least;
}
