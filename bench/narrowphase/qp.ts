import { ConvexHull, Vector3 } from '../../src/core/hulls/threeGeometry.ts';
import type { Random } from '../../src/core/math/random.ts';
import { rotate, type Transform } from '../../src/core/math/transform.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import { type BenchBody, randomHulls } from './bodies.ts';
import { InteriorPoint } from './interiorPoint.ts';
import { type BenchPair, classedPairs } from './pairs.ts';
import { LeastTimes } from './peerTimes.ts';
import { forget, paperDistanceSolvers } from './solvers.ts';

type Row = Record<string, string | number>;

const PAIRS = 100;
const ROUNDS = 4;
/** Sweeps of a solver of support points per round: its code must be as warm as that of the QP. */
const SWEEPS = 50;

/**
 * Measures the distance of hulls as a quadratic program over their facets, min ‖x − y‖² with x in A and y in B, against
 * solvers that use support points [Montaut24 Table II].
 */
export async function qpRows(random: Random): Promise<Row[]> {
  const rows: Row[] = [];
  for (const vertices of [8, 250, 940]) {
    const bodies = await randomHulls(random, vertices, 4);
    const pairs = classedPairs(random, bodies, PAIRS, 'close');
    rows.push(rowOf(vertices, pairs));
  }
  return rows;
}

function rowOf(vertices: number, pairs: readonly BenchPair[]): Row {
  const facets = new Map<BenchBody, Float64Array>();
  for (const { a, b } of pairs) for (const body of [a, b]) facets.set(body, facets.get(body) ?? facetsOf(body));
  const programmes = pairs.flatMap(({ a, b, poses }) =>
    poses.slice(0, 1).map((T) => new InteriorPoint(stack(facets.get(a)!, T, facets.get(b)!))),
  );
  const asked = pairs.flatMap(({ a, b, poses }) => poses.slice(0, 1).map((T) => ({ a: a.shape, b: b.shape, T })));
  const cache = new PairCache();
  const out = new Separation();
  const found: number[] = [];
  const times: Record<string, LeastTimes> = {
    'QP, interior point': new LeastTimes(
      (i) => {
        found[i] = programmes[i].solve(1e-8);
      },
      asked.length,
      cpuMilliseconds,
    ),
  };
  let error = 0;
  for (const [name, { create }] of Object.entries(paperDistanceSolvers)) {
    const solver = create({ relativeGap: 1e-8 });
    times[name] = new LeastTimes((i) => {
      const { a, b, T } = asked[i];
      forget(cache);
      solver.distance(out, a, T, b, Number.POSITIVE_INFINITY, cache);
      error = Math.max(error, Math.abs(out.distance.upper - found[i]));
    }, asked.length);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, one] of Object.entries(times)) {
      for (let k = name.startsWith('QP') ? 1 : SWEEPS; k > 0; k--) one.record();
    }
  }
  const least = Object.fromEntries(Object.entries(times).map(([name, { mean }]) => [`${name} µs`, mean / 1000]));
  const rows = [...facets.values()].reduce((sum, list) => sum + list.length / 4, 0) / facets.size;
  return {
    vertices,
    facets: rows,
    ...least,
    'QP / gjk': least['QP, interior point µs'] / least['gjk µs'],
    'largest difference m': error.toExponential(1),
  };
}

/** Returns the outward unit normal and height of each facet, four numbers each, in the frame of the shape. */
function facetsOf({ spec }: BenchBody): Float64Array {
  const points = spec['points'] as number[][];
  const hull = new ConvexHull().setFromPoints(points.map(([x, y, z]) => new Vector3(x, y, z)));
  return Float64Array.from(hull.faces.flatMap(({ normal, constant }) => [normal.x, normal.y, normal.z, constant]));
}

/**
 * Returns the rows G z <= h over z = (x, y): facets of A transformed to the frame of B, and facets of B. Seven numbers
 * per row.
 */
function stack(facetsA: Float64Array, T: Transform, facetsB: Float64Array): Float64Array {
  const rows: number[] = [];
  const n = new Float64Array(3);
  for (let i = 0; i < facetsA.length; i += 4) {
    rotate(n, T, facetsA.subarray(i, i + 3));
    rows.push(n[0], n[1], n[2], 0, 0, 0, facetsA[i + 3] + n[0] * T[3] + n[1] * T[7] + n[2] * T[11]);
  }
  for (let i = 0; i < facetsB.length; i += 4) rows.push(0, 0, 0, ...facetsB.subarray(i, i + 4));
  return Float64Array.from(rows);
}
