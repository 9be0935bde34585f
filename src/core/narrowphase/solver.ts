import type { Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/**
 * Status of a pair. `separated` and `colliding` are proved; `touching`: the bounds straddle contact within the
 * requested gap; `undecided`: the solver stopped before it could decide. A Boolean check counts `touching` as a
 * collision.
 */
export type SeparationStatus = 'separated' | 'touching' | 'colliding' | 'undecided';

/** Bounds of a value: it lies in [lower, upper]. */
export class Bounds {
  /** Lower bound. */
  lower = 0;
  /** Upper bound; Infinity if none is known. */
  upper = Number.POSITIVE_INFINITY;
}

/**
 * Result of a query of one pair. Written by a solver, owned and reused by the caller; all vectors are in the frame of
 * B.
 */
export class Separation {
  /** Status of the pair. */
  status: SeparationStatus = 'undecided';
  /** Minimum distance in metres; 0 in collision. */
  readonly distance = new Bounds();
  /**
   * Growth distance: the smallest scale, about both centres, at which the shapes touch; > 1 separated, ≤ 1 in
   * collision.
   */
  readonly growth = new Bounds();
  /** Penetration depth: the length of the shortest separating translation, metres; 0 if separated. */
  readonly depth = new Bounds();
  /**
   * Unit vector from A to B that proves the lower bound of the quantity that the solver computes. Valid if `hasNormal`.
   */
  readonly normal: Vec3 = create();
  /** Whether the query computed `normal`. */
  hasNormal = false;
  /**
   * Witness point on A: the closest point if separated, a common point in collision; as accurate as the bounds. Valid
   * if `hasWitnesses`.
   */
  readonly witnessA: Vec3 = create();
  /** Witness point on B, likewise. */
  readonly witnessB: Vec3 = create();
  /** Whether the query computed the witness points. */
  hasWitnesses = false;
  /** Number of iterations of the query. */
  iterations = 0;
}

/**
 * Warm start data of one pair, from its last query. It only orders the work: every result is proved from the current
 * poses, so data of another state, or of another pair, costs time and never changes a decision.
 */
export class PairCache {
  /** Separating axis: unit vector from A to B in the frame of B. Valid if `hasAxis`. */
  readonly axis: Vec3 = create();
  /** Whether `axis` is valid. */
  hasAxis = false;
  /**
   * Support of B against an axis that is fixed in the frame of B, so that no motion changes it: the axis n (3 numbers)
   * and min n·y over the core of B. Valid for shape `planeShapeB` and for exactly this axis.
   */
  readonly planeSupportB = new Float64Array(4);
  /** Shape B for which `planeSupportB` is valid; undefined: none. */
  planeShapeB: ConvexShape | undefined = undefined;
  /** Hint for the support function of A; negative if unknown. */
  hintA = -1;
  /** Hint for the support function of B; negative if unknown. */
  hintB = -1;
  /** Set by SEPARATED: gap along `axis` in metres at the poses of that query, a lower bound of the distance. */
  gap = 0;
  /** Set by SEPARATED of the GJK family: the witness point on A in the frame of A. */
  readonly witnessA: Vec3 = create();
  /** Witness point on B in the frame of B. */
  readonly witnessB: Vec3 = create();
  /** Whether the witness points are valid. */
  hasWitnesses = false;
  /**
   * Inner simplex (portal) of the last growth distance, or of the last COLLIDING: three points of A relative to its
   * centre, in the frame of A, then three of B relative to its centre, in the frame of B. Valid for shapes
   * `simplexShapeA` and `simplexShapeB` only.
   */
  readonly simplexPoints = new Float64Array(18);
  /** Shape A for which `simplexPoints` is valid; undefined: none. */
  simplexShapeA: ConvexShape | undefined = undefined;
  /** Shape B for which `simplexPoints` is valid; undefined: none. */
  simplexShapeB: ConvexShape | undefined = undefined;
  /** Whether simplex and `axis` are those of a converged growth distance, whether separated or in collision. */
  isSimplexOptimal = false;
  /** Whether COLLIDING stores its simplex: costs 40 ns, and pays if the pair is checked again at nearby poses. */
  storesSimplex = true;

  /** Forgets the last query: the next one is a cold start, whose result depends on the poses alone. */
  clear(): void {
    this.hasAxis = false;
    this.hasWitnesses = false;
    this.hintA = -1;
    this.hintB = -1;
    this.simplexShapeA = undefined;
    this.simplexShapeB = undefined;
    this.planeShapeB = undefined;
  }
}

/**
 * Verdict: the pair is proved to be farther apart than the minimum distance. Verdicts are numbers, for loops that run a
 * million times per second.
 */
export const SEPARATED = 0;
/** Verdict: the pair is proved to be in collision, or at most the minimum distance apart. */
export const COLLIDING = 1;
/** Verdict: neither separation nor collision is proved. */
export const UNDECIDED = 2;
/** Verdict of a Boolean check: `SEPARATED`, `COLLIDING` or `UNDECIDED`. */
export type Verdict = typeof SEPARATED | typeof COLLIDING | typeof UNDECIDED;

/**
 * Boolean collision check of a pair, with a minimum distance. The verdict depends on the poses alone, not on the cache:
 * a cached plane proves separation only of pairs that are farther apart than contact by `contactUncertainty`, for which
 * a cold start finds a plane, too; all other verdicts are those of a cold start.
 */
export interface Checker {
  /**
   * Checks whether A and B are farther apart than `minDistance` metres; 0: whether they are disjoint. `T_b_a` is the
   * pose of A in the frame of B. SEPARATED: proved; the cache holds a unit separating axis and the gap along it.
   * COLLIDING: the distance is proved to be at most `minDistance` (0: a common point is proved). UNDECIDED: neither, at
   * the iteration limit or within rounding.
   */
  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict;
  /** Iterations since the last reset by the caller: a deterministic measure of work. */
  iterations: number;
}

/**
 * Computes the minimum distance with normal and witness points; may stop once the lower bound reaches `stopAt` metres.
 */
export interface DistanceSolver {
  /**
   * Computes the distance of A and B into `out`. `T_b_a`: pose of A in the frame of B; `cache`: warm start of the pair.
   */
  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number, cache: PairCache): void;
}

/** Computes the growth distance with normal and witness points; the bounds stay [0, ∞] if it is not defined. */
export interface GrowthSolver {
  /**
   * Computes the growth distance of A and B into `out`. `T_b_a`: pose of A in the frame of B; `cache`: warm start of
   * the pair.
   */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void;
}

/** Computes the penetration depth: bounds on the length of the shortest separating translation, and its direction. */
export interface DepthSolver {
  /** Computes the penetration depth of A and B into `out`. `T_b_a`: pose of A in the frame of B. */
  depth(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void;
}

/** Entry of the table of checkers, the values of `--checker`. */
export interface CheckerDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Key of the paper in docs/references.md. */
  readonly source: string;
  /** Creates a checker with its own scratch memory. */
  readonly create: () => Checker;
}

/** When a solver may stop: any condition suffices. Closed forms have no iterations; limits do not concern them. */
export interface StoppingOptions {
  /** Difference of the bounds, relative to the upper bound. */
  readonly relativeGap?: number;
  /** Difference of the bounds: metres, or a growth distance; of the solvers that `query` accepts it for. */
  readonly absoluteGap?: number;
  /** Maximum number of iterations, of the solvers that `query` accepts it for. The bounds hold after any number. */
  readonly maxIterations?: number;
}

/** Entry of the table of distance solvers. */
export interface DistanceSolverDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Key of the paper in docs/references.md. */
  readonly source: string;
  /** `dualityGap`: the absolute criterion of [Montaut24 eq. 16], m², of the iterations that have one. */
  readonly create: (options?: StoppingOptions & { readonly dualityGap?: number }) => DistanceSolver;
}

/** Entry of the table of growth distance solvers. */
export interface GrowthSolverDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Key of the paper in docs/references.md. */
  readonly source: string;
  /** Creates a solver with its own scratch memory. */
  readonly create: (options?: StoppingOptions) => GrowthSolver;
}
