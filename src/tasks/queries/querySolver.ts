import { createPlanarTransform, type PlanarTransform, relativePlanar } from '../../core/math/planar.ts';
import { create, relative, type Transform } from '../../core/math/transform.ts';
import type { IterativeDistance } from '../../core/narrowphase/gjk/gjkDistance.ts';
import { initialGuesses } from '../../core/narrowphase/gjk/iteration.ts';
import { GrowthGradient } from '../../core/narrowphase/growth/gradientOfGrowth.ts';
import type { GrowthSensitivity } from '../../core/narrowphase/growth/growthSensitivity.ts';
import { PlanarCache, type PlanarChecker } from '../../core/narrowphase/planar/planarSolver.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  type DistanceSolverDefinition,
  PairCache,
  SEPARATED,
  Separation,
  type StoppingOptions,
  type Verdict,
} from '../../core/narrowphase/solver.ts';
import { observeSolver, type TraceObserver } from '../../core/narrowphase/trace.ts';
import type { PlanarPair, SpatialPair } from '../../formats/streams/shapePair.ts';

/**
 * Quantities of a pair. `collide` is the verdict only, decided at the first proof; `contacts` the contact patch along
 * the normal of distance or depth; `proximity` that of pills, the squared distance of their cores less the squared sum
 * of their radii.
 */
export type Quantity = 'collide' | 'distance' | 'proximity' | 'growth' | 'depth' | 'contacts' | 'gradient';
/** All quantities, in the order of help texts. */
export const quantities: readonly Quantity[] = [
  'collide',
  'distance',
  'proximity',
  'growth',
  'depth',
  'contacts',
  'gradient',
];
/** Quantities that are computed on request only. */
export const onRequest: readonly Quantity[] = ['contacts', 'gradient'];

/** Result of a solver in the frame of B. */
export class QueryResult extends Separation {
  /** Gradient of the growth distance, or of the proximity of pills; valid if `sensitivity` is set. */
  readonly gradient = new GrowthGradient();
  /** Derivatives of that quantity, of normal and witness points, if gradients are wanted and defined. */
  sensitivity: GrowthSensitivity | undefined = undefined;
  /** Proximity of pills, m²; NaN if the solver did not converge, undefined if it was not computed. */
  proximity: number | undefined = undefined;
}

/** Computes the quantities `wanted` of a pair into a cleared `out`. */
export type Solve<P> = (out: QueryResult, pair: P, wanted: readonly Quantity[], cache: QueryCache) => void;

/** Warm-start data of a track: one cache for each dimension. */
export class QueryCache {
  readonly spatial = new PairCache();
  readonly planar = new PlanarCache();

  /** Forgets the last query: the next one is a cold start. */
  clear(): void {
    this.spatial.clear();
    this.planar.hasAxis = false;
    this.planar.count = 0;
  }
}

/** What a solver of `query` is created with. */
export interface SolverSettings extends StoppingOptions {
  readonly relativeGap: number;
  /** Name of the initial guess, one of `guesses`. */
  readonly guess?: string;
  /** Receives the steps of its iterations; only if `isTraced`. */
  readonly observe?: TraceObserver;
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
  /** True for baselines of the cited papers: every result is proved, but it may be `undecided`, or slow. */
  readonly isBaseline?: boolean;
  /** True if the steps of its iterations can be traced. */
  readonly isTraced?: boolean;
  /** True if it accepts an absolute gap. */
  readonly hasAbsoluteGap?: boolean;
  /** True if it accepts a limit of its iterations. */
  readonly hasLimit?: boolean;
  /** Names of its initial guesses. */
  readonly guesses?: readonly string[];
  /**
   * Creates the solver of pairs of its dimension.
   * @internal
   */
  readonly create: (settings: SolverSettings) => Solve<SpatialPair> | Solve<PlanarPair>;
}

/** A solver for pairs of one dimension: `create` returns a function of such pairs. */
export type SolverOf<Dimension extends 2 | 3, P> = QuerySolver & {
  readonly dimension: Dimension;
  readonly create: (settings: SolverSettings) => Solve<P>;
};

/** Computes all quantities but the verdict of a pair, whose relative pose is `T_b_a`. */
export type Compute<P, T, C> = (out: QueryResult, pair: P, T_b_a: T, wanted: readonly Quantity[], cache: C) => void;

/** Creates a 3D query: the verdict is computed by the checker, all other quantities by `compute`. */
export function spatial(checker: Checker, compute: Compute<SpatialPair, Transform, PairCache>): Solve<SpatialPair> {
  const T_b_a = create();
  return (out, pair, wanted, { spatial: cache }) => {
    relative(T_b_a, pair.T_world_b, pair.T_world_a);
    if (needsMore(wanted)) return compute(out, pair, T_b_a, wanted, cache);
    checker.iterations = 0;
    storeVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

/** Creates a 2D query, likewise. */
export function planar(
  checker: PlanarChecker,
  compute: Compute<PlanarPair, PlanarTransform, PlanarCache>,
): Solve<PlanarPair> {
  const T_b_a = createPlanarTransform();
  return (out, pair, wanted, { planar: cache }) => {
    relativePlanar(T_b_a, pair.T_world_b, pair.T_world_a);
    if (needsMore(wanted)) return compute(out, pair, T_b_a, wanted, cache);
    checker.iterations = 0;
    storeVerdict(out, checker.check(pair.a, T_b_a, pair.b, 0, cache), cache.axis);
    out.iterations = checker.iterations;
  };
}

/** Returns what all solvers have that compute minimum distances by an iteration of the GJK family. */
export function iterativeDistance(
  create: DistanceSolverDefinition['create'],
  checker: CheckerDefinition,
): Pick<SolverOf<3, SpatialPair>, 'isTraced' | 'hasAbsoluteGap' | 'hasLimit' | 'guesses' | 'create'> {
  return {
    isTraced: true,
    hasAbsoluteGap: true,
    hasLimit: true,
    guesses: Object.keys(initialGuesses),
    create: ({ guess, observe, ...stopping }) => {
      const solver = create(stopping);
      if (guess !== undefined) (solver as IterativeDistance).guess = initialGuesses[guess];
      if (observe) observeSolver(solver, observe);
      return spatial(checker.create(), (out, { a, b }, T_b_a, _wanted, cache) =>
        solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache),
      );
    },
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
