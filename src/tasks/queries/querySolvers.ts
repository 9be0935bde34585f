import type { PlanarPair, SpatialPair } from '../../formats/streams/pairs.ts';
import { createPlanarTransform, type PlanarTransform, relativePlanar } from '../../math/planar.ts';
import { create, relative, type Transform } from '../../math/transform.ts';
import { Epa } from '../../narrowphase/depth/epa.ts';
import { GrowthDistance } from '../../narrowphase/growth/growthDistance.ts';
import { GrowthGradient, GrowthGradientSolver } from '../../narrowphase/growth/growthGradient.ts';
import { checkers, distanceSolvers } from '../../narrowphase/index.ts';
import { Gjk2d } from '../../narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../../narrowphase/planar/growthDistance2d.ts';
import { PlanarCache, type PlanarChecker } from '../../narrowphase/planar/planarSolver.ts';
import { COLLIDING, PairCache, SEPARATED, Separation, type Verdict } from '../../narrowphase/solver.ts';

/**
 * Gaps by default. Growth distances are ratios, and the root of machine epsilon is theirs by [Thirugnanam26]; distances and depths are
 * metres that people subtract, and a look or two more buys them a micrometre at 1 km.
 */
const GROWTH_GAP = 1.5e-8;
const DISTANCE_GAP = 1e-9;
const DEPTH_GAP = 1e-10;

/** What can be asked about a pair. `collide` is the verdict alone, at the first proof. */
export type Quantity = 'collide' | 'distance' | 'growth' | 'depth' | 'gradient';
export const quantities: readonly Quantity[] = ['collide', 'distance', 'growth', 'depth', 'gradient'];

/** What a solver finds about a pair, in the frame of B. */
export class Findings extends Separation {
  /** Of the growth distance; meaningful if `hasGradient`. */
  readonly gradient = new GrowthGradient();
  hasGradient = false;
}

/** Fills a blank `out` with the quantities asked for. */
export type Solve<P> = (out: Findings, pair: P, asked: readonly Quantity[], cache: QueryCache) => void;

/** What is kept of a track between its pairs: each solver has its own part of it. */
export class QueryCache {
  readonly spatial = new PairCache();
  readonly planar = new PlanarCache();
}

interface SolverOf<Dimension extends 2 | 3, P> {
  readonly summary: string;
  readonly dimension: Dimension;
  /** In the order of `quantities`. */
  readonly knows: readonly Quantity[];
  /** The relative gap that it stops at unless told otherwise. */
  readonly gap: number;
  /** @param relativeGap between the bounds of the solver's own quantity, at which it may stop */
  readonly create: (relativeGap: number) => Solve<P>;
}

export type QuerySolver = SolverOf<3, SpatialPair> | SolverOf<2, PlanarPair>;

/** What `query --solver` offers, for each dimension the one taken by default first. */
export const querySolvers: Readonly<Record<string, QuerySolver>> = {
  'growth-distance': {
    summary: 'growth distance by ray intersection',
    dimension: 3,
    knows: ['collide', 'growth', 'gradient'],
    gap: GROWTH_GAP,
    create: (relativeGap) => {
      const solver = new GrowthDistance({ relativeGap });
      const gradients = new GrowthGradientSolver();
      return spatial('growth-distance', (out, { a, b }, T_b_a, asked, cache) => {
        if (asked.includes('gradient')) out.hasGradient = gradients.solve(out.gradient, out, a, T_b_a, b);
        else solver.solve(out, a, T_b_a, b, cache);
      });
    },
  },
  ...walks(),
  epa: {
    summary: 'penetration depth by the expanding polytope algorithm',
    dimension: 3,
    knows: ['collide', 'depth'],
    gap: DEPTH_GAP,
    create: (relativeGap) => {
      const solver = new Epa({ relativeGap });
      return spatial('gjk', (out, { a, b }, T_b_a) => solver.depth(out, a, T_b_a, b));
    },
  },
  'growth-distance-2d': {
    summary: 'growth distance in the plane, by ray intersection',
    dimension: 2,
    knows: ['collide', 'growth'],
    gap: GROWTH_GAP,
    create: (relativeGap) => {
      const solver = new GrowthDistance2d({ relativeGap });
      return planar(solver, (out, { a, b }, T_b_a, _asked, cache) => solver.growth(out, a, T_b_a, b, cache));
    },
  },
  'gjk-2d': {
    summary: 'barycode GJK in the plane; depth by a walk round the Minkowski difference',
    dimension: 2,
    knows: ['collide', 'distance', 'depth'],
    gap: DISTANCE_GAP,
    create: (relativeGap) => {
      const solver = new Gjk2d({ relativeGap });
      return planar(solver, (out, { a, b }, T_b_a, asked, cache) =>
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, asked.includes('depth'), cache),
      );
    },
  },
};

/** GJK and its accelerated kin. */
function walks(): Record<string, QuerySolver> {
  return Object.fromEntries(
    Object.entries(distanceSolvers).map(([name, { summary, create }]) => [
      name,
      {
        summary,
        dimension: 3,
        knows: ['collide', 'distance'],
        gap: DISTANCE_GAP,
        create: (relativeGap) => {
          const solver = create({ relativeGap });
          return spatial(name, (out, { a, b }, T_b_a, _asked, cache) =>
            solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache),
          );
        },
      } satisfies QuerySolver,
    ]),
  );
}

/** Answers the verdict by the checker of that name, everything else by `answer`. */
function spatial(
  checkerName: string,
  answer: (out: Findings, pair: SpatialPair, T_b_a: Transform, asked: readonly Quantity[], cache: PairCache) => void,
): Solve<SpatialPair> {
  const T_b_a = create();
  const checker = checkers[checkerName].create();
  return (out, pair, asked, { spatial: cache }) => {
    relative(T_b_a, pair.T_world_b, pair.T_world_a);
    if (asksMore(asked)) {
      answer(out, pair, T_b_a, asked, cache);
      return;
    }
    checker.iterations = 0;
    answerVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

function planar(
  checker: PlanarChecker,
  answer: (
    out: Findings,
    pair: PlanarPair,
    T_b_a: PlanarTransform,
    asked: readonly Quantity[],
    cache: PlanarCache,
  ) => void,
): Solve<PlanarPair> {
  const T_b_a = createPlanarTransform();
  return (out, pair, asked, { planar: cache }) => {
    relativePlanar(T_b_a, pair.T_world_b, pair.T_world_a);
    if (asksMore(asked)) {
      answer(out, pair, T_b_a, asked, cache);
      return;
    }
    checker.iterations = 0;
    answerVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

const asksMore = (asked: readonly Quantity[]) => asked.some((quantity) => quantity !== 'collide');

/** Of a checker only the verdict is known, and the direction that parts the two if one does. */
function answerVerdict(out: Separation, verdict: Verdict, axis: Float64Array): void {
  if (verdict === COLLIDING) out.status = 'colliding';
  if (verdict !== SEPARATED) return;
  out.status = 'separated';
  out.hasNormal = true;
  out.normal.set(axis);
}
