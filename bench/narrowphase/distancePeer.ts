import type { Random } from '../../src/core/math/random.ts';
import { type DistanceSolverName, distanceSolvers } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../src/core/shapes/shape.ts';
import { buildDistancePeer, writeForPeer } from '../peers/cpp.ts';
import { pairWords } from '../peers/words.ts';
import { type BenchBody, commonPrimitives, cubes, ellipsoids, objectHulls } from './bodies.ts';
import { growthPairs } from './pairs.ts';
import { leastTime } from './peerTimes.ts';

type Row = Record<string, string | number>;
type Variant = 'GJK' | 'Polyak' | 'Nesterov';
type Results = Record<Variant, { least: number; results: number[] }>;

const PAIRS = 60;
const BLOCKS = 6;
const ROUNDS = 4;
/** Absolute tolerance of Coal, its default, and the relative one of ours, for shapes about 1 m in size. */
const TOLERANCE = 1e-6;
const variants: Readonly<Record<Variant, DistanceSolverName>> = {
  GJK: 'gjk',
  Polyak: 'gjk-polyak',
  Nesterov: 'gjk-nesterov',
};

/**
 * Compares distances with Coal, the library of the authors of GJK++ [Montaut24], on the same pairs, cold, block by
 * block in turn, at the same tolerance; undefined if ELBOWROOM_COAL names no checkout that compiles.
 */
export async function distancePeerRows(random: Random): Promise<Row[] | undefined> {
  const peer = buildDistancePeer();
  if (peer === undefined) return undefined;
  const sets: [string, readonly BenchBody[]][] = [
    ['spheres, capsules', roundBodies(random, 30, false)],
    ['spheres, capsules, boxes', roundBodies(random, 30, true)],
    ['capsules, cylinders, cones', commonPrimitives(random, 30)],
    ['ellipsoids', ellipsoids(random, 30)],
    ['cubes', cubes(random, 30)],
  ];
  for (const vertices of [20, 100, 500]) sets.push([`hulls of ${vertices}`, await objectHulls(random, vertices, 12)]);
  return sets.map(([bodies, shapes]) => compare(bodies, shapes, random, peer));
}

function compare(
  bodies: string,
  shapes: readonly BenchBody[],
  random: Random,
  peer: NonNullable<ReturnType<typeof buildDistancePeer>>,
): Row {
  const pairs = growthPairs(random, shapes, PAIRS);
  const file = writeForPeer('distance.txt', pairWords(pairs)!);
  const queries = pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: a.shape, b: b.shape, T })));
  const [out, cache] = [new Separation(), new PairCache()];
  const exact = distanceSolvers.gjk.create();
  const distances = queries.map(({ a, b, T }) => {
    exact.distance(out, a, T, b, Number.POSITIVE_INFINITY, new PairCache());
    return out.distance.upper;
  });
  const least: Record<string, number> = {};
  let theirs!: Results;
  for (let block = 0; block < BLOCKS; block++) {
    for (const [variant, name] of Object.entries(variants)) {
      const solver = distanceSolvers[name].create({ relativeGap: TOLERANCE });
      const time = leastTime(queries, cache, ROUNDS, (a, T, b) =>
        solver.distance(out, a, T, b, Number.POSITIVE_INFINITY, cache),
      );
      least[variant] = Math.min(least[variant] ?? Infinity, time);
    }
    theirs = peer.run<Results>(file, ROUNDS, TOLERANCE);
    for (const variant of Object.keys(variants) as Variant[]) {
      const key = `Coal ${variant}`;
      least[key] = Math.min(least[key] ?? Infinity, theirs[variant].least);
    }
  }
  const apart = distances.map((x, i) => (x > 0 ? Math.abs(theirs.GJK.results[i] - x) : 0));
  return {
    bodies,
    'GJK, ours / Coal': least['GJK'] / least['Coal GJK'],
    'Polyak, ours / Coal': least['Polyak'] / least['Coal Polyak'],
    'Nesterov, ours / Coal': least['Nesterov'] / least['Coal Nesterov'],
    'largest difference, m': Math.max(...apart).toExponential(0),
    'verdicts that differ': distances.filter((x, i) => x > 0 !== theirs.GJK.results[i] > 0).length,
    queries: queries.length,
  };
}

/** Returns spheres and capsules, and boxes if wanted, for whose distances there are closed forms. */
function roundBodies(random: Random, count: number, withBoxes: boolean): BenchBody[] {
  const size = () => random.between(0.05, 0.5);
  const specs: (() => ShapeSpec)[] = [
    () => ({ type: 'sphere', radius: size() }) as ShapeSpec,
    () => ({ type: 'capsule', radius: size() / 4, length: 2 * size() }) as ShapeSpec,
  ];
  if (withBoxes) specs.push(() => ({ type: 'box', size: [size(), size(), size()] }) as ShapeSpec);
  return Array.from({ length: count }, (_, i) => {
    const spec = specs[i % specs.length]();
    return { spec, shape: createShape(spec) };
  });
}
