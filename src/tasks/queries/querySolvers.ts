import { Epa } from '../../core/narrowphase/depth/epa.ts';
import { GrowthDistance } from '../../core/narrowphase/growth/growthDistance.ts';
import { GrowthGradientSolver } from '../../core/narrowphase/growth/growthGradient.ts';
import { checkers, type DistanceSolverName, distanceSolvers } from '../../core/narrowphase/index.ts';
import { Gjk2d } from '../../core/narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../../core/narrowphase/planar/growthDistance2d.ts';
import { GrowthGradient2d } from '../../core/narrowphase/planar/growthGradient2d.ts';
import { observePlanarSolver, observeSolver } from '../../core/narrowphase/trace.ts';
import type { PlanarPair, SpatialPair } from '../../formats/streams/shapePair.ts';
import { type BaselineSolverName, baselineQuerySolvers } from './baselineQuerySolvers.ts';
import { iterativeDistance, planar, type QuerySolver, type SolverOf, spatial } from './querySolver.ts';

/**
 * Default relative gaps. For growth distances, which are ratios, the square root of machine epsilon [Thirugnanam26];
 * for distances and depths smaller values, since one or two more iterations give an accuracy of a micrometre at 1 km.
 */
const GROWTH_GAP = 1.5e-8;
const DISTANCE_GAP = 1e-9;
const DEPTH_GAP = 1e-10;

/** Name of a solver of `query`: a key of `querySolvers`. */
export type QuerySolverName =
  | DistanceSolverName
  | 'growth-distance'
  | 'epa'
  | 'growth-distance-2d'
  | 'gjk-2d'
  | BaselineSolverName;

/** Solvers by the name that `query --solver` takes; the first of each dimension is the default. */
export const querySolvers: Readonly<Record<QuerySolverName, QuerySolver>> = {
  'growth-distance': {
    summary: 'growth distance by ray intersection',
    dimension: 3,
    computes: ['collide', 'growth', 'gradient'],
    gap: GROWTH_GAP,
    create: ({ relativeGap }) => {
      const solver = new GrowthDistance({ relativeGap });
      const gradients = new GrowthGradientSolver();
      return spatial(checkers['growth-distance'].create(), (out, { a, b }, T_b_a, wanted, cache) => {
        if (wanted.includes('gradient')) out.sensitivity = gradients.sensitivity(out.gradient, out, a, T_b_a, b);
        else solver.solve(out, a, T_b_a, b, cache);
      });
    },
  },
  ...distanceQuerySolvers(),
  epa: {
    summary: 'penetration depth by the expanding polytope algorithm',
    dimension: 3,
    computes: ['collide', 'depth', 'contacts'],
    gap: DEPTH_GAP,
    isTraced: true,
    hasAbsoluteGap: true,
    hasLimit: true,
    create: ({ relativeGap, absoluteGap = 0, maxIterations, observe }) => {
      const limit = maxIterations !== undefined && { maxExpansions: maxIterations, maxDescent: 0 };
      const solver = new Epa({ relativeGap, absoluteGap, ...limit });
      if (observe) observeSolver(solver, observe);
      return spatial(checkers.gjk.create(), (out, { a, b }, T_b_a) => solver.depth(out, a, T_b_a, b));
    },
  },
  'growth-distance-2d': {
    summary: 'growth distance in the plane, by ray intersection',
    dimension: 2,
    computes: ['collide', 'growth', 'gradient'],
    gap: GROWTH_GAP,
    isTraced: true,
    create: ({ relativeGap, observe }) => {
      const solver = new GrowthDistance2d({ relativeGap });
      if (observe) observePlanarSolver(solver, observe);
      const gradients = new GrowthGradient2d();
      return planar(solver, (out, { a, b }, T_b_a, wanted, cache) => {
        if (wanted.includes('gradient')) out.sensitivity = gradients.sensitivity(out.gradient, out, a, T_b_a, b);
        else solver.growth(out, a, T_b_a, b, cache);
      });
    },
  },
  'gjk-2d': {
    summary: 'barycode GJK in the plane; depth by traversal of the boundary of the Minkowski difference',
    dimension: 2,
    computes: ['collide', 'distance', 'depth'],
    gap: DISTANCE_GAP,
    isTraced: true,
    create: ({ relativeGap, observe }) => {
      const solver = new Gjk2d({ relativeGap });
      if (observe) observePlanarSolver(solver, observe);
      return planar(solver, (out, { a, b }, T_b_a, wanted, cache) =>
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, wanted.includes('depth'), cache),
      );
    },
  },
  ...baselineQuerySolvers,
} satisfies Readonly<Record<QuerySolverName, SolverOf<3, SpatialPair> | SolverOf<2, PlanarPair>>>;

/** Returns the names of the solvers that satisfy a condition. */
export const solversWith = (condition: (solver: QuerySolver) => unknown): QuerySolverName[] =>
  (Object.keys(querySolvers) as QuerySolverName[]).filter((name) => condition(querySolvers[name]));

/** Returns GJK and its accelerated variants. */
function distanceQuerySolvers(): Record<DistanceSolverName, SolverOf<3, SpatialPair>> {
  const names = Object.keys(distanceSolvers) as DistanceSolverName[];
  const entries = names.map((name) => [name, distanceQuerySolver(name)] as const);
  return Object.fromEntries(entries) as Record<DistanceSolverName, SolverOf<3, SpatialPair>>;
}

/** Returns the solver of distances of that name as a solver of `query`. */
function distanceQuerySolver(name: DistanceSolverName): SolverOf<3, SpatialPair> {
  const { summary, create } = distanceSolvers[name];
  return {
    summary,
    dimension: 3,
    computes: ['collide', 'distance'],
    gap: DISTANCE_GAP,
    ...iterativeDistance(create, checkers[name]),
    // The closed forms and Newton steps of `gjk` are no iteration of the papers.
    ...(name === 'gjk' && { isTraced: false, hasLimit: false, guesses: [] }),
  };
}
