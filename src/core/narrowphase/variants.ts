import type { Transform } from '../math/transform.ts';
import { copy, create, dot, scale, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { Gjk, gjk } from './gjk/gjk.ts';
import { GjkDistance } from './gjk/gjkDistance.ts';
import { GrowthDistance } from './growth/growthDistance.ts';
import { GrowthDistanceCheck, growthDistanceCheck } from './growth/growthDistanceCheck.generated.ts';
import { roundoff } from './iterationLimits.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
  type Verdict,
} from './solver.ts';
import { posedSupportWithMargin, supportWithMargin } from './supportAlong.generated.ts';

/** Checker without warm starts: clears the cache before each check. Measures what warm starts save. */
class ColdChecker implements Checker {
  constructor(private readonly inner: Checker) {}

  get iterations(): number {
    return this.inner.iterations;
  }

  set iterations(count: number) {
    this.inner.iterations = count;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    cache.clear();
    return this.inner.check(a, T_b_a, b, minDistance, cache);
  }
}

/** Checker that computes the whole minimum distance. Measures what early termination saves. */
class FullDistanceChecker implements Checker {
  iterations = 0;
  private readonly solver = new GjkDistance();
  private readonly out = new Separation();

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    const { solver, out } = this;
    solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    this.iterations += out.iterations;
    const { lower, upper } = out.distance;
    if (cache.hasAxis && lower > minDistance) return SEPARATED;
    cache.hasAxis = false;
    return out.status === 'colliding' || (upper <= minDistance && minDistance > 0) ? COLLIDING : UNDECIDED;
  }
}

/**
 * Checker that computes the whole growth distance. Measures what early termination saves. Falls back to the check with
 * early termination for half-spaces, and if the separating plane of the growth distance does not prove `minDistance`.
 */
class FullGrowthChecker implements Checker {
  iterations = 0;
  private readonly solver = new GrowthDistance();
  private readonly fallback = new GrowthDistanceCheck();
  private readonly out = new Separation();
  /** Cache of the solver, apart from the caller's: its `axis` is not always a separating axis. */
  private readonly solverCache = new PairCache();
  private readonly point: Vec3 = create();
  private readonly n: Vec3 = create();

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return this.fallback.check(a, T_b_a, b, minDistance, cache);
    const { solver, solverCache, out } = this;
    solverCache.hasAxis = cache.hasAxis;
    copy(solverCache.axis, cache.axis);
    solver.solve(out, a, T_b_a, b, solverCache);
    this.iterations += out.iterations;
    cache.hasAxis = false;
    if (out.growth.upper <= 1) return COLLIDING;
    if (!(out.growth.lower > 1) || !out.hasNormal) return this.fallback.check(a, T_b_a, b, minDistance, cache);
    const gap = this.gapAlong(out.normal, a, T_b_a, b);
    if (!(gap > minDistance)) return this.fallback.check(a, T_b_a, b, minDistance, cache);
    copy(cache.axis, out.normal);
    cache.hasAxis = true;
    cache.gap = gap;
    return SEPARATED;
  }

  /** Returns min n·b − max n·a over the points b of B and a of A, less its rounding error. */
  private gapAlong(normal: Vec3, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    const { point, n } = this;
    posedSupportWithMargin(point, a, T_b_a, normal, -1);
    const farthest = dot(normal, point);
    const extent = sizeOf(point) + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    scale(n, normal, -1);
    supportWithMargin(point, b, n, -1);
    return dot(normal, point) - farthest - roundoff * (extent + sizeOf(point));
  }
}

const sizeOf = ([x, y, z]: Vec3) => Math.abs(x) + Math.abs(y) + Math.abs(z);

/** Name of a variant of a checker: a key of `checkerVariants`. */
export type CheckerVariantName = 'growth-distance-cold' | 'growth-distance-full' | 'gjk-cold' | 'gjk-full';

/**
 * Checkers without warm starts or without early termination, for experiments. Verdicts are those of the original
 * checkers.
 */
export const checkerVariants: Readonly<Record<CheckerVariantName, CheckerDefinition>> = {
  'growth-distance-cold': {
    summary: 'growth-distance without warm starts',
    source: growthDistanceCheck.source,
    create: () => new ColdChecker(new GrowthDistanceCheck()),
  },
  'growth-distance-full': {
    summary: 'growth-distance without early termination: computes the whole growth distance',
    source: growthDistanceCheck.source,
    create: () => new FullGrowthChecker(),
  },
  'gjk-cold': { summary: 'gjk without warm starts', source: gjk.source, create: () => new ColdChecker(new Gjk()) },
  'gjk-full': {
    summary: 'gjk without early termination: computes the whole minimum distance',
    source: gjk.source,
    create: () => new FullDistanceChecker(),
  },
};
