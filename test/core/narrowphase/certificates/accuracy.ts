import { Random } from '../../../../src/core/math/random.ts';
import type { Transform } from '../../../../src/core/math/transform.ts';
import { Epa } from '../../../../src/core/narrowphase/depth/epa.ts';
import { distanceSolvers, growthSolvers } from '../../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { randomSpec, randomTransform } from '../helpers.ts';
import { between, distanceFromA, gapAlong, growthAlong } from './geometry.ts';
import { type Judge, judgeOf } from './judge.ts';

const kinds = ['sphere', 'capsule', 'box', 'cylinder', 'cone', 'frustum', 'ellipsoid', 'hull', 'halfspace'];
/**
 * Smallest distance of a sphere centre outside the other shape, metres: for centres inside there is no closed form of
 * the depth.
 */
const OUTSIDE = 1e-9;

/** One row: two kinds of shapes, and the largest error of each solver, relative to the size of the pair. */
export interface AccuracyRow {
  readonly pair: string;
  /** Reference of the distances. */
  readonly truth: 'closed form' | 'certified bounds';
  readonly [solver: string]: number | string;
}

/**
 * Measures the errors of every solver for every pair of kinds, about 1 m in size, skewed to 1000:1, half of them
 * overlapping. The error is the largest possible difference between a bound and the true value, which is known from a
 * closed form or lies between certified bounds: the best plane of all solvers and the nearest witness points, both
 * measured by the formulas of the judges.
 */
export function* measureAccuracy(seed = 1, pairs = 200): Generator<AccuracyRow> {
  for (const [i, kindA] of kinds.entries()) {
    for (const kindB of kinds.slice(i)) {
      if (kindA === 'halfspace') continue;
      const random = new Random(seed, 100 * i + kinds.indexOf(kindB));
      const errors = new Errors();
      for (let k = 0; k < pairs; k++) errors.add(drawPair(random, kindA, kindB));
      yield {
        pair: `${kindA} – ${kindB}`,
        truth: hasClosedForm(kindA, kindB) ? 'closed form' : 'certified bounds',
        ...errors.worst,
      };
    }
  }
}

interface Subject {
  readonly kind: string;
  readonly spec: ShapeSpec;
  readonly shape: ConvexShape;
  readonly judge: Judge;
}

interface Pair {
  readonly a: Subject;
  readonly b: Subject;
  readonly T_b_a: Transform;
  readonly size: number;
}

function drawPair(random: Random, kindA: string, kindB: string): Pair {
  const [a, b] = [drawSubject(random, kindA), drawSubject(random, kindB)];
  return { a, b, T_b_a: randomTransform(random, random.below(2) === 0 ? 2 : 0.4), size: 1 };
}

function drawSubject(random: Random, kind: string): Subject {
  const part = () => random.between(-1, 1);
  const spec = kind === 'halfspace' ? { type: kind, normal: [part(), part(), part()] } : randomSpec(random, 1, [kind]);
  return { kind, spec, shape: createShape(spec), judge: judgeOf(spec) };
}

/** The distance of a sphere is that of a point, the distance of a half-space one support value. */
const hasClosedForm = (kindA: string, kindB: string): boolean => kindA === 'sphere' || kindB === 'halfspace';

interface Interval {
  readonly lower: number;
  readonly upper: number;
}

class Errors {
  readonly worst: Record<string, number> = {};
  private readonly distances = Object.entries(distanceSolvers).map(([name, { create }]) => ({
    name,
    solver: create(),
  }));
  private readonly growth = growthSolvers['growth-distance'].create();
  private readonly tightGrowth = growthSolvers['growth-distance'].create({ relativeGap: 1e-12 });
  private readonly epa = new Epa();

  add(pair: Pair): void {
    const { a, T_b_a, b } = pair;
    const results = this.distances.map(({ name, solver }) => {
      const out = new Separation();
      solver.distance(out, a.shape, T_b_a, b.shape, Number.POSITIVE_INFINITY, new PairCache());
      return { name, out };
    });
    const outs = results.map(({ out }) => out);
    const depth = new Separation();
    this.epa.depth(depth, a.shape, T_b_a, b.shape);
    const signed = signedGap(pair) ?? certified(pair, [...outs, depth]);
    const distance = { lower: Math.max(0, signed.lower), upper: Math.max(0, signed.upper) };
    for (const { name, out } of results) this.note(name, errorOf(out.distance, distance));
    if (signed.upper < 0) this.note('epa', errorOf(depth.depth, { lower: -signed.upper, upper: -signed.lower }));

    for (const [name, solver] of [
      ['growth', this.growth],
      ['growth, gap 1e-12', this.tightGrowth],
    ] as const) {
      const out = new Separation();
      solver.solve(out, a.shape, T_b_a, b.shape, new PairCache());
      if (!out.hasNormal || !(out.growth.upper > 0) || b.kind === 'halfspace') continue;
      if (!(a.shape.innerRadius + b.shape.innerRadius > 1e-4)) continue;
      const proved = growthAlong(pair, out.normal, a.shape.center, b.shape.center);
      this.note(name, Math.max(out.growth.upper - proved, Math.abs(out.growth.lower - proved)) / Math.max(1, proved));
    }
  }

  private note(name: string, error: number): void {
    this.worst[name] = Math.max(this.worst[name] ?? 0, error);
  }
}

/** Returns the largest difference between a bound and the true value. */
const errorOf = (found: Interval, truth: Interval): number =>
  Math.max(0, truth.upper - found.lower, found.upper - truth.lower);

/** Returns the signed distance by closed form, negative if overlapping; undefined if there is none. */
function signedGap({ a, b, T_b_a: T }: Pair): Interval | undefined {
  if (b.kind === 'halfspace') {
    const normal = (b.spec as unknown as { normal: number[] }).normal;
    const size = Math.sqrt(normal.reduce((sum, x) => sum + x * x, 0));
    const gap = gapAlong(
      { a, b: { judge: { ...b.judge, reach: () => 0 } }, T_b_a: T },
      normal.map((x) => -x / size),
    );
    return { lower: gap, upper: gap };
  }
  if (a.kind !== 'sphere') return undefined;
  const far = b.judge.distanceTo([T[3], T[7], T[11]]);
  const gap = far - (a.spec as unknown as { radius: number }).radius;
  return far > OUTSIDE ? { lower: gap, upper: gap } : undefined;
}

/** Returns bounds of the signed distance from planes and witness points of all results, measured by the judges. */
function certified(pair: Pair, results: readonly Separation[]): Interval {
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  for (const out of results) {
    if (out.hasNormal) lower = Math.max(lower, gapAlong(pair, out.normal));
    if (!out.hasWitnesses || !(out.distance.upper > 0)) continue;
    const off = distanceFromA(pair, out.witnessA) + pair.b.judge.distanceTo(out.witnessB);
    upper = Math.min(upper, between(out.witnessA, out.witnessB) + off);
  }
  // Overlapping: the best plane bounds the depth from above, the polytope of EPA from below.
  const depth = results.at(-1)?.depth;
  if (lower < 0 && depth !== undefined) return { lower, upper: depth.lower > 0 ? -depth.lower : 0 };
  return { lower, upper };
}
