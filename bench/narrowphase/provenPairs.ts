import { Random } from '../../src/core/math/random.ts';
import { create } from '../../src/core/math/transform.ts';
import type { Vec3 } from '../../src/core/math/vec3.ts';
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
export function provedDistance({ id, ...pair }: Omit<ProvenPair, 'distance'>): number {
  const distance = distanceOrFault(pair);
  if (typeof distance === 'string') throw new Error(`pair ${id}: ${distance}`);
  return distance;
}

/** Returns the distance that a proof proves, millimetres, or what is wrong with it. */
function distanceOrFault({ a, b, proof }: Pick<ProvenPair, 'a' | 'b' | 'proof'>): number | string {
  const weights = proof.weights.map(BigInt);
  const sum = weights.reduce((total, w) => total + w, 0n);
  if (sum <= 0n || weights.some((w) => w < 0n)) return 'a weight is negative';
  const d: bigint[] = [0n, 0n, 0n];
  for (const [n, [i, j]] of proof.points.entries()) {
    for (let k = 0; k < 3; k++) d[k] += weights[n] * BigInt(b[j][k] - a[i][k]);
  }
  const along = (p: Point) => p.reduce((total, x, k) => total + BigInt(x) * d[k], 0n);
  const squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const least = (points: readonly Point[], sign: bigint) =>
    points.map((p) => sign * along(p)).reduce((x, y) => (y < x ? y : x));
  if (sum * (least(b, 1n) + least(a, -1n)) < squared) return 'a point is nearer';
  return Math.sqrt(Number(squared)) / Number(sum);
}

/** Finds the points and weights of the distance; undefined if the search fails, as it may for shallow overlaps. */
function prove(random: Random, a: readonly Point[], b: readonly Point[]): ProvenPair['proof'] | undefined {
  const out = new Separation();
  createDistanceSolver().distance(out, hullOf(a), create(), hullOf(b), Number.POSITIVE_INFINITY, new PairCache());
  const candidates = out.status === 'separated' ? nearestPoints(a, b, out.normal) : randomSimplices(random, a, b);
  for (const points of candidates) {
    const vectors = points.map(([i, j]) => b[j].map((x, k) => BigInt(x - a[i][k])) as unknown as Exact);
    const proof = { points, weights: weightsOf(vectors).map(String) };
    if (typeof distanceOrFault({ a, b, proof }) === 'number') return proof;
  }
  return undefined;
}

type PointPair = readonly [number, number];

/** Returns one to three pairs of the three points of each hull that are nearest along the normal. */
function nearestPoints(a: readonly Point[], b: readonly Point[], normal: Vec3): PointPair[][] {
  const nearest = [ordered(a, normal, -1), ordered(b, normal, 1)].map((order) => order.slice(0, 3));
  const all = nearest[0].flatMap((i) => nearest[1].map((j): PointPair => [i, j]));
  return all.flatMap((p, n) => [
    [p],
    ...all.slice(0, n).flatMap((q, m) => [[p, q], ...all.slice(0, m).map((r) => [p, q, r])]),
  ]);
}

/** Returns sets of four pairs of points, each pair the nearest ones along a random direction. */
function randomSimplices(random: Random, a: readonly Point[], b: readonly Point[]): PointPair[][] {
  const supportPair = (): PointPair => {
    const d = randomDirection(random);
    return [ordered(a, d, 1)[0], ordered(b, d, -1)[0]];
  };
  return Array.from({ length: 300 }, () => [supportPair(), supportPair(), supportPair(), supportPair()]);
}

/** Returns the indices of points in the order of sign · d · p. */
function ordered(points: readonly Point[], d: Vec3, sign: 1 | -1): number[] {
  const heights = points.map(([x, y, z]) => sign * (x * d[0] + y * d[1] + z * d[2]));
  return heights.map((_, i) => i).sort((i, j) => heights[i] - heights[j]);
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
    let [updates, supportPoints, wrong, error] = [0, 0, 0, 0];
    for (const pair of shapes) {
      updates += solve(pair);
      supportPoints += out.iterations;
      if ((out.status === 'separated') !== pair.distance > 0) wrong++;
      if (isDistance && pair.distance > 0) error = Math.max(error, Math.abs(out.distance.upper - pair.distance));
    }
    return {
      solver,
      pairs: pairs.length,
      'support points': supportPoints / pairs.length,
      updates: isDistance ? updates / pairs.length : '–',
      'wrong verdicts': wrong,
      'largest error m': isDistance ? error.toExponential(1) : '–',
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
