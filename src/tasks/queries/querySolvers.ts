import type { PlanarPair, SpatialPair } from '../../formats/streams/pairs.ts';
import { createPlanarTransform, type PlanarTransform, relativePlanar } from '../../math/planar.ts';
import { create, relative, type Transform } from '../../math/transform.ts';
import { Epa } from '../../narrowphase/depth/epa.ts';
import { GrowthDistance } from '../../narrowphase/growth/growthDistance.ts';
import { GrowthGradient, GrowthGradientSolver } from '../../narrowphase/growth/growthGradient.ts';
import { type CheckerName, checkers, type DistanceSolverName, distanceSolvers } from '../../narrowphase/index.ts';
import { Gjk2d } from '../../narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../../narrowphase/planar/growthDistance2d.ts';
import { PlanarCache, type PlanarChecker } from '../../narrowphase/planar/planarSolver.ts';
import { COLLIDING, PairCache, SEPARATED, Separation, type Verdict } from '../../narrowphase/solver.ts';

/**
 * Default relative gaps. For growth distances, which are ratios, the square root of machine epsilon [Thirugnanam26];
 * for distances and depths smaller values, since one or two more iterations give an accuracy of a micrometre at 1 km.
 */
const GROWTH_GAP = 1.5e-8;
const DISTANCE_GAP = 1e-9;
const DEPTH_GAP = 1e-10;

/** Quantities of a pair. `collide` is the verdict only, decided at the first proof. */
export type Quantity = 'collide' | 'distance' | 'growth' | 'depth' | 'gradient';
/** All quantities, in the order of help texts. */
export const quantities: readonly Quantity[] = ['collide', 'distance', 'growth', 'depth', 'gradient'];

/** Result of a solver in the frame of B. */
export class QueryResult extends Separation {
  /** Gradient of the growth distance; valid if `hasGradient`. */
  readonly gradient = new GrowthGradient();
  hasGradient = false;
}

/** Computes the quantities `wanted` of a pair into a cleared `out`. */
export type Solve<P> = (out: QueryResult, pair: P, wanted: readonly Quantity[], cache: QueryCache) => void;

/** Warm-start data of a track: one cache for each dimension. */
export class QueryCache {
  readonly spatial = new PairCache();
  readonly planar = new PlanarCache();
}

/** Entry of the table of solvers of `query`. */
export interface QuerySolver {
  /** One line of help. */
  readonly summary: string;
  /** 3: pairs in space; 2: planar pairs. */
  readonly dimension: 2 | 3;
  /** Quantities that it computes, in the order of `quantities`. */
  readonly computes: readonly Quantity[];
  /** Default relative gap at which it stops. */
  readonly gap: number;
  /**
   * Creates the solver of pairs of its dimension.
   * @param relativeGap relative gap between the bounds of its quantity at which it may stop
   * @internal
   */
  readonly create: (relativeGap: number) => Solve<SpatialPair> | Solve<PlanarPair>;
}

/** A solver for pairs of one dimension: `create` returns a function of such pairs. */
type SolverOf<Dimension extends 2 | 3, P> = QuerySolver & {
  readonly dimension: Dimension;
  readonly create: (relativeGap: number) => Solve<P>;
};

/** Name of a solver of `query`: a key of `querySolvers`. */
export type QuerySolverName = DistanceSolverName | 'growth-distance' | 'epa' | 'growth-distance-2d' | 'gjk-2d';

/** Solvers by the name that `query --solver` takes; the first of each dimension is the default. */
export const querySolvers: Readonly<Record<QuerySolverName, QuerySolver>> = {
  'growth-distance': {
    summary: 'growth distance by ray intersection',
    dimension: 3,
    computes: ['collide', 'growth', 'gradient'],
    gap: GROWTH_GAP,
    create: (relativeGap) => {
      const solver = new GrowthDistance({ relativeGap });
      const gradients = new GrowthGradientSolver();
      return spatial('growth-distance', (out, { a, b }, T_b_a, wanted, cache) => {
        if (wanted.includes('gradient')) out.hasGradient = gradients.solve(out.gradient, out, a, T_b_a, b);
        else solver.solve(out, a, T_b_a, b, cache);
      });
    },
  },
  ...distanceQuerySolvers(),
  epa: {
    summary: 'penetration depth by the expanding polytope algorithm',
    dimension: 3,
    computes: ['collide', 'depth'],
    gap: DEPTH_GAP,
    create: (relativeGap) => {
      const solver = new Epa({ relativeGap });
      return spatial('gjk', (out, { a, b }, T_b_a) => solver.depth(out, a, T_b_a, b));
    },
  },
  'growth-distance-2d': {
    summary: 'growth distance in the plane, by ray intersection',
    dimension: 2,
    computes: ['collide', 'growth'],
    gap: GROWTH_GAP,
    create: (relativeGap) => {
      const solver = new GrowthDistance2d({ relativeGap });
      return planar(solver, (out, { a, b }, T_b_a, _wanted, cache) => solver.growth(out, a, T_b_a, b, cache));
    },
  },
  'gjk-2d': {
    summary: 'barycode GJK in the plane; depth by traversal of the boundary of the Minkowski difference',
    dimension: 2,
    computes: ['collide', 'distance', 'depth'],
    gap: DISTANCE_GAP,
    create: (relativeGap) => {
      const solver = new Gjk2d({ relativeGap });
      return planar(solver, (out, { a, b }, T_b_a, wanted, cache) =>
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, wanted.includes('depth'), cache),
      );
    },
  },
} satisfies Readonly<Record<QuerySolverName, SolverOf<3, SpatialPair> | SolverOf<2, PlanarPair>>>;

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
    create: (relativeGap) => {
      const solver = create({ relativeGap });
      return spatial(name, (out, { a, b }, T_b_a, _wanted, cache) =>
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache),
      );
    },
  };
}

/** Computes all quantities but the verdict of a pair, whose relative pose is `T_b_a`. */
type Compute<P, T, C> = (out: QueryResult, pair: P, T_b_a: T, wanted: readonly Quantity[], cache: C) => void;

/** Creates a 3D query: the verdict is computed by the checker of that name, all other quantities by `compute`. */
function spatial(checkerName: CheckerName, compute: Compute<SpatialPair, Transform, PairCache>): Solve<SpatialPair> {
  const T_b_a = create();
  const checker = checkers[checkerName].create();
  return (out, pair, wanted, { spatial: cache }) => {
    relative(T_b_a, pair.T_world_b, pair.T_world_a);
    if (needsMore(wanted)) return compute(out, pair, T_b_a, wanted, cache);
    checker.iterations = 0;
    storeVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

/** Creates a 2D query, likewise. */
function planar(checker: PlanarChecker, compute: Compute<PlanarPair, PlanarTransform, PlanarCache>): Solve<PlanarPair> {
  const T_b_a = createPlanarTransform();
  return (out, pair, wanted, { planar: cache }) => {
    relativePlanar(T_b_a, pair.T_world_b, pair.T_world_a);
    if (needsMore(wanted)) return compute(out, pair, T_b_a, wanted, cache);
    checker.iterations = 0;
    storeVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

const needsMore = (wanted: readonly Quantity[]) => wanted.some((quantity) => quantity !== 'collide');

/** Stores the verdict of a checker, with the separating direction if the pair is separated. */
function storeVerdict(out: Separation, verdict: Verdict, axis: Float64Array): void {
  if (verdict === COLLIDING) out.status = 'colliding';
  if (verdict !== SEPARATED) return;
  out.status = 'separated';
  out.hasNormal = true;
  out.normal.set(axis);
}
