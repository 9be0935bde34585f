import type { Random } from '../../src/core/math/random.ts';
import { baselineDistanceSolvers } from '../../src/core/narrowphase/baselines.ts';
import type { IterativeDistance } from '../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GjkIteration } from '../../src/core/narrowphase/gjk/gjkIteration.ts';
import { type DistanceSolverDefinition, PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { cubes, ellipsoids } from './bodies.ts';
import { type BenchPair, pairAtGap } from './pairs.ts';
import { paperDistanceSolvers } from './solvers.ts';

type Row = Record<string, string | number>;

/**
 * Distances in metres, classes of [Montaut22 Tables IIa, IIb]; there too every distance is set by a translation along
 * the normal.
 */
const classes = { overlapping: [-0.1, 0], 'close-proximity': [0, 0.1], distant: [1, 1] } as const;
const PAIRS = 60;

/** The duality gap of the papers, 2⟨x, x − s⟩ in m² [Montaut24 eq. 16]. */
export const DUALITY_GAP = 1e-8;

/**
 * Measures the iterations to the duality gap: Frank-Wolfe, GJK and its accelerated variants, on ellipsoids and cubes.
 */
export function iterationRows(random: Random): Row[] {
  const ofFrankWolfe = Object.entries(baselineDistanceSolvers).filter(([name]) => name.startsWith('frank-wolfe'));
  const solvers = { ...Object.fromEntries(ofFrankWolfe), ...paperDistanceSolvers };
  const rows: Row[] = [];
  for (const [bodies, set] of [
    ['ellipsoids', ellipsoids(random, 40)],
    ['cubes', cubes(random, 40)],
  ] as const) {
    for (const [kind, [min, max]] of Object.entries(classes)) {
      const pairs = Array.from({ length: PAIRS }, () => {
        const a = set[random.below(set.length)];
        const b = set[random.below(set.length)];
        const room = Math.min(a.shape.innerRadius, b.shape.innerRadius);
        return pairAtGap(random, a, b, Math.max(random.between(min, max), -room));
      });
      const row: Row = { bodies, class: kind };
      for (const [name, { create }] of Object.entries(solvers)) row[name] = count(create, pairs);
      rows.push(row);
    }
  }
  return rows;
}

type Create = DistanceSolverDefinition['create'];

/** Returns the support points, mean ± deviation, and the mean of the updates of the simplex, if the solver has one. */
function count(create: Create, pairs: readonly BenchPair[]): string {
  const out = new Separation();
  const solver = create({ relativeGap: 0, dualityGap: DUALITY_GAP }) as IterativeDistance;
  const updates: number[] = [];
  const supports = pairs.map(({ a, b, poses }) => {
    solver.distance(out, a.shape, poses[0], b.shape, Number.POSITIVE_INFINITY, new PairCache());
    if (solver.iteration instanceof GjkIteration) updates.push(solver.iteration.updates);
    return out.iterations;
  });
  if (updates.length === 0) return meanAndDeviation(supports);
  return `${meanAndDeviation(supports)} / ${round(updates.reduce((sum, x) => sum + x, 0) / updates.length)}`;
}

function meanAndDeviation(values: readonly number[]): string {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  return `${round(mean)} ± ${round(Math.sqrt(variance))}`;
}

const round = (x: number) => (x < 10 ? x.toFixed(1) : x.toFixed(0));
