import type { Random } from '../../src/math/random.ts';
import { GrowthDistance } from '../../src/narrowphase/growth/growthDistance.ts';
import { distanceSolvers } from '../../src/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/narrowphase/solver.ts';
import { createHillClimbingPolytope, supportPolytope } from '../../src/shapes/polytope.ts';
import { ConvexShape, type SupportFunction } from '../../src/shapes/shape.ts';
import { quantile } from '../measure.ts';
import { type BenchBody, objectHulls } from './bodies.ts';
import { type BenchPair, classedPairs } from './pairs.ts';
import { forget } from './solvers.ts';

type Row = Record<string, string | number>;

const ROUNDS = 7;

/**
 * Measures time against the number of vertices [Thirugnanam26 Fig. 4, Montaut24 Table I]: the same pairs with three
 * support functions: exhaustive search, hill climbing along edges, and ours (direction map; hill climbing above 1000
 * vertices).
 */
export async function vertexRows(random: Random): Promise<Row[]> {
  const rows: Row[] = [];
  for (const corners of [20, 50, 100, 240, 500, 1000, 1800, 3600]) {
    const bodies = await objectHulls(random, corners, corners > 500 ? 3 : 12);
    const pairs = classedPairs(random, bodies, corners > 500 ? 12 : 24, 'close');
    rows.push({ corners, ...timesOf(pairs) });
  }
  return rows;
}

const kinds = { 'all corners': supportByAll, climbing: supportPolytope, ours: undefined };

function timesOf(pairs: readonly BenchPair[]): Row {
  const growth = new GrowthDistance();
  const gjk = distanceSolvers['gjk'].create({ relativeGap: 1e-8 });
  const out = new Separation();
  const cache = new PairCache();
  const solvers = {
    growth: (a: ConvexShape, T: Float64Array, b: ConvexShape) => growth.solve(out, a, T, b, cache),
    gjk: (a: ConvexShape, T: Float64Array, b: ConvexShape) =>
      gjk.distance(out, a, T, b, Number.POSITIVE_INFINITY, cache),
  };
  const row: Row = {};
  for (const [solver, solve] of Object.entries(solvers)) {
    const variants = Object.keys(kinds).map((kind) => variantsOf(pairs, kind as keyof typeof kinds));
    const times: number[][] = variants.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [v, variant] of variants.entries()) {
        const before = performance.now();
        for (const { a, b, T } of variant) {
          forget(cache);
          solve(a, T, b);
        }
        if (round > 0) times[v].push(((performance.now() - before) * 1e6) / variant.length);
      }
    }
    const minTimes = times.map((list) => quantile(list, 0));
    for (const [v, kind] of Object.keys(kinds).entries()) row[`${solver}, ${kind} ns`] = Math.round(minTimes[v]);
    row[`${solver}: all / ours`] = minTimes[0] / minTimes[2];
  }
  return row;
}

function variantsOf(pairs: readonly BenchPair[], kind: keyof typeof kinds) {
  const made = new Map<BenchBody, ConvexShape>();
  const shapeOf = (body: BenchBody) => {
    if (!made.has(body)) made.set(body, kind === 'ours' ? body.shape : remade(body, kinds[kind]!));
    return made.get(body)!;
  };
  return pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: shapeOf(a), b: shapeOf(b), T })));
}

/** Returns the same shape with edges for hill climbing and another support function. */
function remade({ spec, shape }: BenchBody, support: SupportFunction): ConvexShape {
  const { type, size, margin, center, innerRadius, outerRadius, bounds, vertices } = shape;
  const polytope = createHillClimbingPolytope(vertices, spec['edges'] as number[][]);
  const parts = { type, size, support, margin, center, coreInnerRadius: innerRadius - margin, polytope };
  return new ConvexShape(parts, outerRadius, bounds);
}

function supportByAll(out: Float64Array, { vertices }: ConvexShape, d: Float64Array, hint: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = 0;
  let maxHeight = vertices[0] * x + vertices[1] * y + vertices[2] * z;
  for (let k = 3; k < vertices.length; k += 3) {
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > maxHeight) {
      maxHeight = along;
      best = k;
    }
  }
  out[0] = vertices[best];
  out[1] = vertices[best + 1];
  out[2] = vertices[best + 2];
  return hint;
}
