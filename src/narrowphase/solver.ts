import type { Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/**
 * What is known of a pair: `separated` and `colliding` are proved, `touching` means that the bounds straddle contact within the gap
 * asked for, `undecided` that the solver stopped before it knew. Touching bodies count as colliding wherever a yes or no is needed.
 */
export type SeparationStatus = 'separated' | 'touching' | 'colliding' | 'undecided';

/** A value known to lie in [lower, upper]. */
export class Bounds {
  lower = 0;
  upper = Number.POSITIVE_INFINITY;
}

/** The answer about one pair of bodies. Filled by a solver, reused by the caller; every vector is in the frame of B. */
export class Separation {
  status: SeparationStatus = 'undecided';
  /** Least distance in metres; 0 when they meet. */
  readonly distance = new Bounds();
  /** Least scale about both centres at which they meet; > 1 apart, <= 1 colliding. */
  readonly growth = new Bounds();
  /** Least translation in metres that parts them; 0 when they are apart. */
  readonly depth = new Bounds();
  /** Unit vector from A to B that proves the lower bound of the solver's own quantity; see `hasNormal`. */
  readonly normal: Vec3 = create();
  hasNormal = false;
  /** Points of A and B: nearest to each other when apart, in common when colliding (as far as the solver knows them). */
  readonly witnessA: Vec3 = create();
  readonly witnessB: Vec3 = create();
  hasWitnesses = false;
  iterations = 0;
}

/**
 * What is remembered of a pair from its last query. It only orders the work: every answer is proved again from the poses at hand, so
 * a cache from another state, or of another pair, costs time and nothing else.
 */
export class PairCache {
  /** Unit direction from A to B in the frame of B that parted the two last; meaningful if `hasAxis`. */
  readonly axis: Vec3 = create();
  hasAxis = false;
  /**
   * How far B reaches against an axis of its own frame, x, y, z first: then the least n·y over its core y, and |x| + |y| + |z| of that point. No motion
   * changes it. Valid for the very body beside it and the very axis in front of it.
   */
  readonly planeSupportB = new Float64Array(5);
  planeShapeB: ConvexShape | undefined = undefined;
  /** Hints for the support functions of A and B; below 0 where nothing is known. */
  hintA = -1;
  hintB = -1;
  /** After a `separated` answer: gap along `axis` in metres, at the poses of that answer. A lower bound of the distance. */
  gap = 0;
  /** After a `separated` answer of the GJK family: the nearest points, each in its own body's frame. */
  readonly witnessA: Vec3 = create();
  readonly witnessB: Vec3 = create();
  hasNearest = false;
  /**
   * The inner simplex of the last growth distance, in full or left at `colliding`: three points of A about its centre, in A's frame, then
   * three of B about its centre, in B's. Valid for the very bodies named beside it and no others.
   */
  readonly simplexPoints = new Float64Array(18);
  cornersOfA: ConvexShape | undefined = undefined;
  cornersOfB: ConvexShape | undefined = undefined;
  /** Whether they are of a growth distance in full, as is `axis` then, be the two apart or not. */
  isSimplexOptimal = false;
  /** Whether a `colliding` of the Boolean question leaves its corners, too: 40 ns that pay where the bodies are asked about again nearby. */
  keepsCorners = true;
}

/** Yes-or-no answers as numbers, for loops that run a million times a second. */
export const SEPARATED = 0;
export const COLLIDING = 1;
export const UNDECIDED = 2;
export type Verdict = typeof SEPARATED | typeof COLLIDING | typeof UNDECIDED;

/**
 * The Boolean question, as the collision manager asks it. `T_b_a` is the pose of A seen from B.
 *
 * SEPARATED: proved farther apart than `least` metres (least = 0: no point in common); the cache holds the unit axis and the gap along it.
 * COLLIDING: proved to come within `least` (to have a point in common). UNDECIDED: neither, at the limit of iterations or of rounding.
 */
export interface Checker {
  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict;
  /** Iterations since the last reset, a deterministic measure of work. */
  iterations: number;
}

/** Least distance with witness points and normal; leaves early once the lower bound reaches `stopAt` metres. */
export interface DistanceSolver {
  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number, cache: PairCache): void;
}

/** Growth distance with normal and witness points; [0, ∞] where none is defined. */
export interface GrowthSolver {
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void;
}

/** Penetration depth: bounds on the least translation that parts the two, and its direction. */
export interface DepthSolver {
  depth(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void;
}

/** One row of the table of checkers: what `--checker` offers. */
export interface CheckerDefinition {
  readonly summary: string;
  readonly source: string;
  readonly create: () => Checker;
}

/** One row of the table of distance solvers. */
export interface DistanceSolverDefinition {
  readonly summary: string;
  readonly source: string;
  /** `relativeGap`: width of the bounds, relative to the upper one, at which it may stop. */
  readonly create: (options?: { readonly relativeGap?: number }) => DistanceSolver;
}

/** One row of the table of growth distance solvers. */
export interface GrowthSolverDefinition {
  readonly summary: string;
  readonly source: string;
  /** `relativeGap`: width of the bounds, relative to the upper one, at which it may stop. */
  readonly create: (options?: { readonly relativeGap?: number }) => GrowthSolver;
}
