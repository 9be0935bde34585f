import type { Random } from '../../src/core/math/random.ts';
import type { IterativeDistance } from '../../src/core/narrowphase/gjk/gjkDistance.ts';
import type { GjkIteration } from '../../src/core/narrowphase/gjk/gjkIteration.ts';
import { checkers, type DistanceSolverName } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { type BenchBody, cubes, ellipsoids, objectHulls, skewedPrimitives } from './bodies.ts';
import { DUALITY_GAP } from './iterations.ts';
import { type BenchPair, pairAtGap } from './pairs.ts';
import { paperDistanceSolvers } from './solvers.ts';

type Row = Record<string, string | number>;

/** Separations in metres [Montaut22 Figs. 5-9]; overlaps are at most the inner radius of the smaller shape. */
const separations = [-0.1, -0.03, -0.01, -0.001, 0.001, 0.01, 0.1, 1];
const PAIRS = 100;

/** Measures iterations against the separation, for plain GJK and each momentum, Boolean and distance. */
export async function separationRows(random: Random): Promise<{ boolean: Row[]; distance: Row[] }> {
  const tables: { boolean: Row[]; distance: Row[] } = { boolean: [], distance: [] };
  for (const [bodies, shapes] of await sets(random)) {
    for (const separation of separations) {
      const pairs = Array.from({ length: PAIRS }, () => pairAt(random, shapes, separation));
      const boolean: Row = { bodies, separation };
      const distance: Row = { bodies, separation };
      for (const name of Object.keys(paperDistanceSolvers) as DistanceSolverName[]) {
        boolean[name] = booleanIterations(name, pairs);
        distance[name] = distanceIterations(name, pairs);
      }
      tables.boolean.push(boolean);
      tables.distance.push(distance);
    }
  }
  for (const rows of Object.values(tables)) rows.push(meanOf(rows));
  return tables;
}

async function sets(random: Random): Promise<[string, readonly BenchBody[]][]> {
  return [
    ['ellipsoids', ellipsoids(random, 40)],
    ['primitives, 100:1', skewedPrimitives(random, 40)],
    ['cubes', cubes(random, 40)],
    ['hulls of 20', await objectHulls(random, 20, 9)],
    ['hulls of 240', await objectHulls(random, 240, 9)],
    ['hulls of 626', await objectHulls(random, 626, 9)],
    ['hulls of 1800', await objectHulls(random, 1800, 3)],
  ];
}

function pairAt(random: Random, shapes: readonly BenchBody[], separation: number): BenchPair {
  const a = shapes[random.below(shapes.length)];
  const b = shapes[random.below(shapes.length)];
  return pairAtGap(random, a, b, Math.max(separation, -Math.min(a.shape.innerRadius, b.shape.innerRadius)));
}

function booleanIterations(name: keyof typeof checkers, pairs: readonly BenchPair[]): number {
  const checker = checkers[name].create();
  for (const { a, b, poses } of pairs) checker.check(a.shape, poses[0], b.shape, 0, new PairCache());
  return checker.iterations / pairs.length;
}

/** Returns the means of the support points and of the updates of the simplex, which the papers count. */
function distanceIterations(name: DistanceSolverName, pairs: readonly BenchPair[]): string {
  const options = { relativeGap: 0, dualityGap: DUALITY_GAP };
  const solver = paperDistanceSolvers[name].create(options) as IterativeDistance<GjkIteration>;
  const out = new Separation();
  let updates = 0;
  let supports = 0;
  for (const { a, b, poses } of pairs) {
    solver.distance(out, a.shape, poses[0], b.shape, Number.POSITIVE_INFINITY, new PairCache());
    supports += out.iterations;
    updates += solver.iteration.updates;
  }
  return [supports, updates].map((count) => (count / pairs.length).toFixed(1)).join(' / ');
}

/** Returns the mean of each column, which decides the weights that `gjk-polyak` and `gjk-nesterov` use. */
function meanOf(rows: readonly Row[]): Row {
  const mean: Row = { bodies: 'all', separation: 'mean' };
  for (const name of Object.keys(paperDistanceSolvers)) {
    const counts = rows.map((row) => String(row[name]).split(' / ').map(Number));
    const means = counts[0].map((_, k) => counts.reduce((sum, count) => sum + count[k], 0) / rows.length);
    mean[name] = means.map((value) => value.toFixed(1)).join(' / ');
  }
  return mean;
}
