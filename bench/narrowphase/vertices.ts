import type { Random } from '../../src/core/math/random.ts';
import { GrowthDistance } from '../../src/core/narrowphase/growth/growthDistance.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { ConvexShape, type Polytope } from '../../src/core/shapes/shape.ts';
import { type BenchBody, objectHulls } from './bodies.ts';
import { climbingShape } from './hillClimbing.ts';
import { type BenchPair, classedPairs } from './pairs.ts';
import { LeastTimes } from './peerTimes.ts';
import { forget, paperDistanceSolvers } from './solvers.ts';

type Row = Record<string, string | number>;

const ROUNDS = 40;
/** Cells of the coarsest direction map, of one bit. */
const CELLS = 8;

/**
 * Measures time against the number of vertices [Thirugnanam26 Fig. 4, Montaut24 Table I]: the same pairs with three
 * searches for the support vertex: exhaustive, hill climbing along edges, and ours (direction map).
 */
export async function vertexRows(random: Random): Promise<Row[]> {
  const rows: Row[] = [];
  for (const vertices of [20, 50, 100, 240, 500, 1000, 1800, 3600]) {
    const bodies = await objectHulls(random, vertices, vertices > 500 ? 3 : 12);
    const pairs = classedPairs(random, bodies, vertices > 500 ? 12 : 24, 'close');
    rows.push({ vertices, ...timesOf(pairs) });
  }
  return rows;
}

const kinds = ['all vertices', 'climbing', 'ours'] as const;
type Kind = (typeof kinds)[number];

function timesOf(pairs: readonly BenchPair[]): Row {
  const growth = new GrowthDistance();
  const gjk = paperDistanceSolvers.gjk.create({ relativeGap: 1e-8 });
  const out = new Separation();
  const cache = new PairCache();
  const solvers = {
    growth: (a: ConvexShape, T: Float64Array, b: ConvexShape) => growth.solve(out, a, T, b, cache),
    gjk: (a: ConvexShape, T: Float64Array, b: ConvexShape) =>
      gjk.distance(out, a, T, b, Number.POSITIVE_INFINITY, cache),
  };
  const row: Row = {};
  for (const [solver, solve] of Object.entries(solvers)) {
    const variants = kinds.map((kind) => variantsOf(pairs, kind));
    const times = variants.map(
      (variant) =>
        new LeastTimes((i) => {
          const { a, b, T } = variant[i];
          forget(cache);
          solve(a, T, b);
        }, variant.length),
    );
    for (let round = 0; round < ROUNDS; round++) for (const one of times) one.record();
    const minTimes = times.map(({ mean }) => mean);
    for (const [v, kind] of kinds.entries()) row[`${solver}, ${kind} ns`] = Math.round(minTimes[v]);
    row[`${solver}: all / climbing`] = minTimes[0] / minTimes[1];
    row[`${solver}: all / ours`] = minTimes[0] / minTimes[2];
  }
  return row;
}

function variantsOf(pairs: readonly BenchPair[], kind: Kind) {
  const made = new Map<BenchBody, ConvexShape>();
  const shapeOf = (body: BenchBody) => {
    if (!made.has(body)) made.set(body, kind === 'ours' ? body.shape : remade(body, kind));
    return made.get(body)!;
  };
  return pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: shapeOf(a), b: shapeOf(b), T })));
}

/** Returns the same shape with another search structure, used by every solver and support function. */
function remade({ spec, shape }: BenchBody, search: 'all vertices' | 'climbing'): ConvexShape {
  if (search === 'climbing') return climbingShape(shape, spec['edges'] as number[][]);
  const { type, size, margin, center, innerRadius, outerRadius, bounds, vertices, support } = shape;
  const parts = { type, size, support, margin, center, coreInnerRadius: innerRadius - margin };
  return new ConvexShape({ ...parts, polytope: exhaustive(vertices) }, outerRadius, bounds);
}

/** Returns a polytope with all its vertices as candidates for every direction. */
function exhaustive(vertices: Float64Array): Polytope {
  const count = vertices.length / 3;
  const cellStart = Int32Array.from({ length: CELLS + 1 }, (_, cell) => cell * count);
  const cellVertices = Int32Array.from({ length: CELLS * count }, (_, i) => 3 * (i % count));
  return { vertices, cellBits: 1, cellStart, cellVertices, extreme: [] };
}
