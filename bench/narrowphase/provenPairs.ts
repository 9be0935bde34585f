import { Random } from '../../src/core/math/random.ts';
import { create } from '../../src/core/math/transform.ts';
import { baselineGrowthSolvers } from '../../src/core/narrowphase/baselines.ts';
import type { IterativeDistance } from '../../src/core/narrowphase/gjk/gjkDistance.ts';
import type { GjkIteration } from '../../src/core/narrowphase/gjk/gjkIteration.ts';
import { createDistanceSolver, type DistanceSolverName, growthSolvers } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../src/core/shapes/shape.ts';
import { objectHulls } from './bodies.ts';
import { DUALITY_GAP } from './iterations.ts';
import { distanceClasses, pairAtGap } from './pairs.ts';
import { randomDirection } from './randomDirection.ts';
import { paperDistanceSolvers } from './solvers.ts';

type Point = readonly [number, number, number];
type Exact = readonly [bigint, bigint, bigint];

/**
 * Two hulls of points in whole millimetres, in one frame, and the proof of their distance: d = Σ w (b − a) / Σ w over
 * pairs of points with weights w ≥ 0, and d · (b − a) ≥ d · d for all points a and b. Whole numbers decide both.
 */
export interface ProvenPair {
  readonly id: number;
  readonly kind: string;
  readonly a: readonly Point[];
  readonly b: readonly Point[];
  /** Millimetres, rounded to a double; 0 if the hulls meet. */
  readonly distance: number;
  readonly proof: { readonly points: readonly (readonly [number, number])[]; readonly weights: readonly string[] };
}

const SIZES = [8, 20, 60];
const CLASSES = ['distant', 'close', 'overlapping'] as const;
const PAIRS = 10;

/** Creates the pairs of bench/pairs from their seed; fewer sizes of hulls yield its first pairs. */
export async function createProvenPairs(sizes: readonly number[] = SIZES): Promise<ProvenPair[]> {
  const random = new Random(20);
  const pairs: ProvenPair[] = [];
  for (const size of sizes) {
    const hulls = await objectHulls(random, size, 9);
    for (const kind of CLASSES) {
      const [min, max] = distanceClasses[kind];
      for (let made = 0; made < PAIRS; ) {
        const [a, b] = [hulls[random.below(hulls.length)], hulls[random.below(hulls.length)]];
        const gap = (random.between(min, max) * (a.shape.outerRadius + b.shape.outerRadius)) / 2;
        const T_b_a = pairAtGap(random, a, b, gap).poses[0];
        const points = [placed(a.spec, T_b_a), placed(b.spec, create())] as const;
        const proof = prove(random, ...points);
        if (proof === undefined) continue;
        const pair = { id: pairs.length + 1, kind: `hulls of ${size}, ${kind}`, a: points[0], b: points[1], proof };
        pairs.push({ ...pair, distance: provedDistance(pair) });
        made++;
      }
    }
  }
  return pairs;
}

function placed(spec: object, T: Float64Array): Point[] {
  const { points } = spec as { points: readonly Point[] };
  const at = ([x, y, z]: Point, k: number) =>
    Math.round(1000 * (T[4 * k] * x + T[4 * k + 1] * y + T[4 * k + 2] * z + T[4 * k + 3]));
  return points.map((p) => [at(p, 0), at(p, 1), at(p, 2)]);
}

/** Returns the distance of a pair in millimetres; throws if the proof is wrong. Exact but for the last rounding. */
export function provedDistance({ id, a, b, proof }: Omit<ProvenPair, 'distance'>): number {
  const weights = proof.weights.map(BigInt);
  const sum = weights.reduce((total, w) => total + w, 0n);
  if (sum <= 0n || weights.some((w) => w < 0n)) throw new Error(`pair ${id}: a weight is negative`);
  const d: bigint[] = [0n, 0n, 0n];
  for (const [n, [i, j]] of proof.points.entries()) {
    for (let k = 0; k < 3; k++) d[k] += weights[n] * BigInt(b[j][k] - a[i][k]);
  }
  const along = (p: Point) => p.reduce((total, x, k) => total + BigInt(x) * d[k], 0n);
  const squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const least = (points: readonly Point[], sign: bigint) =>
    points.map((p) => sign * along(p)).reduce((x, y) => (y < x ? y : x));
  if (sum * (least(b, 1n) + least(a, -1n)) < squared) throw new Error(`pair ${id}: a point is nearer`);
  return Math.sqrt(Number(squared)) / Number(sum);
}

/** Finds the points and weights of the distance; undefined if the search fails, as it may for shallow overlaps. */
function prove(random: Random, a: readonly Point[], b: readonly Point[]): ProvenPair['proof'] | undefined {
  const out = new Separation();
  createDistanceSolver().distance(out, hullOf(a), create(), hullOf(b), Number.POSITIVE_INFINITY, new PairCache());
  const { normal } = out;
  const value = ([x, y, z]: Point, d: ArrayLike<number>) => x * d[0] + y * d[1] + z * d[2];
  const order = (points: readonly Point[], d: ArrayLike<number>) =>
    points.map((_, i) => i).sort((i, j) => value(points[i], d) - value(points[j], d));
  const candidates: (readonly [number, number])[][] = [];
  if (out.status === 'separated') {
    const near = (points: readonly Point[], sign: number) =>
      order(
        points,
        normal.map((x) => sign * x),
      ).slice(0, 3);
    const all = near(a, -1).flatMap((i) => near(b, 1).map((j) => [i, j] as const));
    for (const [n, p] of all.entries()) {
      candidates.push([p]);
      for (const [m, q] of all.entries()) {
        if (m >= n) continue;
        candidates.push([p, q], ...all.slice(0, m).map((r) => [p, q, r]));
      }
    }
  } else {
    for (let n = 0; n < 300; n++) {
      const corner = () => {
        const d = randomDirection(random);
        return [
          order(a, d)[0],
          order(
            b,
            d.map((x) => -x),
          )[0],
        ] as const;
      };
      candidates.push([corner(), corner(), corner(), corner()]);
    }
  }
  for (const points of candidates) {
    const vectors = points.map(([i, j]) => b[j].map((x, k) => BigInt(x - a[i][k])) as unknown as Exact);
    const proof = { points, weights: weightsOf(vectors).map(String) };
    try {
      provedDistance({ id: 0, kind: '', a, b, proof });
      return proof;
    } catch {}
  }
  return undefined;
}

/** Weights of the point of the affine hull of 1 to 4 vectors that is nearest to the origin, in whole numbers. */
function weightsOf(v: readonly Exact[]): bigint[] {
  const minus = (p: Exact, q: Exact): Exact => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
  const dot = (p: Exact, q: Exact) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  const cross = (p: Exact, q: Exact): Exact => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const [a, b, c, d] = v;
  if (v.length === 1) return [1n];
  if (v.length === 2) return [dot(b, minus(b, a)), dot(a, minus(a, b))];
  if (v.length === 3) {
    const n = cross(minus(b, a), minus(c, a));
    return [dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b))];
  }
  const det = (p: Exact, q: Exact, r: Exact) => dot(p, cross(q, r));
  const weights = [det(b, c, d), -det(a, c, d), det(a, b, d), -det(a, b, c)];
  return weights[0] < 0n ? weights.map((w) => -w) : weights;
}

/** The hull of points in millimetres, in metres. */
function hullOf(points: readonly Point[]): ConvexShape {
  return createShape({ type: 'convex', points: points.map((p) => p.map((x) => x / 1000)) } as never);
}

type Row = Record<string, string | number>;

/** Runs each solver on all pairs: counters, wrong verdicts, and the largest error of its distance. */
export function provenRows(pairs: readonly ProvenPair[]): Row[] {
  const shapes = pairs.map(({ a, b, distance }) => ({ a: hullOf(a), b: hullOf(b), distance: distance / 1000 }));
  const out = new Separation();
  const T = create();
  const rowOf = (solver: string, solve: (pair: (typeof shapes)[number]) => number, isDistance: boolean): Row => {
    const [counts, errors] = [
      [0, 0],
      [0, 0],
    ];
    for (const pair of shapes) {
      counts[1] += solve(pair);
      counts[0] += out.iterations;
      if ((out.status === 'separated') !== pair.distance > 0) errors[0]++;
      if (isDistance && pair.distance > 0)
        errors[1] = Math.max(errors[1], Math.abs(out.distance.upper - pair.distance));
    }
    return {
      solver,
      pairs: pairs.length,
      'support points': counts[0] / pairs.length,
      updates: isDistance ? counts[1] / pairs.length : '–',
      'wrong verdicts': errors[0],
      'largest error m': isDistance ? errors[1].toExponential(1) : '–',
    };
  };
  const ofDistance = (Object.keys(paperDistanceSolvers) as DistanceSolverName[]).map((name) => {
    const options = { relativeGap: 0, dualityGap: DUALITY_GAP };
    const solver = paperDistanceSolvers[name].create(options) as IterativeDistance<GjkIteration>;
    const solve = ({ a, b }: (typeof shapes)[number]) => {
      solver.distance(out, a, T, b, Number.POSITIVE_INFINITY, new PairCache());
      return solver.iteration.updates;
    };
    return rowOf(name, solve, true);
  });
  const ofGrowth = Object.entries({ ...growthSolvers, ...baselineGrowthSolvers }).map(([name, definition]) => {
    const solver = definition.create();
    const solve = ({ a, b }: (typeof shapes)[number]) => {
      solver.solve(out, a, T, b, new PairCache());
      return 0;
    };
    return rowOf(name, solve, false);
  });
  return [...ofDistance, ...ofGrowth];
}
