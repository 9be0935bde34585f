import type { PlanarTransform } from '../../src/core/math/planar.ts';
import type { Random } from '../../src/core/math/random.ts';
import { baselineGrowthSolvers } from '../../src/core/narrowphase/baselines.ts';
import { growthSolvers } from '../../src/core/narrowphase/index.ts';
import { GrowthDistance2d } from '../../src/core/narrowphase/planar/growthDistance2d.ts';
import { PlanarCache } from '../../src/core/narrowphase/planar/planarSolver.ts';
import { type GrowthSolver, PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { createPlanarShape } from '../../src/core/shapes/planar/index.ts';
import { quantile } from '../measure.ts';
import { type BenchBody, objectHulls, randomPolygon, skewedPrimitives } from './bodies.ts';
import { growthPairs } from './pairs.ts';

type Row = Record<string, string | number>;

const PAIRS = 200;

/**
 * Counts support points of the Minkowski difference per growth distance at the default gap [Thirugnanam26 Table III]:
 * ours cold and warm, along poses that differ by 1 %, the algorithm as printed, and internal expanding.
 */
export async function growthIterationRows(random: Random): Promise<Row[]> {
  const sets: [string, readonly BenchBody[]][] = [['primitives, 100:1', skewedPrimitives(random, 60)]];
  for (const vertices of [20, 100, 500]) sets.push([`hulls of ${vertices}`, await objectHulls(random, vertices, 12)]);
  return sets.map(([bodies, shapes]) => {
    const pairs = growthPairs(random, shapes, PAIRS);
    const counts = (solver: GrowthSolver, isWarm: boolean) => {
      const out = new Separation();
      const iterations: number[] = [];
      for (const { a, b, poses } of pairs) {
        const cache = new PairCache();
        for (const [i, T] of poses.entries()) {
          solver.solve(out, a.shape, T, b.shape, isWarm ? cache : new PairCache());
          if (i > 0) iterations.push(out.iterations);
        }
      }
      return iterations;
    };
    const ours = counts(growthSolvers['growth-distance'].create(), false);
    const warm = counts(growthSolvers['growth-distance'].create(), true);
    const printed = counts(baselineGrowthSolvers['growth-distance-plain'].create(), false);
    const expanding = counts(baselineGrowthSolvers['internal-expanding'].create(), false);
    const rows = { ours, warm, 'as printed': printed, 'internal expanding': expanding };
    return Object.assign({ bodies }, ...Object.entries(rows).map(([name, values]) => columns(name, values)));
  });
}

/** Counts iterations of planar growth distances of polygons [Thirugnanam26 §IV-B], and of ellipses of up to 100:1. */
export function planarIterationRows(random: Random): Row[] {
  const ellipse = () => ({ type: 'ellipse', radii: [0.5, 0.5 * 10 ** random.between(-2, 0)] });
  return [4, 8, 16, 24, 'ellipses'].map((vertices) => {
    const solver = new GrowthDistance2d();
    const out = new Separation();
    const iterations: number[] = [];
    for (let i = 0; i < 1000; i++) {
      const [a, b] = [0, 1].map(() =>
        createPlanarShape(
          typeof vertices === 'string' ? ellipse() : { type: 'polygon', points: randomPolygon(random, vertices) },
        ),
      );
      solver.growth(out, a, randomPlanarPose(random), b, new PlanarCache());
      iterations.push(out.iterations);
    }
    return { vertices, ...columns('growth', iterations) };
  });
}

/** Returns a random rotation and a translation of 0.3 to 1.5 m. */
function randomPlanarPose(random: Random): PlanarTransform {
  const unit = () => {
    for (;;) {
      const [x, y] = [random.between(-1, 1), random.between(-1, 1)];
      const length = Math.sqrt(x * x + y * y);
      if (length > 0.05 && length <= 1) return [x / length, y / length];
    }
  };
  const [cos, sin] = unit();
  const [x, y] = unit().map((value) => value * random.between(0.3, 1.5));
  return Float64Array.of(cos, sin, x, y);
}

function columns(name: string, values: readonly number[]): Row {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return { [`${name} mean`]: mean, [`${name} p95`]: quantile(values, 0.95) };
}
