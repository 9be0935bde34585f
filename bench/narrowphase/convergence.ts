import type { Random } from '../../src/core/math/random.ts';
import { GrowthDistance } from '../../src/core/narrowphase/growth/growthDistance.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { quantile } from '../measure.ts';
import { type BenchBody, objectHulls, skewedPrimitives } from './bodies.ts';
import { pairAtGap } from './pairs.ts';

type Row = Record<string, string | number>;

const GAPS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];
const PAIRS = 150;

async function sets(random: Random): Promise<[string, readonly BenchBody[]][]> {
  return [
    ['primitives, 100:1', skewedPrimitives(random, 60)],
    ['hulls of 500', await objectHulls(random, 500, 12)],
  ];
}

const drawn = (random: Random, bodies: readonly BenchBody[]) =>
  Array.from({ length: PAIRS }, () => {
    const a = bodies[random.below(bodies.length)];
    const b = bodies[random.below(bodies.length)];
    return pairAtGap(random, a, b, random.between(-0.1, 0.5) * (a.shape.outerRadius + b.shape.outerRadius));
  });

/**
 * Measures the convergence of the growth distance [Thirugnanam26 Fig. 5]: iterations until the relative gap is below
 * each power of ten.
 */
export async function convergenceRows(random: Random): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [bodies, shapes] of await sets(random)) {
    const pairs = drawn(random, shapes);
    for (const relativeGap of GAPS) {
      const solver = new GrowthDistance({ relativeGap });
      const out = new Separation();
      const iterations = pairs.map(({ a, b, poses }) => {
        solver.solve(out, a.shape, poses[0], b.shape, new PairCache());
        return out.iterations;
      });
      const mean = iterations.reduce((sum, x) => sum + x, 0) / PAIRS;
      const median = quantile(iterations, 0.5);
      const p95 = quantile(iterations, 0.95);
      rows.push({
        bodies,
        'relative gap': relativeGap.toExponential(0),
        median,
        mean,
        p95,
        most: Math.max(...iterations),
      });
    }
  }
  return rows;
}

/**
 * Measures the primal infeasibility [Thirugnanam26 §IV-B]: ‖(c_A + σ p_A) − (c_B + σ p_B)‖ for the points p of the
 * unscaled shapes, metres, at the default gap.
 */
export async function infeasibilityRows(random: Random): Promise<Row[]> {
  const solver = new GrowthDistance();
  const out = new Separation();
  return (await sets(random)).map(([bodies, shapes]) => {
    const errors: number[] = [];
    let undecided = 0;
    for (let i = 0; i < 10; i++) {
      for (const { a, b, poses } of drawn(random, shapes)) {
        for (const T of poses) {
          solver.solve(out, a.shape, T, b.shape, new PairCache());
          if (out.status === 'undecided') undecided++;
          errors.push(infeasibility(solver, out.growth.upper));
        }
      }
    }
    return {
      bodies,
      queries: errors.length,
      'median m': quantile(errors, 0.5).toExponential(1),
      'largest m': Math.max(...errors).toExponential(1),
      undecided,
    };
  });
}

function infeasibility({ centerA, centerB, pointA, pointB }: GrowthDistance, scale: number): number {
  let squared = 0;
  for (let i = 0; i < 3; i++) squared += (centerA[i] + scale * pointA[i] - centerB[i] - scale * pointB[i]) ** 2;
  return Math.sqrt(squared);
}
