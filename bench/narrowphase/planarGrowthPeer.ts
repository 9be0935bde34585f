import { createPlanarTransform, type PlanarTransform } from '../../src/core/math/planar.ts';
import type { Random } from '../../src/core/math/random.ts';
import { GrowthDistance2d } from '../../src/core/narrowphase/planar/growthDistance2d.ts';
import { PlanarCache } from '../../src/core/narrowphase/planar/planarSolver.ts';
import { COLLIDING, Separation } from '../../src/core/narrowphase/solver.ts';
import type { PlanarShape } from '../../src/core/shapes/planar/planarShape.ts';
import { createPolygon } from '../../src/core/shapes/planar/polygon.ts';
import { buildPlanarGrowthPeer, writeForPeer } from '../peers/cpp.ts';
import { randomPolygon } from './bodies.ts';

type Row = Record<string, string | number>;

const PAIRS = 400;
const BLOCKS = 6;
const ROUNDS = 6;

type Results = Record<'cutting planes' | 'trust region Newton' | 'Boolean', { least: number; results: number[] }>;

/** Compares planar growth distances and Boolean checks of polygons with dgd, cold, as `growthPeerRows`. */
export function planarGrowthPeerRows(random: Random): Row[] | undefined {
  const peer = buildPlanarGrowthPeer();
  if (peer === undefined) return undefined;
  return [4, 8, 16, 24].map((vertices) => {
    const words: number[] = [PAIRS];
    const queries: { a: PlanarShape; b: PlanarShape; T: PlanarTransform }[] = [];
    for (let i = 0; i < PAIRS; i++) {
      const [a, b] = [randomPolygon(random, vertices), randomPolygon(random, vertices)];
      const angle = random.between(-Math.PI, Math.PI);
      const apart = random.between(0.3, 1.5);
      const turn = random.between(-Math.PI, Math.PI);
      const T = createPlanarTransform(apart * Math.cos(angle), apart * Math.sin(angle), turn);
      words.push(a.length, ...a.flat(), b.length, ...b.flat(), ...T);
      queries.push({ a: createPolygon(a, 0, [0, 0]), b: createPolygon(b, 0, [0, 0]), T }); // dgd grows about the origin
    }
    const file = writeForPeer('planarGrowth.txt', words);
    const solver = new GrowthDistance2d();
    const [out, cache] = [new Separation(), new PlanarCache()];
    const ours = queries.map(({ a, b, T }) => {
      solver.growth(out, a, T, b, new PlanarCache());
      return out.growth.lower;
    });
    const verdicts = queries.map(({ a, b, T }) => solver.check(a, T, b, 0, new PlanarCache()) === COLLIDING);
    const least = { growth: Infinity, Boolean: Infinity, dgd: Infinity, detect: Infinity };
    let theirs!: Results;
    for (let block = 0; block < BLOCKS; block++) {
      for (let round = 0; round < 10 * ROUNDS; round++) {
        least.growth = Math.min(
          least.growth,
          timeOf(queries.length, () => {
            for (const { a, b, T } of queries) {
              cache.hasAxis = false;
              solver.growth(out, a, T, b, cache);
            }
          }),
        );
        least.Boolean = Math.min(
          least.Boolean,
          timeOf(queries.length, () => {
            for (const { a, b, T } of queries) {
              cache.hasAxis = false;
              solver.check(a, T, b, 0, cache);
            }
          }),
        );
      }
      theirs = peer.run<Results>(file, 10 * ROUNDS);
      least.dgd = Math.min(least.dgd, theirs['cutting planes'].least, theirs['trust region Newton'].least);
      least.detect = Math.min(least.detect, theirs['Boolean'].least);
    }
    const differences = ours.map((x, i) => Math.abs(theirs['cutting planes'].results[i] / x - 1));
    return {
      vertices,
      'growth, ours / best of dgd': least.growth / least.dgd,
      'Boolean, ours / dgd': least.Boolean / least.detect,
      'largest relative difference': Math.max(...differences).toExponential(0),
      'verdicts that differ': verdicts.filter((x, i) => x !== (theirs['Boolean'].results[i] === 1)).length,
      queries: queries.length,
    };
  });
}

/** Nanoseconds per query of a round. */
function timeOf(queries: number, round: () => void): number {
  const before = process.hrtime.bigint();
  round();
  return Number(process.hrtime.bigint() - before) / queries;
}
